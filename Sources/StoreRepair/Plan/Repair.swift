/// The ways to mend a store, in the order in which they run (`design.md` §8).
///
/// The order matters: what a missing object was is looked up before the links to it are taken away, links to nowhere go
/// before the mirrors of the others are added, and objects are told apart by their values only when those are filled in.
public enum Repair: String, Sendable, CaseIterable {
  case reindex
  case restoreFromHistory = "restore-from-history"
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
}

/// What has to be said before an operation is carried out.
public enum RepairGrade: String, Sendable, CaseIterable {
  /// The outcome is certain and nothing that a person entered is lost.
  case safe
  /// Nothing is lost, but there is more than one way to see it: only when asked for by name.
  case named
  /// Something is lost: by name and with `--allow-lossy`.
  case lossy
  /// Changes what the store says of its model: by name and with `--allow-metadata`.
  case metadata
}
