import StoreScanning
import StoreDataModel

extension Recipe {
  /// A rule by which to fill an empty relationship.
  package struct Relink: Sendable, Equatable {
    /// The entity, by its name in `Z_PRIMARYKEY` or in the model.
    package var entity: String
    /// The relationship to fill where it is empty.
    package var relationship: String
    /// How the object to link to is found.
    package var source: Source
    /// How strings are compared.
    package var compare: KeyComparison
    /// For a to-many relationship, what separates the texts in a list: "," in "red,green".
    package var separator: String?
    /// The line in the recipe's file, from 1 on; nil without a file.
    @Uncompared package var line: Int?

    /// A relationship whose objects are found by `source`.
    package init(
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
  /// How the object to link to is found.
  package enum Source: Sendable, Equatable {
    /// By equal values: at least one pair, sorted by the own attribute's name.
    case match([Pair])
    /// By the inverse relationship, which leads here.
    case inverse
  }

  /// An attribute of the row, and the attribute of the destination that has to equal it.
  package struct Pair: Sendable, Equatable {
    /// The row's attribute, or a path across to-one relationships.
    package var own: String
    /// The destination's attribute.
    package var destination: String

    /// Two attributes that have to be equal.
    package init(own: String, destination: String) {
      self.own = own
      self.destination = destination
    }
  }
}
