import StoreSQLite

/// The rows of a plan that a person looks at before it is carried out: the first of each operation, as they are in the
/// store now, and what becomes of them.
package struct PlanReview: Sendable, Equatable {
  /// One for each operation of the plan, in its order.
  package var operations: [Operation]

  /// The first rows of one operation.
  package struct Operation: Sendable, Equatable {
    /// How many groups or rows the operation has.
    package var total = 0
    /// Groups of duplicates, those that differ in what few groups differ in first.
    package var groups: [Group] = []
    /// Whether `groups` was taken from all groups; there may be too many to compare.
    package var comparedAll = true
    /// Rows, where there are no groups.
    package var rows: [Row] = []
  }

  /// Duplicates of which one stays.
  package struct Group: Sendable, Equatable {
    /// The object that stays.
    package var kept: Object
    /// Those that do not.
    package var others: [Object]
    /// Whether the others are merged into it; otherwise they are deleted.
    package var isMerged: Bool
    /// How many links move to it, by relationship ("Note.folder").
    package var moved: [(relationship: String, count: Int)] = []
    /// The values it lacks and takes from another, with the key of that one where it is known.
    package var filled: [(property: String, from: Int64?)] = []
    /// The differences between its objects, the rarest first.
    package var differences: [Difference] = []

    /// Whether both have the same objects, effects and differences.
    package static func == (left: Self, right: Self) -> Bool {
      left.kept == right.kept && left.others == right.others && left.isMerged == right.isMerged
        && left.moved.elementsEqual(right.moved, by: ==) && left.filled.elementsEqual(right.filled, by: ==)
        && left.differences == right.differences
    }
  }

  /// A property in which objects of one group have different values; none of them NULL.
  package struct Difference: Sendable, Equatable {
    /// Its name.
    package var property: String
    /// In how many groups of the operation it differs.
    package var groups: Int
    /// Key and value of each object that has one; empty where values are not shown.
    package var values: [Keyed] = []
  }

  /// The value of one object.
  package struct Keyed: Sendable, Equatable {
    /// `Z_PK`.
    package var key: Int64
    /// The value.
    package var value: Value
  }

  /// An object.
  package struct Object: Sendable, Equatable {
    /// The entity's name.
    package var entity: String
    /// `Z_PK`.
    package var key: Int64
    /// Its title for a person; nil where values are not shown, or it has none.
    package var title: Value?
  }

  /// A row that is changed, inserted or deleted.
  package struct Row: Sendable, Equatable {
    /// The objects it stands for: one, or the two that a link leads from and to. A key is nil for NULL.
    package var ends: [End]
    /// The changes to its values, where they can be shown.
    package var changes: [Change] = []
  }

  /// An object that a row stands for.
  package struct End: Sendable, Equatable {
    /// The entity's name; nil where it is not known.
    package var entity: String?
    /// `Z_PK`; nil for NULL and for what is no key.
    package var key: Int64?
    /// Its title for a person.
    package var title: Value?
  }

  /// A value before and after.
  package struct Change: Sendable, Equatable {
    /// The property, or a column where several make up one.
    package var name: String
    /// The value now; nil where there is no such row yet.
    package var before: Value?
    /// The value afterwards.
    package var after: Value
  }

  /// A value, and how it is to be read.
  package struct Value: Sendable, Equatable {
    /// As it is stored.
    package var stored: SQLiteValue
    /// The kind of value.
    package var kind: Kind

    /// The kinds of values.
    package enum Kind: Sendable { case plain, key, date, uuid }
  }
}
