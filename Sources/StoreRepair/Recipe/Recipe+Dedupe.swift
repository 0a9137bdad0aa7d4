import StoreScanning
import StoreDataModel

extension Recipe {
  /// Rows of an entity that are equal in some properties, and what becomes of them.
  public struct Dedupe: Sendable, Equatable {
    /// The entity, by its name in `Z_PRIMARYKEY` or in the model.
    public var entity: String
    /// Attributes, leaves of composite ones ("size.width") and to-one relationships; at least one.
    public var by: [String]
    /// How texts are compared.
    public var compare: KeyComparison
    /// Whether rows without a value are equal.
    public var nulls: Nulls
    /// Which row of a group stays.
    public var keep: Keep
    /// What becomes of the rows of a group that do not stay.
    public var others: Others
    /// The line it begins at, from 1 on; nil where it comes from no file.
    @Uncompared public var line: Int?

    /// Rows equal in `by`, with what holds where a recipe says no more.
    public init(
      entity: String, by: [String], compare: KeyComparison = .exact, nulls: Nulls = .distinct, keep: Keep = .first,
      others: Others = .merge, line: Int? = nil
    ) {
      self.entity = entity
      self.by = by
      self.compare = compare
      self.nulls = nulls
      self.keep = keep
      self.others = others
      self.line = line
    }
  }
}

extension Recipe.Dedupe {
  /// Whether NULL equals NULL; a unique index of SQLite's says no.
  public enum Nulls: String, Sendable, CaseIterable { case distinct, equal }

  /// Which row of a group stays; of several that are as good, the one with the lowest key.
  public enum Keep: Sendable, Equatable {
    /// The lowest key.
    case first
    /// The highest key.
    case last
    /// The most attributes that are not NULL.
    case mostComplete
    /// The most objects linked to it.
    case mostLinked
    /// The greatest value of an attribute; NULL is less than any.
    case newest(String)
    /// The least value of an attribute; NULL is greater than any.
    case oldest(String)

    /// The attribute it looks at, if it looks at one.
    public var attribute: String? {
      switch self {
      case .newest(let name), .oldest(let name): name
      case .first, .last, .mostComplete, .mostLinked: nil
      }
    }
  }

  /// What becomes of the rows of a group that do not stay.
  public enum Others: Sendable, Equatable {
    /// Their links and what they alone have go to the one that stays.
    case merge
    /// They go as if the app had deleted them.
    case delete
    /// They stay under another name.
    case rename(NameTemplate)
  }
}
