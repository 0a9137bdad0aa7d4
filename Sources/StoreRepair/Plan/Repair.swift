/// The kinds of repairs, in the order in which they run.
///
/// The order matters: missing and deleted objects are restored before the links to them are removed, dangling links are removed
/// before mirrors are added for the others, and duplicates are compared only after missing values were filled in
/// (`Recipe.items`).
public enum Repair: String, Sendable, CaseIterable {
  case reindex
  case restoreFromHistory = "restore-from-history"
  case restore
  case merge
  case joinOrphans = "join-orphans"
  case selfLinkMirrors = "self-link-mirrors"
  case companions
  case orderKeys = "order-keys"
  case highWater = "high-water"
  case dangling
  case wrongEntity = "wrong-entity"
  case inverses
  case entityNames = "entity-names"
  case backfill
  case relink
  case dedupe
  case junctions
  case externalFiles = "external-files"
  case metadata
  case uniqueIndexes = "unique-indexes"
  case trimHistory = "trim-history"
  case compact

  /// Its place in the order.
  var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The statement that a user must make for an operation to be carried out.
///
/// It follows from what an operation does to this store; ``Promise`` says what "safe" means.
public enum RepairGrade: String, Sendable, CaseIterable {
  /// Nothing: the outcome is certain, and nothing that a person entered is lost.
  case safe
  /// The repair's name: values are changed so that they differ, and the plan lists them.
  case renames
  /// The repair's name: nothing is lost, but more than one outcome could be right.
  case named
  /// The repair's name and `--allow-lossy`: something is lost.
  case lossy
  /// The repair's name and `--allow-metadata`: it changes what the store says about its model.
  case metadata
}
