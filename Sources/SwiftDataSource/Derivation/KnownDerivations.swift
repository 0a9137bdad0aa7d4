import StoreSwiftDataSchemas

/// The entities of the last state of a project, for one that declares the same: in most states of a history only code is
/// edited, and what classes become in a model depends on declarations alone.
///
/// They hold only where nothing differs that a derivation can read; one other letter in a declaration, also of a class
/// that no model has, and all is derived anew.
final class KnownDerivations {
  private var table: NameTable?
  private var entities: [[TypeID]: [SourceEntity]] = [:]
  /// How many lists were derived, and not known.
  private(set) var derivedLists = 0

  /// Begins a state, and forgets the last one where that declares something else.
  func begin(_ table: NameTable) {
    if let last = self.table, !last.declaresTheSame(as: table) { entities = [:] }
    self.table = table
  }

  /// The entities of a list of classes, derived where they are not known.
  func entities(of roots: [TypeID], derive: ([TypeID]) -> [SourceEntity]) -> [SourceEntity] {
    if let known = entities[roots] { return known }
    let derived = derive(roots)
    derivedLists += 1
    entities[roots] = derived
    return derived
  }
}
