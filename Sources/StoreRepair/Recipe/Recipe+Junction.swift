import StoreDataModel

extension Recipe {
  /// An entity that replaces a many-to-many relationship, with one object for each link.
  package struct Junction: Sendable, Equatable {
    /// The many-to-many relationship, "Student.courses".
    package var from: String
    /// The entity to make objects of, by its name in `Z_PRIMARYKEY` or in the model.
    package var entity: String
    /// Its to-one relationship to the object that has the relationship `from`.
    package var source: String
    /// Its to-one relationship to the object at the other end of the link.
    package var destination: String
    /// The line in the recipe's file, from 1 on; nil without a file.
    @Uncompared package var line: Int?

    /// An entity that replaces the relationship `from`.
    package init(from: String, entity: String, source: String, destination: String, line: Int? = nil) {
      self.from = from
      self.entity = entity
      self.source = source
      self.destination = destination
      self.line = line
    }

    /// The entity and the relationship that `from` names; nil where it has another form.
    var links: (entity: String, relationship: String)? {
      let names = from.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      return names.count == 2 ? (names[0], names[1]) : nil
    }
  }
}
