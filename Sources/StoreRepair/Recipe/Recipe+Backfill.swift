import StoreDataModel

extension Recipe {
  /// Values for the rows of an entity that have NULL in an attribute.
  package struct Backfill: Sendable, Equatable {
    /// The entity, by its name in `Z_PRIMARYKEY` or in the model; its subentities' rows are filled too.
    package var entity: String
    /// The attribute, or a leaf of a composite one ("size.width").
    package var attribute: String
    /// The sources of a value, at least one: the first that gives a value other than NULL decides. They are tried in
    /// the order of ``Source``'s cases, whatever the order in a file.
    package var sources: [Source]
    /// The line in the recipe's file, from 1 on; nil without a file.
    @Uncompared package var line: Int?

    /// Values for an attribute.
    package init(entity: String, attribute: String, sources: [Source], line: Int? = nil) {
      self.entity = entity
      self.attribute = attribute
      self.sources = sources
      self.line = line
    }
  }
}

extension Recipe.Backfill {
  /// Where a value comes from.
  package enum Source: Sendable, Equatable {
    /// Another attribute of the row, or of an object it leads to: "folder.name".
    case from(String)
    /// The first value, in order of keys, among rows equal in these properties.
    case group([String])
    /// An expression of the row's values.
    case expression(RecipeExpression)
    /// The same value for all rows.
    case value(Recipe.Constant)
    /// A generated value.
    case generate(Generator)
  }

  /// The kinds of generated values.
  package enum Generator: String, Sendable, CaseIterable {
    /// The time of planning.
    case now
    /// A random UUID for each row.
    case uuid
    /// 1, 2, 3, … in order of keys, continuing after the highest present value.
    case sequence
    /// The model's default value.
    case `default`
  }
}

extension Recipe {
  /// A scalar in a recipe; its meaning depends on the type of the attribute (``AttributeType``).
  package struct Constant: Sendable, Equatable {
    /// "0", "true", "2024-05-01T12:00:00Z", "Untitled".
    package var text: String

    /// A scalar.
    package init(_ text: String) { self.text = text }
  }
}
