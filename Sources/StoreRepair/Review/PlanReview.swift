import StoreSQLite

/// The rows of a plan that a person looks at before it is carried out: the first of each operation, as they are in the
/// store now, and what becomes of them.
public struct PlanReview: Sendable, Equatable {
  /// One for each operation of the plan, in its order.
  public var operations: [Operation]

  /// The first rows of one operation.
  public struct Operation: Sendable, Equatable {
    /// How many groups or rows the operation has.
    public var total = 0
    /// Groups of duplicates, those that differ in what few groups differ in first.
    public var groups: [Group] = []
    /// Whether `groups` was taken from all groups; there may be too many to compare.
    public var comparedAll = true
    /// Rows, where there are no groups.
    public var rows: [Row] = []
  }

  /// Duplicates of which one stays.
  public struct Group: Sendable, Equatable {
    /// The object that stays.
    public var kept: Object
    /// Those that do not.
    public var others: [Object]
    /// Whether the others are merged into it; otherwise they are deleted.
    public var isMerged: Bool
    /// How many links move to it, by relationship ("Note.folder").
    public var moved: [(relationship: String, count: Int)] = []
    /// The values it lacks and takes from another, with the key of that one where it is known.
    public var filled: [(property: String, from: Int64?)] = []
    /// The differences between its objects, the rarest first.
    public var differences: [Difference] = []

    /// Whether both have the same objects, effects and differences.
    public static func == (left: Self, right: Self) -> Bool {
      left.kept == right.kept && left.others == right.others && left.isMerged == right.isMerged
        && left.moved.elementsEqual(right.moved, by: ==) && left.filled.elementsEqual(right.filled, by: ==)
        && left.differences == right.differences
    }
  }

  /// A property in which objects of one group have different values; none of them NULL.
  public struct Difference: Sendable, Equatable {
    /// Its name.
    public var property: String
    /// In how many groups of the operation it differs.
    public var groups: Int
    /// Key and value of each object that has one; empty where values are not shown.
    public var values: [Keyed] = []
  }

  /// The value of one object.
  public struct Keyed: Sendable, Equatable {
    /// `Z_PK`.
    public var key: Int64
    /// The value.
    public var value: Value
  }

  /// An object.
  public struct Object: Sendable, Equatable {
    /// The entity's name.
    public var entity: String
    /// `Z_PK`.
    public var key: Int64
    /// Its title for a person; nil where values are not shown, or it has none.
    public var title: Value?
  }

  /// A row that is changed, inserted or deleted.
  public struct Row: Sendable, Equatable {
    /// The objects it stands for: one, or the two that a link leads from and to. A key is nil for NULL.
    public var ends: [End]
    /// The changes to its values, where they can be shown.
    public var changes: [Change] = []
  }

  /// An object that a row stands for.
  public struct End: Sendable, Equatable {
    /// The entity's name; nil where it is not known.
    public var entity: String?
    /// `Z_PK`; nil for NULL and for what is no key.
    public var key: Int64?
    /// Its title for a person.
    public var title: Value?
  }

  /// A value before and after.
  public struct Change: Sendable, Equatable {
    /// The property, or a column where several make up one.
    public var name: String
    /// The value now; nil where there is no such row yet.
    public var before: Value?
    /// The value afterwards.
    public var after: Value
  }

  /// A value, and how it is to be read.
  public struct Value: Sendable, Equatable {
    /// As it is stored.
    public var stored: SQLiteValue
    /// The kind of value.
    public var kind: Kind

    /// The kinds of values.
    public enum Kind: Sendable { case plain, key, date, uuid }
  }
}
