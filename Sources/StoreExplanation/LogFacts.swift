/// What a log, as people paste it, says about a store that did not open.
///
/// Whatever language the sentences are in: domains, codes, keys and object identifiers are not translated.
public struct LogFacts: Sendable, Equatable {
  /// Errors with their numbers, in the order they are met, each once.
  public var codes: [Code] = []
  /// Sentences that are known, in the order they are met, each once.
  public var reasons: [KnownReason] = []
  /// Entities and properties that the text names as the ones concerned.
  public var places: [Place] = []
  /// Objects by their URI.
  public var objects: [ObjectURI] = []
  /// Version hashes by entity, whole or abbreviated; of a migration those of the model it starts from.
  public var hashes: [String: PartialHash] = [:]
  /// Version hashes of the model that a migration leads to, by entity.
  public var destinationHashes: [String: PartialHash] = [:]
  /// Relationships that are named without their entity.
  public var relationships: [String] = []
  /// Statements that Core Data ran, each once.
  public var statements: [LoggedStatement] = []
  /// Tables, and columns as `TABLE.COLUMN`, that SQLite names.
  public var schemaNames: [String] = []
  /// Whether the app's models are SwiftData's, as far as the text says.
  public var isFromSwiftData = false
  /// Whether the text was longer than is read.
  public var isCutOff = false

  /// Nothing yet.
  public init() {}

  /// An error and its number.
  public struct Code: Sendable, Hashable {
    /// Who counts.
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

  /// A version hash of which the first and the last bytes are known: newer systems print no more.
  public struct PartialHash: Sendable, Equatable {
    /// Its first bytes; all of them where it is not abbreviated.
    public var first: [UInt8]
    /// Its last bytes; empty where it is not abbreviated.
    public var last: [UInt8]

    /// Whether a hash can be this one.
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
