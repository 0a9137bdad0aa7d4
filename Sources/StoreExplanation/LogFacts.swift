/// The facts in a log, as people paste it, about a store that did not open.
///
/// The language of the sentences does not matter: domains, codes, keys and object identifiers are not translated.
public struct LogFacts: Sendable, Equatable {
  /// Errors with their numbers, in the order they occur, each once.
  public var codes: [Code] = []
  /// Known sentences, in the order they occur, each once.
  public var reasons: [KnownReason] = []
  /// Entities and properties that the text names as the ones concerned.
  public var places: [Place] = []
  /// Objects by their URI.
  public var objects: [ObjectURI] = []
  /// Version hashes by entity, complete or abbreviated; for a migration, those of the source model.
  public var hashes: [String: PartialHash] = [:]
  /// For a migration, the version hashes of the destination model, by entity.
  public var destinationHashes: [String: PartialHash] = [:]
  /// Relationships that are named without their entity.
  public var relationships: [String] = []
  /// Statements that Core Data ran, each once.
  public var statements: [LoggedStatement] = []
  /// Tables, and columns as `TABLE.COLUMN`, that SQLite names.
  public var schemaNames: [String] = []
  /// Whether the text mentions SwiftData.
  public var isFromSwiftData = false
  /// Whether the text was longer than the limit and the rest was ignored.
  public var isCutOff = false

  /// No facts.
  public init() {}

  /// An error and its number.
  public struct Code: Sendable, Hashable {
    /// The domain the number belongs to.
    public var domain: KnownError.Domain
    /// The number.
    public var number: Int
    /// The line it was met in, counted from 1.
    public var line: Int
  }

  /// An entity, or a property of one.
  public struct Place: Sendable, Hashable {
    /// The entity.
    public var entity: String
    /// The attribute or relationship.
    public var property: String?

    /// "Note.title".
    public var text: String { [entity, property].compactMap(\.self).joined(separator: ".") }
  }

  /// `x-coredata://STORE/ENTITY/pKEY`.
  public struct ObjectURI: Sendable, Hashable {
    /// The store's identifier, `Z_UUID`.
    public var store: String
    /// The entity.
    public var entity: String
    /// `Z_PK`.
    public var primaryKey: Int64

    /// As it is printed.
    public var text: String { "x-coredata://\(store)/\(entity)/p\(primaryKey)" }
  }

  /// A version hash of which only the first and last bytes may be known: newer systems print no more.
  public struct PartialHash: Sendable, Equatable {
    /// Its first bytes; all of them if it is not abbreviated.
    public var first: [UInt8]
    /// Its last bytes; empty if it is not abbreviated.
    public var last: [UInt8]

    /// Whether the complete hash `hash` is consistent with it.
    public func mayBe(_ hash: [UInt8]) -> Bool {
      first.count + last.count <= hash.count && hash.starts(with: first) && hash.suffix(last.count).elementsEqual(last)
    }
  }

  /// Whether nothing was recognised.
  public var isEmpty: Bool {
    codes.isEmpty && reasons.isEmpty && places.isEmpty && objects.isEmpty && hashes.isEmpty && destinationHashes.isEmpty
      && schemaNames.isEmpty && relationships.isEmpty && statements.isEmpty
  }

  /// Whether apps that meet this text are known to delete the store.
  public var leadsToDeletion: Bool { reasons.contains(where: \.leadsToDeletion) }
}
