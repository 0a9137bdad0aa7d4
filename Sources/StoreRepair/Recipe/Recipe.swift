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
//   dangling: nullify
//   wrongEntity: nullify
//   inverses:
//     - {entity: A, relationship: b, from: this}
//   structure: [join-orphans, high-water]

/// What a person wants mended, in one store or in ten thousand: names and rules, no keys and no rows.
///
/// A recipe that exists says one thing; whether a store has what it names is ``mistakes(in:)``'s to tell.
public struct Recipe: Sendable, Equatable {
  /// Rows that are to be one.
  public var dedupe: [Dedupe] = []
  /// Values for rows that have none.
  public var backfill: [Backfill] = []
  /// Relationships that are found again by what their ends hold.
  public var relink: [Relink] = []
  /// Entities that take the place of many-to-many relationships.
  public var junctions: [Junction] = []
  /// What becomes of keys that lead to no object; nil to leave them.
  public var dangling: Dangling?
  /// What becomes of keys that lead to an object of an entity they may not lead to; nil to leave them.
  public var wrongEntity: WrongEntity?
  /// One-to-one relationships that are known on one side only.
  public var inverses: [Inverse] = []
  /// What Core Data keeps beside the values.
  public var structure: Set<Structure> = []

  /// A recipe that asks for nothing.
  public init() {}

  /// Whether it asks for nothing.
  public var isEmpty: Bool { self == Recipe() }

  /// Every repair that loses nothing and needs no argument (`design.md` §8): what `--safe` asks for.
  public static var safe: Recipe {
    var recipe = Recipe()
    recipe.dangling = .nullifyOptional
    recipe.structure = [
      .reindex, .joinOrphans, .selfLinkMirrors, .companions, .orderKeys, .highWater, .uniqueIndexes,
    ]
    return recipe
  }

  /// The most bytes of a document that are read.
  public static let maximumBytes = 1 << 18

  /// What is read of a document.
  enum Limits {
    /// The most items of a section.
    static let items = 1_000
    /// The most names of an item: of `by`, `group` or `match`.
    static let names = 64
    /// The most bytes of a name or path.
    static let nameLength = 1_024
  }
}
