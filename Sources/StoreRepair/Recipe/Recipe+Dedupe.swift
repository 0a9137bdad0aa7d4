import StoreScanning
import StoreDataModel

extension Recipe {
  /// Duplicates: rows of an entity that are equal in some properties, and what to do with them.
  package struct Dedupe: Sendable, Equatable {
    /// The entity, by its name in `Z_PRIMARYKEY` or in the model.
    package var entity: String
    /// Attributes, leaves of composite ones ("size.width") and to-one relationships; at least one.
    package var by: [String]
    /// How strings are compared.
    package var compare: KeyComparison
    /// Whether NULL equals NULL.
    package var nulls: Nulls
    /// Which row of a group stays.
    package var keep: Keep
    /// The treatment of the rows of a group that do not stay.
    package var others: Others
    /// The line in the recipe's file, from 1 on; nil without a file.
    @Uncompared package var line: Int?

    /// Duplicates in `by`; defaults are those of a recipe's file.
    package init(
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
  /// Whether NULL equals NULL; in a unique index of SQLite's it does not.
  package enum Nulls: String, Sendable, CaseIterable { case distinct, equal }

  /// Which row of a group stays; where several qualify, the one with the lowest key.
  package enum Keep: Sendable, Equatable {
    /// The one with the lowest key.
    case first
    /// The one with the highest key.
    case last
    /// The one with the most properties that are not NULL.
    case mostComplete
    /// The one with the most links.
    case mostLinked
    /// The one with the greatest value of an attribute; NULL counts as less than any.
    case newest(String)
    /// The one with the least value of an attribute; NULL counts as greater than any.
    case oldest(String)

    /// The attribute that decides, if one does.
    package var attribute: String? {
      switch self {
      case .newest(let name), .oldest(let name): name
      case .first, .last, .mostComplete, .mostLinked: nil
      }
    }
  }

  /// The treatments of the rows of a group that do not stay.
  package enum Others: Sendable, Equatable {
    /// Their links, and values that the row that stays lacks, are moved to it.
    case merge
    /// They are deleted by the model's delete rules.
    case delete
    /// They stay under another name.
    case rename(NameTemplate)
  }
}
