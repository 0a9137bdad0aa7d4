import StoreInspection
import StoreCoreData
import TestSupport
import Testing

/// The inspection of every store, bundled or real, matches its catalogue entry, without a list of exceptions.
@Suite struct RealStoresTests {
  @Test(.needsSharedData) func thereAreSixtyFive() {
    #expect(Catalogue.real.count == 65)
  }

  @Test func thereAreTenBundledOnes() {
    #expect(Catalogue.bundled.count == 10)
  }

  @Test(arguments: Catalogue.stores)
  func entitiesAndRowsEqualTheCatalogue(_ entry: Catalogue.Entry) throws {
    let inspection = try Inspections.of(entry)
    let numbers = Dictionary(uniqueKeysWithValues: entry.entities.map { ($0.name, $0.z_ent) })
    let found = inspection.entities.map { entity in
      "\(entity.number) \(entity.name) parent \(entity.parent.flatMap { numbers[$0] } ?? 0) "
        + "max \(entity.highWater ?? -99) rows \(entity.rows ?? -99)"
    }
    let expected = entry.entities.map {
      "\($0.z_ent) \($0.name) parent \($0.z_super) max \($0.z_max) rows \($0.rows)"
    }
    #expect(found == expected)
    let joins = Dictionary(uniqueKeysWithValues: inspection.joinTables.map { ($0.name, $0.rows ?? -99) })
    #expect(joins == entry.rows_by_join_table)
  }

  /// No page of a sound table is taken for a damaged one.
  @Test(arguments: Catalogue.stores)
  func everyPageAddsUp(_ entry: Catalogue.Entry) throws {
    let store = try Store(path: entry.path, options: Store.Options().watchingPages)
    for table in store.shape.tables.keys { _ = try store.count(table) }
    #expect(store.seenDamage.isEmpty && Reading(store).sound == .yes)
  }

  @Test(arguments: Catalogue.stores)
  func metadataEqualsTheCatalogue(_ entry: Catalogue.Entry) throws {
    let inspection = try Inspections.of(entry)
    #expect(inspection.metadata.frameworkVersion == entry.framework_version)
    #expect(inspection.metadata.keys == entry.metadata_keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(inspection.metadata.versionIdentifiers == entry.version_identifiers)
    #expect(inspection.metadata.uuid == entry.store_uuid)
    #expect(inspection.store.journalMode == entry.journal)
    #expect(inspection.metadata.hashes?.count == entry.entities.count { $0.z_ent < 16000 })
    if let history = entry.history_rows {
      #expect(inspection.history.transactions == history["ATRANSACTION"])
      #expect(inspection.history.changes == history["ACHANGE"])
    } else {
      #expect(!inspection.history.isPresent)
    }
  }

  @Test(arguments: Catalogue.stores)
  func everyCacheDecodesAndEveryHashIsEqual(_ entry: Catalogue.Entry) throws {
    let inspection = try Inspections.of(entry)
    let hasCache = !entry.features.contains("no-modelcache")
    #expect(inspection.model.source == (hasCache ? "cache" : "inferred"))
    #expect(inspection.model.hashesEqual == (hasCache ? true : nil))
    #expect(inspection.metadata.digestConsistent != false)
    #expect(inspection.metadata.checksumConsistent != false)
    if hasCache {
      for entity in inspection.entities where !entity.isInternal {
        #expect(entity.versionHash?.isEqual == true, "\(entity.name)")
      }
    }
  }

  @Test(.needsSharedData, arguments: Catalogue.real.filter { $0.numbered_columns != nil })
  func numberedColumnsEqualTheCatalogue(_ entry: Catalogue.Entry) throws {
    let inspection = try Inspections.of(entry)
    var numbered: [String] = []
    for entity in inspection.entities {
      for attribute in entity.attributes where attribute.declaredBy == nil {
        for column in attribute.columns where column != "Z" + attribute.name.uppercased() {
          numbered.append("\(entity.name).\(attribute.name)=\(column)")
        }
      }
      for relationship in entity.relationships where relationship.declaredBy == nil {
        guard !relationship.isToMany, !relationship.isTransient else { continue }
        let column = relationship.column ?? "missing"
        if column != "Z" + relationship.name.uppercased() {
          numbered.append("\(entity.name).\(relationship.name)=\(column)")
        }
      }
    }
    #expect(numbered.sorted() == (entry.numbered_columns ?? []).sorted())
  }

  @Test(arguments: Catalogue.stores)
  func everyPropertyHasItsColumns(_ entry: Catalogue.Entry) throws {
    let inspection = try Inspections.of(entry)
    for entity in inspection.entities {
      for attribute in entity.attributes { #expect(attribute.missing.isEmpty, "\(entity.name).\(attribute.name)") }
      for relationship in entity.relationships {
        #expect(
          relationship.column != nil || relationship.joinTable != nil
            || relationship.isTransient, "\(entity.name).\(relationship.name)")
      }
    }
  }

  @Test(arguments: Catalogue.stores)
  func nothingIsUnexplained(_ entry: Catalogue.Entry) throws {
    let inspection = try Inspections.of(entry)
    let expected =
      switch entry.slug {
      // The one row of ZARTWORK has the entity number of Collection, a defect that the catalogue lists too.
      case "energy--artsypartner-1.3-781b69":
        ["ZARTWORK 1 row has Z_ENT 3 (Collection), an entity of another table"]
      default: [String]()
      }
    let found = inspection.unexplained.map { item in
      [item.table, item.column, item.why].compactMap(\.self).joined(separator: " ")
    }
    #expect(found == expected)
  }

  @Test(.needsSharedData, arguments: Catalogue.realWithLogs.filter { $0.without_wal != nil })
  func withoutTheWALEqualsTheCatalogue(_ entry: Catalogue.Entry) throws {
    guard let expected = entry.without_wal else { return }
    do {
      let inspection = try inspect(path: entry.path, opening: Store.Options(ignoresWAL: true))
      #expect(inspection.objectCount == expected.entity_rows)
    } catch let error as StoreError {
      guard case .notCoreData(let tables, ignoresWAL: true) = error.problem else { throw error }
      #expect(tables.count == expected.tables && expected.tables == 0)
    }
  }

  @Test(.needsSharedData, arguments: Catalogue.realWithLogs.filter { $0.features.contains("wal") })
  func noRealWALIsTakenForAnothers(_ entry: Catalogue.Entry) throws {
    let wal = try Inspections.of(entry).store.wal
    #expect(wal?.belongsToStore != "no")
    #expect(wal?.isRead == true)
  }
}

/// Each store is inspected once for all tests.
private enum Inspections {
  private static let all = Dictionary(
    uniqueKeysWithValues: Catalogue.stores.map { entry in (entry.slug, Result { try inspect(path: entry.path) }) })

  static func of(_ entry: Catalogue.Entry) throws -> Inspection {
    try #require(all[entry.slug]).get()
  }
}
