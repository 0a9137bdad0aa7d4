import Testing

@testable import SwiftDataLint

/// SD981 to SD990.
@Suite struct ClassCheckTests {
  @Test func missingInitializer() {
    #expect(
      findings(.missingInitializer, "@Model final class Note { var text: String; var n = 0; var date: Date? }") == [
        "1: error: Note has no initialiser, and text no value: that does not compile"
      ])
    #expect(
      places(
        .missingInitializer, "@Model final class Note { var text: String; init(text: String) { self.text = text } }")
        == [])
    // `@Model` requires one also where nothing is left to set.
    #expect(
      findings(.missingInitializer, "@Model final class Note { var text = \"\"; var all: Int { 1 } }") == [
        "1: error: Note has no initialiser, which @Model requires also where every property has a value: that does not "
          + "compile"
      ])
    #expect(
      places(.missingInitializer, "@Model final class Note { }\n@MainActor @Model class Tag { var n: Int? }") == [
        "1 error", "2 error",
      ])
    #expect(places(.missingInitializer, "@Model final class Note { var text = \"\"; init() {} }") == [])
    #expect(
      places(
        .missingInitializer, "@Model final class Note { var text = \"\"; convenience init(n: Int) { self.init() } }")
        == [])
    // Another macro may add one, and whether an inherited one is enough is not known.
    #expect(places(.missingInitializer, "@MemberwiseInit @Model final class Note { var text = \"\" }") == [])
    #expect(
      places(.missingInitializer, "@Model class Trip { init() {} }\n@Model final class Work: Trip { var text = \"\" }")
        == [])
    #expect(places(.missingInitializer, "final class Note { var text = \"\" }") == [])
    // A convenience initialiser in an extension does not help.
    #expect(
      places(
        .missingInitializer,
        "@Model final class Note { var text: String }\nextension Note { convenience init(n: Int) { self.init() } }")
        == ["1 error"])
  }

  @Test func observers() {
    #expect(
      findings(.observers, "@Model final class Note { var count = 0 { didSet { changed = true } } }") == [
        "1: warning: the observers of Note.count are not called as you expect"
      ])
    #expect(
      places(.observers, "@Model final class Note { @Transient var n = 0 { didSet { } }; var all: Int { get { 1 } } }")
        == [])
  }

  @Test func takenName() {
    #expect(
      findings(.takenName, "@Model final class Note { var description = \"\" }") == [
        "1: error: a property named description is refused"
      ])
    #expect(
      findings(.takenName, "@Model final class Note { var isDeleted = false }") == [
        "1: warning: isDeleted hides what SwiftData itself calls so"
      ])
    #expect(
      places(.takenName, "@Model final class Note { var summary = \"\"; var description: String { summary } }") == [])
    #expect(places(.takenName, "struct Note { var description = \"\" }") == [])
  }

  @Test(arguments: [
    ("lazy var cache: [String: Int] = [:]", "it is lazy"), ("@Published var n = 0", "@Published is a property wrapper"),
    ("@Clamped var n = 0", "@Clamped is a property wrapper"),
    ("var pair: (Int, Int) = (0, 0)", "'(Int, Int)' is a tuple, a function or a protocol"),
    ("var run: () -> Void", "'() -> Void' is a tuple, a function or a protocol"),
    ("var photo: UIImage?", "UIImage is not Codable"), ("var tints: [Color]", "Color is not Codable"),
    ("var other: Any?", "it may be of any type"), ("var shape: Shape?", "Shape is a protocol"),
  ])
  func notPersistable(variable: String, why: String) {
    let more = "\n@propertyWrapper struct Clamped { var wrappedValue: Int }\nprotocol Shape { }"
    let name = variable.split(whereSeparator: { " :".contains($0) }).drop { $0 != "var" }[safe: 1] ?? ""
    #expect(
      findings(.notPersistable, "@Model final class Note { \(variable) }" + more) == [
        "1: error: Note.\(name) cannot be persisted: \(why)"
      ])
    #expect(places(.notPersistable, "@Model final class Note { @Transient \(variable) }" + more) == [])
  }

  @Test(arguments: [
    ("enum Mood { case good, bad }", "Mood is an enum that is not Codable"),
    ("enum Mood: String, CaseIterable, Identifiable { case good, bad }", "Mood is an enum that is not Codable"),
    ("struct Mood: Hashable { var score = 0 }", "Mood is a struct that is not Codable"),
  ])
  func valuesThatAreNotCodable(type: String, why: String) {
    for (variable, name) in [("var mood: Mood?", "mood"), ("var moods: [Mood]", "moods")] {
      #expect(
        findings(.notPersistable, "@Model final class Note { \(variable) }\n\(type)") == [
          "1: error: Note.\(name) cannot be persisted: \(why)"
        ])
      #expect(places(.notPersistable, "@Model final class Note { @Transient \(variable) }\n\(type)") == [])
    }
  }

  @Test(arguments: [
    "enum Mood: String, Codable { case good }", "enum Mood { case good }\nextension Mood: Swift.Codable { }",
    "struct Mood: Storable { }\nprotocol Storable: Codable { }", "struct Mood: Elsewhere { }",
    "struct Mood: Codable & Hashable { }", "typealias Storable = Codable\nstruct Mood: Storable { }",
    "@MetaCodable struct Mood { var score = 0 }", "struct Mood: Encodable, Decodable { }", "final class Mood { }",
  ])
  func valuesThatMayBeCodable(type: String) {
    #expect(places(.notPersistable, "@Model final class Note { var mood: Mood? }\n\(type)") == [])
  }

  /// A struct of the system may be made `Codable` by an extension, and a transformer may take any type.
  @Test(arguments: [
    "@Model final class Note { var tint: Color }\nextension Color: @retroactive Codable { }",
    "@Model final class Note { var tint: Color }\nstruct Color: Codable { var red: Int }",
    "@Model final class Note { var tint: Color.Resolved }",
    "@Model final class Note { @Attribute(.transformable(by: \"T\")) var photo: UIImage }",
  ])
  func typesOfTheInterfaceThatMayBeStored(source: String) {
    #expect(places(.notPersistable, source) == [])
  }

  /// The file with the conformance has nothing else to do with SwiftData.
  @Test func conformancesInOtherFilesAreFound() {
    let note = "@Model final class Note { var mood: Mood.Kind? }"
    let mood = "struct Mood { enum Kind { case good } }"
    let texts = ["Note.swift": note, "Mood.swift": mood, "Coding.swift": "extension Mood . Kind : Codable { }"]
    #expect(lines(.notPersistable, texts) == [])
    #expect(lines(.notPersistable, texts.filter { $0.key != "Coding.swift" }).count == 1)
  }

  @Test func modelThatIsNoClass() {
    #expect(
      findings(
        .modelThatIsNoClass, "@Model struct Note { var text = \"\" }\n@Model class Box<T> { }\n@Model actor A { }")
        == [
          "1: error: Note is a struct, and @Model stands on plain classes only",
          "2: error: Box is a generic class, and @Model stands on plain classes only",
          "3: error: A is no class, and @Model stands on plain classes only",
        ])
    #expect(places(.modelThatIsNoClass, "@Model final class Note { var text = \"\" }") == [])
  }

  @Test func transientWithoutDefault() {
    #expect(
      findings(.transientWithoutDefault, "@Model final class Note { @Transient var selected: Bool }") == [
        "1: error: Note.selected is transient and has no value to start with"
      ])
    #expect(
      places(
        .transientWithoutDefault,
        "@Model final class Note { @Transient var a = false; @Transient var b: Int?; @Transient var c: Int { 1 } }")
        == [])
  }

  @Test func unlistedSubclass() {
    let source = """
      @Model class Trip { var n = 0 }
      @Model class WorkTrip: Trip { var m = 0 }
      let container = try ModelContainer(for: Trip.self)
      """
    #expect(
      findings(.unlistedSubclass, source) == [
        "2: warning: WorkTrip inherits from a model, which systems before 26 cannot: no @available says so",
        "3: error: Models.swift:3 has Trip, but not its subclass WorkTrip, which is not found through it",
      ])
    let good = source.replacing("@Model class WorkTrip", with: "@available(iOS 26, *) @Model class WorkTrip")
      .replacing("Trip.self)", with: "Trip.self, WorkTrip.self)")
    #expect(places(.unlistedSubclass, good) == [])
  }

  private let trips = """
    @Model class Trip { var n = 0 }
    @available(iOS 26, *) @Model class WorkTrip: Trip { var m = 0 }

    """

  @Test(arguments: [
    ("if #available(iOS 26, *) { c = ALL } else {\nc = OLD }", []),
    ("if #available(iOS 26, *) { c = ALL } else if quick {\nc = OLD }", []),
    ("if #unavailable(iOS 26) {\nc = OLD } else { c = ALL }", []),
    ("guard #available(iOS 26, *) else { return\nOLD }\nreturn ALL", []),
    ("if #available(iOS 26, *) { return ALL }\nreturn OLD", []),
    ("if #available(iOS 26, *) {\nc = OLD }", ["4 error"]),
    ("if #available(iOS 26, *) { print(1) }\nc = OLD", ["4 error"]),
  ])
  func olderSystemsHaveNoSubclass(code: String, expected: [String]) {
    let code = code.replacing("ALL", with: "try ModelContainer(for: Trip.self, WorkTrip.self)")
      .replacing("OLD", with: "try ModelContainer(for: Schema([Trip.self]))")
    #expect(places(.unlistedSubclass, trips + "func make() { \(code) }") == expected)
  }

  @Test func subclassMissingFromTheContainerOnDisk() {
    let preview = """
      let preview = try ModelContainer(
        for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))

      """
    let app = "let app = try ModelContainer(for: Trip.self)\n"
    #expect(
      findings(.unlistedSubclass, trips + preview + app) == [
        "5: error: Models.swift:5 has Trip, but not its subclass WorkTrip, which is not found through it"
      ])
    #expect(places(.unlistedSubclass, trips + app + preview) == ["3 error"])
    #expect(places(.unlistedSubclass, trips + preview) == ["3 error"])
    #expect(places(.unlistedSubclass, trips + app + app) == ["3 error", "4 error"])
    #expect(
      places(.unlistedSubclass, trips + "let s = Schema([Trip.self])\nlet c = try ModelContainer(for: s)") == [
        "3 error"
      ])
  }

  @Test(arguments: [
    ("@Attribute(.externalStorage) var text: String", ".externalStorage is for Data only"),
    ("@Attribute(.unique) var tags: [Tag]", ".unique does not apply to a to-many relationship"),
    (
      "@Attribute(.unique) var kind: Kind",
      ".unique does not apply to an enum, whose raw value is a composite of one column"
    ),
    ("@Attribute(.unique) var mood: Mood", ".unique does not apply to a struct or enum, which is several columns"),
    ("@Attribute(.unique) var names: [String]", ".unique does not apply to a collection, which is one value"),
    (
      "@Relationship(.preserveValueOnDeletion) var tag: Tag?",
      ".preserveValueOnDeletion does not apply to a relationship"
    ),
    ("@Relationship(deleteRule: .cascade) var text: String", "a delete rule does not apply to an attribute"),
  ])
  func uselessOption(variable: String, words: String) {
    let source = """
      @Model final class Note {
        \(variable)
        init() { }
      }
      @Model final class Tag { var name = "" }
      enum Kind: String, Codable { case a }
      enum Mood: Codable { case good, bad }
      """
    let name = variable.split(separator: "var ")[1].prefix { $0 != ":" }
    #expect(findings(.uselessOption, source) == ["2: warning: Note.\(name): \(words)"])
  }

  @Test func optionsThatApply() {
    #expect(
      places(
        .uselessOption,
        """
        @Model final class Note {
          @Attribute(.externalStorage) var photo: Data?
          @Attribute(.externalStorage) var picture: Picture
          @Attribute(.unique, .preserveValueOnDeletion) var id: UUID
          @Relationship(deleteRule: .cascade) var tags: [Tag]
          @Relationship(deleteRule: .cascade) var elsewhere: [Elsewhere]
        }
        @Model final class Tag { var name = "" }
        """) == ["3 warning"])
  }

  @Test func repeatedMacro() throws {
    let source = """
      @Model final class N {
        #Unique<N>([\\.a])
        #Unique<N>([\\.b])
        #Index<N>([\\.a])
        var a = 0; var b = 0
      }
      """
    #expect(findings(.repeatedMacro, source) == ["3: error: N has a second #Unique: that does not compile"])
    let good = source.replacing("])\n  #Unique<N>([", with: "], [")
    #expect(places(.repeatedMacro, good) == [])
    #expect(try fixed(.repeatedMacro, source) == good)
    #expect(
      try fixed(.repeatedMacro, "@Model final class N { #Unique<N>([\\.a]); #Unique<N>([\\.b]); var a = 0; var b = 0 }")
        == "@Model final class N { #Unique<N>([\\.a], [\\.b]); ; var a = 0; var b = 0 }")
  }

  @Test func predicateTrap() {
    let source = """
      @Model final class Job { var status: Status; var statusRaw: String; init() { } }
      enum Status: String, Codable { case open, done }
      let open = #Predicate<Job> { $0.status == wanted }
      let named = #Predicate<Job> { job in job.status == wanted }
      """
    #expect(
      findings(.predicateTrap, source) == [
        "3: note: Job.status is an enum: a predicate on it fails at run time up to the systems of 2024",
        "4: note: Job.status is an enum: a predicate on it fails at run time up to the systems of 2024",
      ])
    #expect(places(.predicateTrap, source.replacing(".status ", with: ".statusRaw ")) == [])
  }

  @Test(arguments: [
    "let d = FetchDescriptor<Job>(predicate: #Predicate { $0.status == wanted })",
    "let d: FetchDescriptor<Job> = .init(predicate: #Predicate { $0.status == wanted }, sortBy: [])",
    "let n = try context.fetchCount(FetchDescriptor<Job>(predicate: #Predicate { job in job.status == wanted }))",
    "let open: Predicate<Job> = #Predicate { $0.status == wanted }",
    "func open() -> Predicate<Job> { #Predicate { $0.status == wanted } }",
    "static func open() -> FetchDescriptor<Job> { return .init(predicate: #Predicate { $0.status == wanted }) }",
    "struct V: View { @Query(filter: #Predicate { $0.status == wanted }, sort: \\.name) var jobs: [Job] }",
    "let open = #Predicate { (job: Job) in job.status == wanted }",
  ])
  func theClassOfAPredicateIsWrittenAroundIt(use: String) {
    let model = """
      @Model final class Job { var status: Status; var name = ""; init() { } }
      enum Status: String, Codable { case open, done }

      """
    #expect(places(.predicateTrap, model + use) == ["3 note"])
    #expect(places(.predicateTrap, model + use.replacing("Job", with: "Other")) == [])
    #expect(places(.predicateTrap, model + use.replacing(".status ==", with: ".name ==")) == [])
  }

  @Test(arguments: [
    ("$0.place.city.contains(text)", []), ("$0.place.zip?.count == 5", []), ("$0.last?.city == text", []),
    ("$0.place.spot.x == 0", []), ("$0.place == wanted", ["4 note"]), ("$0.place.spot == wanted", ["4 note"]),
    ("$0.place.label == text", ["4 note"]), ("$0.place.kind.rawValue == text", ["4 note"]),
    ("$0.place.city == text && $0.place == wanted", ["4 note"]),
  ])
  func leavesOfAStructAreCompared(comparison: String, expected: [String]) {
    let source = """
      @Model final class Quake { var place: Place; var last: Place?; init() { } }
      struct Place: Codable { var city = ""; var zip: String?; var spot: Spot; var kind: Kind; var label: String { city } }
      struct Spot: Codable { var x: Int }; enum Kind: String, Codable { case near, far }
      let found = #Predicate<Quake> { \(comparison) }
      """
    #expect(places(.predicateTrap, source) == expected)
  }

  @Test func aPredicateOfAnotherCallIsNotTheDescriptors() {
    let source = """
      @Model final class Job { var status: Status; init() { } }
      enum Status: String, Codable { case open, done }
      let d: Predicate<Job> = combine(#Predicate { $0.status == wanted })
      let e = FetchDescriptor<Job>(predicate: first { #Predicate { $0.status == wanted } })
      """
    #expect(places(.predicateTrap, source) == [])
  }
}

extension ArraySlice {
  fileprivate subscript(safe offset: Int) -> Element? { dropFirst(offset).first }
}
