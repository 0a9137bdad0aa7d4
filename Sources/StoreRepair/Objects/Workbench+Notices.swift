import StoreScanning
import StoreText
import StoreWords
import StoreDataModel
import StoreCoreData
import StoreSQLite

extension Workbench {
  /// Says how many external data files the deleted objects leave beside the store.
  func notices(ofFilesIn gone: [String: KeySet]) throws -> [String] {
    var count = 0
    for place in AttributePlace.places(in: store.layout).places
    where place.leaf.attribute?.allowsExternalStorage == true {
      guard let keys = gone[place.table], !keys.isEmpty else { continue }
      count += try fileReferences(in: place.column, of: place.table, keys)
    }
    return filesNotice(count).map { [$0] } ?? []
  }

  /// The notice about external files that no row references any more; nil for none.
  func filesNotice(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    return "\(counted(count, "file")) of deleted objects \(count == 1 ? "stays" : "stay") beside the store; "
      + "the repair 'external-files' moves \(count == 1 ? "it" : "them") aside"
  }

  private func fileReferences(in column: String, of table: String, _ keys: KeySet) throws -> Int {
    let (table, column) = (quotedIdentifier(table), quotedIdentifier(column))
    // A reference to an external file has 38 bytes and starts with 2.
    let rows = try connection.prepare(
      "SELECT Z_PK FROM \(table) WHERE typeof(\(column)) = 'blob' AND length(\(column)) = 38 "
        + "AND substr(\(column), 1, 1) = x'02'")
    var count = 0
    while try rows.step() { if keys.contains(rows.int64(0)) { count += 1 } }
    return count
  }

  /// Derived attributes that the operations may make stale, because no trigger updates them.
  func notices(ofDerived operations: [Operation]) -> [String] {
    let changed = Set(
      operations.compactMap { operation in
        if case .rows(let edit) = operation.edit { edit.table } else { nil }
      })
    let names = Set(
      store.layout.entities.flatMap { entity in
        entity.attributes.filter { $0.property.attribute?.derivation != nil && reaches(changed, from: entity) }
          .filter { attribute in !hasTrigger(for: attribute, of: entity) }
          .map { "\($0.declaredBy).\($0.property.name)" }
      })
    return names.sorted(by: codeUnitsPrecede).map {
      "\(quoted($0)) may be stale: it is derived, and the store has no trigger that keeps it"
    }
  }

  private func reaches(_ tables: Set<String>, from entity: EntityLayout) -> Bool {
    tables.contains(entity.table)
      || entity.relationships.contains { relationship in
        if case .joinTable(let name?) = relationship.storage, tables.contains(name) { return true }
        return relationship.destination.flatMap(map.entity(named:)).map { tables.contains($0.table) } ?? false
      }
  }

  /// Whether a trigger keeps a derived attribute; Core Data names them `Z_DA_<TABLE>_<Entity>_<attribute>_…`.
  private func hasTrigger(for attribute: AttributeLayout, of entity: EntityLayout) -> Bool {
    let names = Set([attribute.declaredBy, entity.name, entity.modelName ?? entity.name])
    return store.shape.triggers.contains { trigger in
      trigger.name.hasPrefix("Z_DA_") && names.contains { trigger.name.contains("_\($0)_\(attribute.property.name)_") }
    }
  }
}
