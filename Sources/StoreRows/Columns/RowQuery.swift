import StoreSQLite

/// Which objects of an entity to show, and what of them.
public struct RowQuery: Sendable {
  /// The entity, by its name in `Z_PRIMARYKEY` or in the model.
  public var entity: String
  /// The columns by name; nil for all.
  public var columns: [String]?
  /// To-one relationships whose object's title is shown too ("folder"), or an attribute of it ("folder.name").
  public var expanded: [String] = []
  /// A condition in the syntax of predicates; nil for all objects.
  public var condition: String?
  /// The columns to order by, the first before the others; by key if there is none.
  public var order: [Order] = []
  /// The most objects; nil for all.
  public var limit: Int?
  /// How many objects to leave out at the start.
  public var offset = 0
  /// The keys of the objects to show; nil for all.
  public var keys: [Int64]?
  /// Whether objects of subentities belong to it, as they do in a fetch request.
  public var includesSubentities = true
  /// Whether the attribute that looks like a title comes before all other columns, where no columns are named.
  public var putsTitleFirst = false
  /// Whether binary values are read; otherwise only their length is shown.
  public var readsBinary = false

  /// Whether columns say what CloudKit's mirroring knows of each object. A store that is not mirrored has none.
  public var showsCloudKit = false

  /// Objects that are not in the table any more, which are shown after the others; a column `_state` says which is which. Nil
  /// for live objects alone.
  package var gone: [GoneRow]?

  /// Takes the values of binary attributes that may be in external files, and gives the name under which each was kept;
  /// nil to show them like others.
  public var externalValues: ExternalValueWriter?

  /// Keeps a value somewhere else, and gives its name there.
  public typealias ExternalValueWriter =
    @Sendable (
      _ entity: String, _ key: Int64, _ attribute: String, _ bytes: UnsafeRawBufferPointer
    ) throws -> String

  /// One property to order by.
  public struct Order: Sendable, Equatable {
    /// The property, or a path to an attribute through to-ones.
    public var path: String
    /// Whether larger values come first.
    public var isDescending: Bool

    /// "title", or "createdAt:desc".
    public init(path: String, isDescending: Bool = false) {
      self.path = path
      self.isDescending = isDescending
    }
  }

  /// All objects of an entity.
  public init(entity: String) { self.entity = entity }
}

/// The values left of an object that is not in its table any more, or of a version that it no longer has.
package struct GoneRow: Sendable {
  /// `Z_PK`; nil where it is lost.
  package var key: Int64?
  /// The name of its entity; nil where it is lost.
  package var entity: String?
  /// A description of its state: "deleted proved".
  package var state: String
  /// The values that are left, by column.
  package var values: [String: SQLiteValue]

  /// Creates the row from the values left of an object.
  package init(key: Int64?, entity: String?, state: String, values: [String: SQLiteValue]) {
    self.key = key
    self.entity = entity
    self.state = state
    self.values = values
  }
}

/// Why a query cannot be answered.
package struct RowQueryError: Error, CustomStringConvertible {
  /// The sentence shown to people.
  package var description: String

  init(_ description: String) { self.description = description }
}
