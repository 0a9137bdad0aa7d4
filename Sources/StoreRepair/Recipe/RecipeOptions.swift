/// A recipe given by command-line options; defaults are those of a recipe's file.
package struct RecipeOptions: Sendable, Equatable {
  /// `Trip.name` or `Trip.name,start`.
  package var dedupe: [String] = []
  /// exact, trimmed, casefolded or normalized; for all `dedupe` and the `relink`.
  package var compare: String?
  /// distinct or equal; for all `dedupe`.
  package var nulls: String?
  /// first, last, most-complete, most-linked, `newest:updatedAt` or `oldest:updatedAt`; for all `dedupe`.
  package var keep: String?
  /// merge, delete or `rename:{name} ({n})`; for all `dedupe`.
  package var others: String?
  /// `Note.title=Untitled`.
  package var backfill: [String] = []
  /// `Note.createdAt=modifiedAt`.
  package var backfillFrom: [String] = []
  /// `Note.color=folder,kind`: the first value among rows equal in these.
  package var backfillGroup: [String] = []
  /// `Foo.dateInt=unix(date)`.
  package var backfillExpression: [String] = []
  /// `Item.uuid=uuid`.
  package var backfillGenerate: [String] = []
  /// `Note.folder`.
  package var relink: String?
  /// `folderName=name`; if empty, the relink follows the inverse.
  package var match: [String] = []
  /// The separator of the texts in a list, such as ",".
  package var separator: String?
  /// `Student.courses=Enrollment.student,course`.
  package var junctions: [String] = []
  /// nullify, nullify-optional, delete-source or restore-from-history.
  package var dangling: String?
  /// nullify.
  package var wrongEntity: String?
  /// `A.b=this`.
  package var inverses: [String] = []
  /// `join-orphans,high-water`.
  package var structure: [String] = []
  /// `before:2026-03-01` or `keep:1000`.
  package var trimHistory: String?
  /// The file is written anew without its free pages.
  package var compact = false
  /// Every safe repair that needs no argument.
  package var safe = false

  /// No options.
  package init() {}

  /// An option of these, as a mistake in it is reported. The raw value is its name here.
  package enum Name: String, Sendable, CaseIterable {
    case dedupe, compare, nulls, keep, others
    case backfill, backfillFrom, backfillGroup, backfillExpression, backfillGenerate
    case relink, match, separator
    case junctions, dangling, wrongEntity, inverses, structure, trimHistory
  }
}
