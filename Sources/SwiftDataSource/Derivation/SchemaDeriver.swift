import StoreWords
import StoreSwiftDataSchemas

/// Derives the entities of a list of classes: SwiftData includes the listed classes and all that are reached from them
/// through relationships, however far.
final class SchemaDeriver {
  let table: NameTable
  private var shapes: [TypeID: ClassShape] = [:]
  private var members: [TypeID: [StoredMember]] = [:]

  private let known: KnownDerivations?

  /// - Parameter known: what is known of another state, begun with this table.
  init(table: NameTable, known: KnownDerivations? = nil) {
    self.table = table
    self.known = known
  }

  func shape(of id: TypeID) -> ClassShape {
    if let known = shapes[id] { return known }
    let shape = ClassShapeReader(table: table).shape(of: id)
    shapes[id] = shape
    return shape
  }

  private func members(of id: TypeID) -> [StoredMember] {
    if let known = members[id] { return known }
    let read = StoredMemberReader(table: table).members(of: id)
    members[id] = read
    return read
  }

  func entities(of roots: [TypeID]) -> [SourceEntity] {
    known?.entities(of: roots, derive: derived) ?? derived(from: roots)
  }

  private func derived(from roots: [TypeID]) -> [SourceEntity] {
    let reached = reach(from: roots)
    let deriver = EntityDeriver(
      table: table, typing: AttributeTyping(table: table) { [unowned self] in self.members(of: $0) },
      shapes: reached.shapes, rivals: reached.rivals,
      inverses: InverseFinder.inverses(of: Array(reached.shapes.values), table),
      listed: Set(roots.map { table[$0].name }))
    return reached.shapes.keys.sorted(by: codeUnitsPrecede).compactMap { deriver.entity(named: $0) }
  }

  private struct Reached {
    var shapes: [String: ClassShape] = [:]
    var rivals: [String: [ClassShape]] = [:]
  }

  /// Finds all classes, the listed ones first: of two with one entity name the listed one is likelier.
  private func reach(from roots: [TypeID]) -> Reached {
    var reached = Reached()
    var queue = roots
    var seen: Set<TypeID> = []
    var position = 0
    while position < queue.count {
      let id = queue[position]
      position += 1
      guard seen.insert(id).inserted else { continue }
      let shape = shape(of: id)
      if reached.shapes[shape.name] == nil {
        reached.shapes[shape.name] = shape
        queue += [shape.superclass].compactMap(\.self) + shape.members.compactMap { $0.relationship?.target }
      } else {
        reached.rivals[shape.name, default: []].append(shape)
      }
    }
    return reached
  }
}
