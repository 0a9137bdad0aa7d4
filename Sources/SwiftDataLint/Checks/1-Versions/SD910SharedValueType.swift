import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let sharedValueType = LintCheck(.sharedValueType) { subject, say in
    var users: [TypeID: [(version: LintVersion, entity: String, place: SourcePlace)]] = [:]
    for id in subject.project.models.sorted() {
      guard let home = subject.version(containing: id), let shape = subject.shapes[id] else { continue }
      for member in shape.members {
        for type in subject.hashedTypes(of: member.stored.type) where subject.version(containing: type) == nil {
          users[type, default: []].append((home, shape.name, member.stored.place))
        }
      }
    }
    for (type, uses) in users.sorted(by: { $0.key < $1.key }) {
      var seen: Set<TypeID> = []
      let firsts = uses.filter { seen.insert($0.version.id).inserted }
      guard firsts.count > 1 else { continue }
      say.add(
        at: subject.names.place(of: type),
        message:
          "\(subject.names[type].name) is shared by \(listed(firsts.map { "\($0.version.name).\($0.entity)" })): an edit "
          + "changes the hashes of all these versions",
        notes: firsts.prefix(4).map { .init("\($0.version.name).\($0.entity) holds it here", at: $0.place) })
    }
  }
}

extension LintSubject {
  /// The structs and enums in the sources whose members are part of a property's hash: composites, and the types they
  /// contain.
  func hashedTypes(of type: ResolvedType?) -> [TypeID] {
    var found: [TypeID] = []
    var rest = [type]
    while let next = rest.popLast(), found.count < 64 {
      switch next {
      case .optional(let wrapped)?: rest.append(wrapped)
      case .declared(let id)?:
        guard !found.contains(id), !names[id].isModel, !hasRawValues(id) else { continue }
        found.append(id)
        for variable in names[id].declaration?.members.variables ?? [] {
          guard let type = variable.type, !variable.isStatic, variable.storage != .computed else { continue }
          rest.append(names.resolve(type, in: Scope(file: names[id].file, type: id)))
        }
      // An array or dictionary is one value, whatever its elements.
      case .foreign, .array, .set, .dictionary, .failed, nil: continue
      }
    }
    return found
  }

  /// Whether it is an enum with a raw type, of which only that is hashed.
  func hasRawValues(_ id: TypeID) -> Bool {
    guard names[id].kind == .enum, let first = names[id].declaration?.inherited.first?.lastName else { return false }
    return Self.rawTypes.contains(first)
  }

  private static let rawTypes: Set<String> = [
    "String", "Character", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "Double", "Float",
  ]
}
