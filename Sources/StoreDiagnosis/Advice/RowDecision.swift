import StoreDataModel

/// Rows that stop a migration, or make its outcome uncertain, with the repairs a person can choose from.
public struct RowDecision: Sendable, Equatable {
  /// The entity, by its name in `Z_PRIMARYKEY`; nil for a table of links.
  public var entity: String?
  /// The attribute or relationship by its name in the store, or by the new one if the store lacks it; several are
  /// separated by commas.
  public var property: String?
  /// Whether they stop the migration; otherwise it passes, or is thought to.
  public var stops: Bool
  /// How many rows.
  public var count: Int64
  /// `Z_PK` of some of them, ascending.
  public var keys: [Int64]
  /// "5 rows in 2 groups: duplicates under the new constraint".
  public var message: String
  /// In `NSCocoaErrorDomain`: of the migration, or of the next save of such an object; nil if there is none.
  public var code: Int?
  /// Repairs that make the rule hold, any one of which is enough; empty if none can.
  public var choices: [Choice]
  /// A remedy apart from the store: in the model or by a stage. Lower case, no full stop.
  public var elsewhere: String?

  /// One repair.
  public struct Choice: Sendable, Equatable {
    /// Arguments of `storedoctor repair`: `["--backfill", "Note.title=Untitled"]`.
    public var options: [String]
    /// A fact to know or a step to do before; lower case, no full stop.
    public var caution: String?
  }
}

/// A value for the NULLs of an attribute: the default that the model gives it.
package struct ModelDefault: Sendable, Equatable {
  /// The entity, by its name in `Z_PRIMARYKEY`; rows of its subentities belong to it.
  package var entity: String
  /// The attribute, by its name in the store.
  package var attribute: String
  /// The value.
  package var value: DefaultValue
}
