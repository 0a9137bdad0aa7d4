import StoreSwiftDataSchemas
import SwiftDataSource

/// Which classes of a container lie in a store that mirrors to CloudKit: apps keep some in a store of their own that does
/// not.
struct MirroredClasses {
  /// A class with the store that mirrors it.
  struct Mirrored {
    var entity: SourceEntity
    var mirroring: LintContainer.Mirroring
  }

  let subject: LintSubject

  /// By the order of the container's model.
  func of(_ container: LintContainer) -> [Mirrored] {
    guard let schema = subject.schema(of: container) else { return [] }
    let mirroring = container.stores.filter { $0.mirroring.isOn }
    let all = Set(schema.entities.compactMap(subject.classID))
    let classes = mirroring.map { self.classes(of: $0, of: container, all: all) }
    return schema.entities.compactMap { entity in
      guard let id = subject.classID(of: entity), let position = classes.firstIndex(where: { $0.contains(id) }) else {
        return nil
      }
      return Mirrored(entity: entity, mirroring: mirroring[position].mirroring)
    }
  }

  private func classes(of store: LintContainer.Store, of container: LintContainer, all: Set<TypeID>) -> Set<TypeID> {
    // The only store there is has all.
    if container.stores.count == 1, store.classes == nil { return all }
    let others = container.stores.filter { !$0.mirroring.isOn }
    // What another store is for, this one is not for, unless it says so itself.
    let areKnown = !others.contains { $0.classes == nil }
    let elsewhere = others.reduce(into: Set<TypeID>()) { $0.formUnion($1.listed) }
    switch store.classes {
    case .all?: return areKnown ? all.subtracting(elsewhere) : []
    case .some(let listed)?:
      return areKnown ? reached(from: listed).subtracting(elsewhere).union(listed) : listed
    case nil: return []
    }
  }

  /// "The model holds the listed classes and all that are reached through relationships."
  private func reached(from listed: Set<TypeID>) -> Set<TypeID> {
    var reached = listed
    var queue = Array(listed)
    while let id = queue.popLast() {
      let shape = subject.shapes[id]
      let next = (shape?.members ?? []).compactMap { $0.relationship?.target } + [shape?.superclass].compactMap(\.self)
      for target in next where reached.insert(target).inserted { queue.append(target) }
    }
    return reached
  }
}

extension LintContainer.Mirroring {
  /// Whether it surely mirrors.
  var isOn: Bool {
    switch self {
    case .stated, .entitled: true
    case .no, .byDefault, .unknown: false
    }
  }
}

extension LintContainer.Store {
  fileprivate var listed: Set<TypeID> {
    if case .some(let listed)? = classes { listed } else { [] }
  }
}
