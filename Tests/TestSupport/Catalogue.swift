import Foundation
import Testing

/// `catalogue.json` of the real stores: what other tools and people found in each.
public struct Catalogue: Decodable {
  /// The stores, by slug.
  public var stores: [Entry]

  /// What is known of one store.
  public struct Entry: Decodable, Sendable, CustomTestStringConvertible {
    public var slug: String
    public var framework_version: Int64
    public var metadata_keys: [String]
    public var version_identifiers: [String]
    public var store_uuid: String
    public var journal: String
    public var features: [String]
    public var entities: [Entity]
    public var rows_by_join_table: [String: Int64]
    public var history_rows: [String: Int64]?
    public var numbered_columns: [String]?
    public var without_wal: WithoutWAL?
    public var files: [File]
    public var modelcache_rows: Int?

    /// A row of `Z_PRIMARYKEY` with its count.
    public struct Entity: Decodable, Sendable {
      public var z_ent: Int64
      public var name: String
      public var z_super: Int64
      public var z_max: Int64
      public var rows: Int64
    }

    /// What a reader sees who forgets the WAL.
    public struct WithoutWAL: Decodable, Sendable {
      public var tables: Int
      public var entity_rows: Int64
    }

    /// One file.
    public struct File: Decodable, Sendable {
      public var name: String
      public var sha256: String
    }

    /// The name shown for a test of this store.
    public var testDescription: String { slug }

    /// The main file, in place: to be read by storedoctor only.
    public var path: String {
      let main = files.map(\.name).first { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } ?? ""
      return SharedData.path("corpus-real/\(slug)/\(main)")
    }
  }

  /// The real stores; none where the ground truth is absent.
  public static let real: [Entry] = {
    guard let folder = SharedData.folder,
      let data = FileManager.default.contents(atPath: folder + "/corpus-real/catalogue.json"),
      let catalogue = try? JSONDecoder().decode(Catalogue.self, from: data)
    else { return [] }
    return catalogue.stores
  }()
}
