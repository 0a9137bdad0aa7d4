/// An enum of Swift source as the type of a property: what a model cannot hold of it.
///
/// A composite attribute says the type of its raw value at most; names and raw values of the cases are in the source alone.
public struct SwiftDataEnum: Sendable, Hashable {
  /// The enum's name with the types it is nested in: "Note.Mood".
  public var qualifiedName: String
  /// The type of its raw values: "String"; nil for one without.
  public var rawType: String?
  /// What else it conforms to, if nothing has to be written for it: "CaseIterable".
  public var conformances: [String]
  /// The cases in order, as they are written: `work = "w"`.
  public var cases: [String]
  /// The name of the case that the property begins with; nil for none.
  public var initialCase: String?

  /// An enum.
  public init(
    qualifiedName: String, rawType: String? = nil, conformances: [String] = [], cases: [String],
    initialCase: String? = nil
  ) {
    self.qualifiedName = qualifiedName
    self.rawType = rawType
    self.conformances = conformances
    self.cases = cases
    self.initialCase = initialCase
  }

  var name: String { qualifiedName.split(separator: ".").last.map(String.init) ?? qualifiedName }

  /// Whether it is nested in a class.
  func isNested(in entity: String) -> Bool {
    qualifiedName.split(separator: ".").dropLast().last.map(String.init) == entity
  }
}

/// The enums of a schema, and where each is written: once beside the classes, or in the class it is nested in.
struct SwiftDataEnums {
  /// Entity, then the names of a property and of what is within it, joined by points: "place.kind".
  typealias ByPath = [String: [String: SwiftDataEnum]]

  private let byPath: ByPath
  /// By name; beside the classes.
  let shared: [SwiftDataEnum]
  private let sharedNames: Set<String>
  private let entities: Set<String>

  init(_ byPath: ByPath, of model: Model) {
    self.byPath = byPath
    let entities = Set(model.entities.map(\.name))
    self.entities = entities
    var byName: [String: Set<String>] = [:]
    var known: [String: SwiftDataEnum] = [:]
    for (entity, enums) in byPath {
      for each in enums.values where !each.isNested(in: entity) {
        byName[each.name, default: []].insert(each.qualifiedName)
        known[each.qualifiedName] = each
      }
    }
    let names = byName.filter { $0.value.count == 1 && !entities.contains($0.key) }.values.flatMap { $0 }
    sharedNames = Set(names)
    shared = names.sorted().compactMap { known[$0] }
  }

  /// The names that types made for a composite must not have.
  var names: Set<String> { Set(byPath.values.flatMap(\.values).map(\.name)) }

  /// The enums that are written in a class, by name. One with the name of a class would hide it.
  func nested(in entity: String) -> [SwiftDataEnum] {
    var byName: [String: SwiftDataEnum] = [:]
    for (_, each) in (byPath[entity] ?? [:]).sorted(by: { $0.key < $1.key })
    where !sharedNames.contains(each.qualifiedName) && !entities.contains(each.name) && byName[each.name] == nil {
      byName[each.name] = each
    }
    return byName.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The enum of a property, or of what is within it; nil where the model alone says what it is.
  func type(at path: String, of entity: String) -> SwiftDataEnum? {
    guard let found = byPath[entity]?[path] else { return nil }
    let isWritten =
      sharedNames.contains(found.qualifiedName)
      || nested(in: entity).contains { $0.qualifiedName == found.qualifiedName }
    return isWritten ? found : nil
  }
}

extension SwiftDataEnum {
  /// The declaration.
  func lines(_ types: SwiftDataTypes) -> [String] {
    let raw = rawType.map { types.raw($0) }
    let inherited = ([raw].compactMap(\.self) + ["Codable"] + conformances).joined(separator: ", ")
    return ["enum \(SwiftName.escaped(name)): \(inherited) {"] + cases.map { "  case \($0)" } + ["}"]
  }
}
