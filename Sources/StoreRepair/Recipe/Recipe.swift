// recipe.yaml                         docs/schemas/recipe.json
// -----------
//   version: 1
//   dedupe:
//     - {entity: Trip, by: [name], compare: trimmed, nulls: equal, keep: {newest: updatedAt}, others: merge}
//   backfill:
//     - {entity: Note, attribute: title, value: "Untitled"}
//   relink:
//     - {entity: Note, relationship: folder, match: {folderName: name}}
//   junctions:
//     - {from: Student.courses, entity: Enrollment, source: student, destination: course}
//   restore:
//     - {from: Older.sqlite, entity: Note, keys: [3, 7], related: true}
//   merge:
//     - {from: Old.sqlite, by: {Note: [uuid]}, newest: {Note: modifiedAt}, keep: new}
//   dangling: nullify
//   wrongEntity: nullify
//   inverses:
//     - {entity: A, relationship: b, from: this}
//   structure: [join-orphans, high-water]
//   trimHistory: {keep: 1000}
//   compact: true

/// The repairs that a user wants, in one store or in ten thousand: names and rules, but no keys and no rows.
///
/// A recipe is consistent in itself; ``mistakes(in:)`` tells whether a store has what it names.
package struct Recipe: Sendable, Equatable {
  /// Duplicates to merge, delete or rename.
  package var dedupe: [Dedupe] = []
  /// Missing values to fill in.
  package var backfill: [Backfill] = []
  /// Empty relationships to fill by comparing values.
  package var relink: [Relink] = []
  /// Entities that replace many-to-many relationships.
  package var junctions: [Junction] = []
  /// Deleted objects to put back from an older copy.
  package var restore: [Restore] = []
  /// Other stores whose objects are taken.
  package var merge: [MergedStore] = []
  /// The treatment of keys that lead to no object; nil to leave them.
  package var dangling: Dangling?
  /// The treatment of keys that lead to an object of the wrong entity; nil to leave them.
  package var wrongEntity: WrongEntity?
  /// One-to-one relationships whose two sides disagree.
  package var inverses: [Inverse] = []
  /// Repairs of what Core Data stores beside values.
  package var structure: Set<Structure> = []
  /// Which transactions of persistent history are removed; nil for none.
  package var trimHistory: HistoryTrim?
  /// Whether the file is written anew without its free pages.
  package var compact = false

  /// An empty recipe.
  package init() {}

  /// Whether it is empty.
  package var isEmpty: Bool { self == Recipe() }

  /// The recipe of `--safe`: every repair that loses nothing and needs no argument.
  package static var safe: Recipe {
    var recipe = Recipe()
    recipe.dangling = .nullifyOptional
    recipe.structure = [
      .reindex, .joinOrphans, .selfLinkMirrors, .companions, .repeatedOrderKeys, .highWater, .uniqueIndexes,
    ]
    return recipe
  }

  /// The largest document that is read, in bytes.
  package static let maximumBytes = 1 << 18

  /// Limits of a document.
  enum Limits {
    /// The most items of a section.
    static let items = 1_000
    /// The most names of an item: of `by`, `group` or `match`.
    static let names = 64
    /// The most bytes of a path.
    static let pathLength = 4_096
    /// The most keys of an item.
    static let keys = 100_000
    /// The most bytes of a name or path.
    static let nameLength = 1_024
  }
}
