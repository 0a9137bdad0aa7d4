/// The facts in a log, as people paste it, about a store that did not open.
///
/// The language of the sentences does not matter: domains, codes, keys and object identifiers are not translated.
package struct LogFacts: Sendable, Equatable {
  /// Errors with their numbers, in the order they occur, each once.
  package var codes: [Code] = []
  /// Known sentences, in the order they occur, each once.
  package var reasons: [KnownReason] = []
  /// Entities and properties that the text names as the ones concerned.
  package var places: [Place] = []
  /// Objects by their URI.
  package var objects: [ObjectURI] = []
  /// Version hashes by entity, complete or abbreviated; for a migration, those of the source model.
  package var hashes: [String: PartialHash] = [:]
  /// For a migration, the version hashes of the destination model, by entity.
  package var destinationHashes: [String: PartialHash] = [:]
  /// Relationships that are named without their entity.
  package var relationships: [String] = []
  /// Statements that Core Data ran, each once.
  package var statements: [LoggedStatement] = []
  /// Tables, and columns as `TABLE.COLUMN`, that SQLite names.
  package var schemaNames: [String] = []
  /// Whether the text mentions SwiftData.
  package var isFromSwiftData = false
  /// How many line breaks within entries were taken for those of a mail or a terminal, and the lines read as one.
  package var joinedLines = 0
  /// Whether the text was longer than the limit and the rest was ignored.
  package var isCutOff = false

  /// No facts.
  package init() {}

  /// An error and its number.
  package struct Code: Sendable, Hashable {
    /// The domain the number belongs to.
    package var domain: KnownError.Domain
    /// The number.
    package var number: Int
    /// The line it was met in, counted from 1.
    package var line: Int
  }

  /// An entity, or a property of one.
  package struct Place: Sendable, Hashable {
    /// The entity.
    package var entity: String
    /// The attribute or relationship.
    package var property: String?
    /// The first part of the entity's name, where a line break or dots cut it; then `entity` is that part, or what the
    /// parts make together.
    package var brokenEntity: String?

    /// "Note.title"; "WaySta... (broken off).title" where the rest of a name is not there.
    package var text: String {
      let name = brokenEntity == entity ? "\(entity)... (broken off)" : entity
      return [name, property].compactMap(\.self).joined(separator: ".")
    }
  }

  /// `x-coredata://STORE/ENTITY/pKEY`.
  package struct ObjectURI: Sendable, Hashable {
    /// The store's identifier, `Z_UUID`.
    package var store: String
    /// The entity.
    package var entity: String
    /// `Z_PK`.
    package var primaryKey: Int64

    /// As it is printed.
    package var text: String { "x-coredata://\(store)/\(entity)/p\(primaryKey)" }
  }

  /// A version hash of which only the first and last bytes may be known: newer systems print no more.
  package struct PartialHash: Sendable, Equatable {
    /// Its first bytes; all of them if it is not abbreviated.
    package var first: [UInt8]
    /// Its last bytes; empty if it is not abbreviated.
    package var last: [UInt8]

    /// Whether the complete hash `hash` is consistent with it.
    package func mayBe(_ hash: [UInt8]) -> Bool {
      first.count + last.count <= hash.count && hash.starts(with: first) && hash.suffix(last.count).elementsEqual(last)
    }
  }

  /// Whether nothing was recognised.
  package var isEmpty: Bool {
    codes.isEmpty && reasons.isEmpty && places.isEmpty && objects.isEmpty && hashes.isEmpty && destinationHashes.isEmpty
      && schemaNames.isEmpty && relationships.isEmpty && statements.isEmpty
  }

  /// Whether apps that meet this text are known to delete the store.
  package var leadsToDeletion: Bool { reasons.contains(where: \.leadsToDeletion) }
}
