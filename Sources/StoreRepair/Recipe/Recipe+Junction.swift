import StoreDataModel

extension Recipe {
  /// An entity that takes the place of a many-to-many relationship: an object for each link.
  public struct Junction: Sendable, Equatable {
    /// The many-to-many relationship, "Student.courses".
    public var from: String
    /// The entity of which objects are made, by its name in `Z_PRIMARYKEY` or in the model.
    public var entity: String
    /// Its to-one relationship that leads to the object whose relationship `from` is.
    public var source: String
    /// Its to-one relationship that leads to the other end of the link.
    public var destination: String
    /// The line it begins at, from 1 on; nil where it comes from no file.
    @Uncompared public var line: Int?

    /// An entity that takes the place of `from`.
    public init(from: String, entity: String, source: String, destination: String, line: Int? = nil) {
      self.from = from
      self.entity = entity
      self.source = source
      self.destination = destination
      self.line = line
    }

    /// The entity and the relationship of `from`; nil where it is no such path.
    var links: (entity: String, relationship: String)? {
      let names = from.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      return names.count == 2 ? (names[0], names[1]) : nil
    }
  }
}
