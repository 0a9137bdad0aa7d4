import StoreDataModel
import StoreMigration
import StoreRepair
import StoreSQLite

/// The facts about old objects that `didMigrate` needs and `willMigrate` keeps by key.
struct StagePast {
  let className: String
  let model: Model
  let version: String
  private let difference: ModelDifference
  private(set) var entities: [Kept] = []

  struct Kept {
    var entity: String
    var variable: String
    var fields: [Field] = []
  }

  struct Field {
    var path: String
    var name: String
    var type: AttributeType
    var reading: String
  }

  init(_ stage: RecipeStage, className: String) {
    (self.className, model, version) = (className, stage.source, stage.from)
    difference = ModelDifference(from: stage.source, to: stage.destination)
  }

  var isEmpty: Bool { entities.isEmpty }

  /// The entity that an entity of the new version was.
  func source(of entity: String) -> String? { difference.sourceEntity(of: entity) }

  /// The default that the structural step writes into the rows of an entity for an attribute that is new; nil for others.
  func written(_ name: String, of entity: String) -> SQLiteValue? {
    guard difference.sourceEntity(of: entity) != nil, difference.sourceProperties(of: entity)[name] == nil else {
      return nil
    }
    return difference.destination.property(name, of: entity)?.attribute?.storedDefault
  }

  /// Where the values of an entity are kept; notes a new one.
  mutating func kept(_ entity: String) -> Int {
    if let known = entities.firstIndex(where: { $0.entity == entity }) { return known }
    entities.append(Kept(entity: entity, variable: "objects\(entities.count + 1)"))
    return entities.count - 1
  }

  /// The field for a path, and its type.
  mutating func field(_ path: String, at position: Int, type: AttributeType, reading: String) -> String {
    if let known = entities[position].fields.first(where: { $0.path == path }) { return known.name }
    let plain = path.split(separator: ".").joined(separator: "_")
    let isFree = SwiftName.isIdentifier(plain) && !entities[position].fields.contains { $0.name == plain }
    let name = isFree ? SwiftName.escaped(plain) : "value\(entities[position].fields.count + 1)"
    entities[position].fields.append(Field(path: path, name: name, type: type, reading: reading))
    return name
  }

  /// The class that keeps them.
  var classLines: [String] {
    guard !isEmpty else { return [] }
    var lines = [
      "", "/// Values of before the structural step, by the key of their object, which stays.",
      "private final class \(className): @unchecked Sendable {", "  static let shared = \(className)()",
    ]
    for kept in entities {
      let type = SwiftName.capitalized(kept.variable)
      lines += [
        "", "  /// \(StageNames.comment(kept.entity))", "  var \(kept.variable): [Int64: \(type)] = [:]", "",
        "  struct \(type) {",
      ]
      lines += kept.fields.map { "    var \($0.name): \(Self.type($0.type))?" } + ["  }"]
    }
    lines += ["", "  func forget() { \(entities.map { "\($0.variable) = [:]" }.joined(separator: "; ")) }", "}"]
    return lines
  }

  /// The Swift type that the value of an attribute is read as, in its widest form.
  static func type(_ type: AttributeType) -> String {
    switch type {
    case .integer16, .integer32, .integer64: "Int64"
    case .double, .float: "Double"
    case .decimal: "Decimal"
    case .boolean: "Bool"
    case .date: "Date"
    case .uuid: "UUID"
    case .uri: "URL"
    case .binary: "Data"
    case .undefined, .string, .transformable, .objectID, .composite, .unknown: "String"
    }
  }
}
