import StoreFindings

extension SourceCheck {
  package static let missingInitializer = SourceCheck(
    "SD981", "model-without-initializer", .error,
    summary: "A class has no initialiser.",
    looksFor: """
      `@Model` classes without `init`, also where every property has an initial value or an optional type. A class with
      a superclass, or with another macro that may add one, is looked at only where a property has no value.
      """,
    matters: """
      `@Model` requires an initialiser in the class: it does not compile. A convenience initialiser in an extension does
      not help.
      """,
    bad: "@Model final class Note { var text = \"\" }", good: "@Model final class Note { var text = \"\"; init() {} }",
    remedy: "Write the initialiser: `init() {}` where every property has a value.")

  package static let observers = SourceCheck(
    "SD982", "observer-on-stored-property", .warning,
    summary: "A stored property of a model has `willSet` or `didSet`.",
    looksFor: "Observers on persisted properties.",
    matters: "The macro rewrites the property: observers are not called, or not when you expect.",
    bad: "var count = 0 { didSet { changed = true } }", good: "var count = 0",
    remedy: "Do the work where the value is set, in a method or a computed property.")

  package static let takenName = SourceCheck(
    "SD983", "property-name-taken", .error,
    summary: "A property has a name that SwiftData or Core Data uses.",
    looksFor: """
      `description`, which is refused; `isDeleted`, `hasChanges`, `modelContext`, `hash` and `persistentModelID` are a
      warning: they hide the framework's own.
      """, matters: "The schema is refused when the container is made, or the framework's own value is hidden.",
    bad: "var description = \"\"", good: "var summary = \"\"",
    remedy: "Choose another name; after a release with `originalName:` and a new version.")

  package static let notPersistable = SourceCheck(
    "SD984", "property-cannot-be-persisted", .error,
    summary: "A stored property has a type or form that cannot be persisted.",
    looksFor: """
      `lazy`, property wrappers, tuples, closures, protocols, `Any`, types of the interface such as `UIImage` and
      `Color`, and structs and enums of the sources that are not `Codable`, without `@Transient`.
      """,
    matters: "It does not compile, or traps when the container is made.", bad: "lazy var cache: [String: Int] = [:]",
    good: "@Transient var cache: [String: Int] = [:]", remedy: "Mark it `@Transient`, or store something Codable.")

  package static let modelThatIsNoClass = SourceCheck(
    "SD985", "model-that-is-no-class", .error,
    summary: "`@Model` stands on something else than a plain class.",
    looksFor: "`@Model` on a struct, an enum, an actor or a generic class.",
    matters: "It does not compile.", bad: "@Model struct Note { var text = \"\" }",
    good: "@Model final class Note { var text = \"\"; init() {} }",
    remedy: "Make it a class without generic parameters.")

  package static let transientWithoutDefault = SourceCheck(
    "SD986", "transient-without-default", .error,
    summary: "A `@Transient` property has no value to start with.",
    looksFor: "`@Transient` on a property that is not optional and has no initial value.",
    matters: "A fetched object has nothing to give it: it does not compile.", bad: "@Transient var selected: Bool",
    good: "@Transient var selected = false", remedy: "Write an initial value.")

  package static let unlistedSubclass = SourceCheck(
    "SD987", "subclass-not-listed", .error,
    summary: "A model's subclass is not in the list its parent is in, or lacks its availability.",
    looksFor: """
      `@Model` classes with an `@Model` superclass that a list lacks while it has the parent; and (a warning) without
      `@available` of a 26 release. A list for older systems, behind `#available`, need not have a subclass of those.
      """, matters: "Subclasses are not found through their parent: their objects cannot be stored.",
    bad: """
      @Model class Trip { init() {} }
      @Model class WorkTrip: Trip { override init() { super.init() } }
      .modelContainer(for: Trip.self)
      """,
    good: """
      @available(iOS 26, *) @Model class WorkTrip: Trip { override init() { super.init() } }
      .modelContainer(for: [Trip.self, WorkTrip.self])
      """, remedy: "List every subclass, and mark it `@available(iOS 26, macOS 26, *)`.")

  package static let uselessOption = SourceCheck(
    "SD988", "option-does-not-apply", .warning,
    summary: "An option of a macro does not fit its property.",
    looksFor: """
      `.externalStorage` on anything but `Data`; `.unique` on a to-many relationship, a struct, an enum or an array;
      `.preserveValueOnDeletion` on a relationship; a delete rule on an attribute.
      """, matters: "It has no effect, or the schema is refused.",
    bad: "@Attribute(.externalStorage) var text: String", good: "@Attribute(.externalStorage) var photo: Data?",
    remedy: "Take the option away.")

  package static let repeatedMacro = SourceCheck(
    "SD989", "macro-repeated", .error,
    summary: "A class has more than one `#Unique` or `#Index`.",
    looksFor: "Two `#Unique`, or two `#Index`, in one class.", matters: "It does not compile.",
    bad: """
      #Unique<Note>([\\.a])
      #Unique<Note>([\\.b])
      """, good: "#Unique<Note>([\\.a], [\\.b])", remedy: "Write one macro with several arrays.")

  package static let predicateTrap = SourceCheck(
    "SD990", "predicate-on-composite", .note,
    summary: "A predicate compares a property that is an enum or a struct.",
    looksFor: "`#Predicate` of a model class that reads such a property; what a struct stores can be read.",
    matters: "It compiles, and fails at run time up to the systems of 2024.",
    bad: "#Predicate<Task> { $0.status == status }", good: "#Predicate<Task> { $0.statusRaw == raw }",
    remedy: "Store the raw value in a property of its own, and compare that.")
}
