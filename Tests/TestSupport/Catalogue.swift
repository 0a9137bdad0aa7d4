import Foundation
import Testing

/// `catalogue.json` of the real stores: what other tools found in each.
package struct Catalogue: Decodable {
  /// The stores, by slug.
  package var stores: [Entry]

  /// The entry of one store.
  package struct Entry: Decodable, Sendable, CustomTestStringConvertible {
    /// The folder's name.
    package var slug: String
    /// `NSPersistenceFrameworkVersion`.
    package var framework_version: Int64
    /// Every key of the metadata.
    package var metadata_keys: [String]
    /// `NSStoreModelVersionIdentifiers`.
    package var version_identifiers: [String]
    /// `Z_UUID`.
    package var store_uuid: String
    /// "wal" or "delete".
    package var journal: String
    /// Features of the store, by the catalogue's names.
    package var features: [String]
    /// `Z_PRIMARYKEY` with counts.
    package var entities: [Entity]
    /// Rows of each join table.
    package var rows_by_join_table: [String: Int64]
    /// Rows of the history tables.
    package var history_rows: [String: Int64]?
    /// "Entity.property=COLUMN" where the column carries a number.
    package var numbered_columns: [String]?
    /// What the main file shows without the WAL.
    package var without_wal: WithoutWAL?
    /// What was found wrong.
    package var defects: [Defect]
    /// The files of the store.
    package var files: [File]
    /// Rows of `Z_MODELCACHE`.
    package var modelcache_rows: Int?
    /// The folder of a bundled store, in the project; nil for a real one.
    package var folder: String?

    /// A row of `Z_PRIMARYKEY` with its count.
    package struct Entity: Decodable, Sendable {
      /// `Z_ENT`.
      package var z_ent: Int64
      /// The name in `Z_PRIMARYKEY`.
      package var name: String
      /// `Z_SUPER`.
      package var z_super: Int64
      /// `Z_MAX`.
      package var z_max: Int64
      /// Rows with this number.
      package var rows: Int64
    }

    /// A defect of the store, by the catalogue's own names.
    package struct Defect: Decodable, Sendable {
      /// "null-in-required".
      package var kind: String
      /// The entity it is at.
      package var entity: String?
      /// The relationship.
      package var rel: String?
      /// The attribute.
      package var attr: String?
      /// The table.
      package var table: String?
      /// How many rows.
      package var rows: Int64?
      /// Names that are in the hashes only, of `hashes-vs-primarykey`.
      package var only_hashes: [String]?
      /// Names that are in `Z_PRIMARYKEY` only.
      package var only_pk: [String]?
    }

    /// What a reader sees that ignores the WAL.
    package struct WithoutWAL: Decodable, Sendable {
      /// Number of tables.
      package var tables: Int
      /// Rows of all entities.
      package var entity_rows: Int64
    }

    /// One file.
    package struct File: Decodable, Sendable {
      /// The file's name.
      package var name: String
      /// 64 hex digits.
      package var sha256: String
    }

    /// The name shown for a test of this store.
    package var testDescription: String { slug }

    /// Whether all files that the catalogue lists are there. A program that opens a store and writes merges its log into the
    /// main file and removes it; what the catalogue says of the log cannot be asked of such a store.
    package var isWhole: Bool {
      let folder = self.folder.map { Project.path($0) } ?? SharedData.path("corpus-real/\(slug)")
      return files.map(\.name).allSatisfy { name in
        name.hasSuffix("-shm") || FileManager.default.fileExists(atPath: "\(folder)/\(name)")
      }
    }

    /// The main file in its place. Of a real store only storedoctor may read it, since others would change access times.
    package var path: String {
      let main = files.map(\.name).first { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } ?? ""
      return folder.map { Project.path("\($0)/\(main)") } ?? SharedData.path("corpus-real/\(slug)/\(main)")
    }
  }

  /// The real stores; none if the shared data is missing.
  package static let real: [Entry] = {
    guard let folder = SharedData.folder,
      let data = FileManager.default.contents(atPath: folder + "/corpus-real/catalogue.json"),
      let catalogue = try? JSONDecoder().decode(Catalogue.self, from: data)
    else { return [] }
    return catalogue.stores
  }()

  /// The real stores whose log is where the catalogue saw it.
  package static let realWithLogs: [Entry] = real.filter { $0.isWhole }

  /// Those of the lines of a table, each of which begins with a store's name, that are of stores with their log.
  package static func withoutLostLogs(_ lines: [String]) -> [String] {
    let lost = real.filter { !$0.isWhole }.map { "\($0.slug) " }
    return lines.filter { line in !lost.contains { line.hasPrefix($0) } }
  }

  /// The stores of `corpus/`, by `scripts/make-catalogue`: what a plain clone has for tests that read any store.
  package static let bundled: [Entry] = {
    guard let data = FileManager.default.contents(atPath: Project.path("Tests/Expectations/bundled-stores.json")),
      let catalogue = try? JSONDecoder().decode(Catalogue.self, from: data)
    else { return [] }
    return catalogue.stores
  }()

  /// The bundled stores, and the real ones where they are.
  package static let stores = bundled + real
}
