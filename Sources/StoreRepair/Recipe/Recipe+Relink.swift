import StoreScanning
import StoreDataModel

extension Recipe {
  /// A relationship whose objects are found again.
  public struct Relink: Sendable, Equatable {
    /// The entity, by its name in `Z_PRIMARYKEY` or in the model.
    public var entity: String
    /// The relationship to be filled where it is empty.
    public var relationship: String
    /// How an object is found.
    public var source: Source
    /// How texts are compared.
    public var compare: KeyComparison
    /// What stands between the texts of a list, for a to-many relationship: "," of "red,green".
    public var separator: String?
    /// The line it begins at, from 1 on; nil where it comes from no file.
    @Uncompared public var line: Int?

    /// A relationship that is found by `source`.
    public init(
      entity: String, relationship: String, source: Source, compare: KeyComparison = .exact, separator: String? = nil,
      line: Int? = nil
    ) {
      self.entity = entity
      self.relationship = relationship
      self.source = source
      self.compare = compare
      self.separator = separator
      self.line = line
    }
  }
}

extension Recipe.Relink {
  /// How an object is found.
  public enum Source: Sendable, Equatable {
    /// It has these values; sorted by the own attribute's name, at least one.
    case match([Pair])
    /// It leads here by the inverse relationship.
    case inverse
  }

  /// An attribute of the row, and the one of the destination that has to be equal.
  public struct Pair: Sendable, Equatable {
    /// The row's attribute, or a path over to-one relationships.
    public var own: String
    /// The destination's attribute.
    public var destination: String

    /// Two attributes that have to be equal.
    public init(own: String, destination: String) {
      self.own = own
      self.destination = destination
    }
  }
}
