import StoreDataModel

extension Recipe {
  /// Values for the rows of an entity that have NULL in an attribute.
  public struct Backfill: Sendable, Equatable {
    /// The entity, by its name in `Z_PRIMARYKEY` or in the model; its subentities' rows are filled too.
    public var entity: String
    /// The attribute, or a leaf of a composite one ("size.width").
    public var attribute: String
    /// Where a value may come from, at least one, in the order in which they are asked: the first that gives a value
    /// that is not NULL decides. The order is that of ``Source``'s cases, whatever the order in a file.
    public var sources: [Source]
    /// The line it begins at, from 1 on; nil where it comes from no file.
    @Uncompared public var line: Int?

    /// Values for an attribute.
    public init(entity: String, attribute: String, sources: [Source], line: Int? = nil) {
      self.entity = entity
      self.attribute = attribute
      self.sources = sources
      self.line = line
    }
  }
}

extension Recipe.Backfill {
  /// Where a value comes from.
  public enum Source: Sendable, Equatable {
    /// Another attribute of the row, or one over to-one relationships: "folder.name".
    case from(String)
    /// The first value, in order of keys, among the rows that are equal in these properties.
    case group([String])
    /// Computed from the row.
    case expression(RecipeExpression)
    /// The same for all rows.
    case value(Recipe.Constant)
    /// Made by storedoctor.
    case generate(Generator)
  }

  /// What storedoctor makes.
  public enum Generator: String, Sendable, CaseIterable {
    /// The time of planning.
    case now
    /// A random UUID for each row.
    case uuid
    /// 1, 2, 3 in order of keys, after the greatest there is.
    case sequence
    /// The model's default value.
    case `default`
  }
}

extension Recipe {
  /// A scalar as it stands in a recipe; what it means depends on the attribute it is for (``AttributeType``).
  public struct Constant: Sendable, Equatable {
    /// "0", "true", "2024-05-01T12:00:00Z", "Untitled".
    public var text: String

    /// A scalar.
    public init(_ text: String) { self.text = text }
  }
}
