import StoreSwiftDataSchemas
import SwiftDataSource

/// Finds the classes of a container that are in a store mirrored to CloudKit, or that may be; apps keep some classes in another store.
struct MirroredClasses {
  /// A class with the store that mirrors it.
  struct Mirrored {
    var entity: SourceEntity
    var mirroring: LintContainer.Mirroring
  }

  let subject: LintSubject

  /// In the order of the container's model.
  func of(_ container: LintContainer) -> [Mirrored] {
    guard let schema = subject.schema(of: container) else { return [] }
    let mirroring = container.stores.filter { $0.mirroring.mayBeOn }
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
    // A single store has all classes.
    if container.stores.count == 1, store.classes == nil { return all }
    let others = container.stores.filter { !$0.mirroring.mayBeOn }
    // Classes of another store are not in this one, unless it lists them itself.
    let areKnown = !others.contains { $0.classes == nil }
    let elsewhere = others.reduce(into: Set<TypeID>()) { $0.formUnion($1.listed) }
    switch store.classes {
    case .all?: return areKnown ? all.subtracting(elsewhere) : []
    case .some(let listed)?:
      return areKnown ? reached(from: listed).subtracting(elsewhere).union(listed) : listed
    case nil: return []
    }
  }

  /// The listed classes and all that are reached from them through relationships, as SwiftData includes them.
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
  /// Whether it certainly mirrors.
  var isOn: Bool {
    switch self {
    case .stated, .entitled: true
    case .no, .possible, .undecided, .byDefault, .unknown: false
    }
  }

  /// Whether it mirrors, or may by a setting that stands in the source.
  var mayBeOn: Bool { if case .possible = self { true } else { isOn } }

  /// Whether the setting is not in the source.
  var isUndecided: Bool { if case .undecided = self { true } else { false } }
}

extension LintContainer.Store {
  fileprivate var listed: Set<TypeID> {
    if case .some(let listed)? = classes { listed } else { [] }
  }
}
