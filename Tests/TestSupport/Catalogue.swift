import Foundation
import Testing

/// `catalogue.json` of the real stores: what other tools found in each.
public struct Catalogue: Decodable {
  /// The stores, by slug.
  public var stores: [Entry]

  /// The entry of one store.
  public struct Entry: Decodable, Sendable, CustomTestStringConvertible {
    /// The folder's name.
    public var slug: String
    /// `NSPersistenceFrameworkVersion`.
    public var framework_version: Int64
    /// Every key of the metadata.
    public var metadata_keys: [String]
    /// `NSStoreModelVersionIdentifiers`.
    public var version_identifiers: [String]
    /// `Z_UUID`.
    public var store_uuid: String
    /// "wal" or "delete".
    public var journal: String
    /// Features of the store, by the catalogue's names.
    public var features: [String]
    /// `Z_PRIMARYKEY` with counts.
    public var entities: [Entity]
    /// Rows of each join table.
    public var rows_by_join_table: [String: Int64]
    /// Rows of the history tables.
    public var history_rows: [String: Int64]?
    /// "Entity.property=COLUMN" where the column carries a number.
    public var numbered_columns: [String]?
    /// What the main file shows without the WAL.
    public var without_wal: WithoutWAL?
    /// What was found wrong.
    public var defects: [Defect]
    /// The files of the store.
    public var files: [File]
    /// Rows of `Z_MODELCACHE`.
    public var modelcache_rows: Int?
    /// The folder of a bundled store, in the project; nil for a real one.
    public var folder: String?

    /// A row of `Z_PRIMARYKEY` with its count.
    public struct Entity: Decodable, Sendable {
      /// `Z_ENT`.
      public var z_ent: Int64
      /// The name in `Z_PRIMARYKEY`.
      public var name: String
      /// `Z_SUPER`.
      public var z_super: Int64
      /// `Z_MAX`.
      public var z_max: Int64
      /// Rows with this number.
      public var rows: Int64
    }

    /// A defect of the store, by the catalogue's own names.
    public struct Defect: Decodable, Sendable {
      /// "null-in-required".
      public var kind: String
      /// The entity it is at.
      public var entity: String?
      /// The relationship.
      public var rel: String?
      /// The attribute.
      public var attr: String?
      /// The table.
      public var table: String?
      /// How many rows.
      public var rows: Int64?
      /// Names that are in the hashes only, of `hashes-vs-primarykey`.
      public var only_hashes: [String]?
      /// Names that are in `Z_PRIMARYKEY` only.
      public var only_pk: [String]?
    }

    /// What a reader sees that ignores the WAL.
    public struct WithoutWAL: Decodable, Sendable {
      /// Number of tables.
      public var tables: Int
      /// Rows of all entities.
      public var entity_rows: Int64
    }

    /// One file.
    public struct File: Decodable, Sendable {
      /// The file's name.
      public var name: String
      /// 64 hex digits.
      public var sha256: String
    }

    /// The name shown for a test of this store.
    public var testDescription: String { slug }

    /// The main file in its place. Of a real store only storedoctor may read it, since others would change access times.
    public var path: String {
      let main = files.map(\.name).first { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } ?? ""
      return folder.map { Project.path("\($0)/\(main)") } ?? SharedData.path("corpus-real/\(slug)/\(main)")
    }
  }

  /// The real stores; none if the shared data is missing.
  public static let real: [Entry] = {
    guard let folder = SharedData.folder,
      let data = FileManager.default.contents(atPath: folder + "/corpus-real/catalogue.json"),
      let catalogue = try? JSONDecoder().decode(Catalogue.self, from: data)
    else { return [] }
    return catalogue.stores
  }()

  /// The stores of `corpus/`, by `scripts/make-catalogue`: what a plain clone has for tests that read any store.
  public static let bundled: [Entry] = {
    guard let data = FileManager.default.contents(atPath: Project.path("Tests/Expectations/bundled-stores.json")),
      let catalogue = try? JSONDecoder().decode(Catalogue.self, from: data)
    else { return [] }
    return catalogue.stores
  }()

  /// The bundled stores, and the real ones where they are.
  public static let stores = bundled + real
}
