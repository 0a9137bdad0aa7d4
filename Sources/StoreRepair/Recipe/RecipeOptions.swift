/// A recipe given by command-line options; defaults are those of a recipe's file.
public struct RecipeOptions: Sendable, Equatable {
  /// `Trip.name` or `Trip.name,start`.
  public var dedupe: [String] = []
  /// exact, trimmed, casefolded or normalized; for all `dedupe` and the `relink`.
  public var compare: String?
  /// distinct or equal; for all `dedupe`.
  public var nulls: String?
  /// first, last, most-complete, most-linked, `newest:updatedAt` or `oldest:updatedAt`; for all `dedupe`.
  public var keep: String?
  /// merge, delete or `rename:{name} ({n})`; for all `dedupe`.
  public var others: String?
  /// `Note.title=Untitled`.
  public var backfill: [String] = []
  /// `Note.createdAt=modifiedAt`.
  public var backfillFrom: [String] = []
  /// `Note.color=folder,kind`: the first value among rows equal in these.
  public var backfillGroup: [String] = []
  /// `Foo.dateInt=unix(date)`.
  public var backfillExpression: [String] = []
  /// `Item.uuid=uuid`.
  public var backfillGenerate: [String] = []
  /// `Note.folder`.
  public var relink: String?
  /// `folderName=name`; if empty, the relink follows the inverse.
  public var match: [String] = []
  /// The separator of the texts in a list, such as ",".
  public var separator: String?
  /// `Student.courses=Enrollment.student,course`.
  public var junctions: [String] = []
  /// nullify, nullify-optional, delete-source or restore-from-history.
  public var dangling: String?
  /// nullify.
  public var wrongEntity: String?
  /// `A.b=this`.
  public var inverses: [String] = []
  /// `join-orphans,high-water`.
  public var structure: [String] = []
  /// Every safe repair that needs no argument.
  public var safe = false

  /// No options.
  public init() {}

  /// An option of these, as a mistake in it is reported. The raw value is its name here.
  public enum Name: String, Sendable, CaseIterable {
    case dedupe, compare, nulls, keep, others
    case backfill, backfillFrom, backfillGroup, backfillExpression, backfillGenerate
    case relink, match, separator
    case junctions, dangling, wrongEntity, inverses, structure
  }
}
