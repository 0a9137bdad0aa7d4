/// An enum in Swift source that is the type of a property, with what a model cannot hold.
///
/// A composite attribute only has the type of the raw value; names and raw values of the cases are only in the source.
package struct SwiftDataEnum: Sendable, Hashable {
  /// The enum's name with the types it is nested in: "Note.Mood".
  package var qualifiedName: String
  /// The type of its raw values: "String"; nil if it has none.
  package var rawType: String?
  /// Further conformances that need no code: "CaseIterable".
  package var conformances: [String]
  /// The cases in order, as written: `work = "w"`.
  package var cases: [String]
  /// The case that is the property's initial value; nil for none.
  package var initialCase: String?

  /// Creates an enum.
  package init(
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

/// The enums of a schema, and where each is declared: beside the classes, or nested in a class.
struct SwiftDataEnums {
  /// By entity, then by property name or the path of a member: "place.kind".
  typealias ByPath = [String: [String: SwiftDataEnum]]

  private let byPath: ByPath
  /// The enums declared beside the classes, by name.
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

  /// Names that must not be given to structs made for composites.
  var names: Set<String> { Set(byPath.values.flatMap(\.values).map(\.name)) }

  /// The enums to declare in a class, by name. An enum with the name of a class is left out, since it would hide the
  /// class.
  func nested(in entity: String) -> [SwiftDataEnum] {
    var byName: [String: SwiftDataEnum] = [:]
    for (_, each) in (byPath[entity] ?? [:]).sorted(by: { $0.key < $1.key })
    where !sharedNames.contains(each.qualifiedName) && !entities.contains(each.name) && byName[each.name] == nil {
      byName[each.name] = each
    }
    return byName.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The enum at a property or path; nil if the type follows from the model alone.
  func type(at path: String, of entity: String) -> SwiftDataEnum? {
    guard let found = byPath[entity]?[path] else { return nil }
    let isWritten =
      sharedNames.contains(found.qualifiedName)
      || nested(in: entity).contains { $0.qualifiedName == found.qualifiedName }
    return isWritten ? found : nil
  }
}

extension SwiftDataEnum {
  /// The lines of the declaration.
  func lines(_ types: SwiftDataTypes) -> [String] {
    let raw = rawType.map { types.raw($0) }
    let inherited = ([raw].compactMap(\.self) + ["Codable"] + conformances).joined(separator: ", ")
    return ["enum \(SwiftName.escaped(name)): \(inherited) {"] + cases.map { "  case \($0)" } + ["}"]
  }
}
