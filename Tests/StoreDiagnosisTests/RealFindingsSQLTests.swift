import StoreDiagnosis
import StoreFindings
import StoreInspection
import StoreCoreData
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// Each finding about relationships is confirmed by SQL that works in another way: by joins and sub-selects over the
/// tables that `inspect` names, where the checks look keys up in sets.
@Suite struct RealFindingsSQLTests {
  @Test(arguments: Catalogue.stores)
  func everyCountIsThatOfAQuery(_ entry: Catalogue.Entry) throws {
    let store = try SQLStore(entry)
    let findings = try RealDiagnoses.of(entry).findings
    for orphans in findings where orphans.id == "SD410" {
      #expect(orphans.entities.values.reduce(0, +) == orphans.count)
      for (name, count) in orphans.entities {
        let query = try #require(store.orphans(name))
        #expect(try store.count(query) == count, "\(query)")
      }
    }
    for finding in findings where finding.id.hasPrefix("SD4") && finding.id != "SD410" {
      let query = try #require(store.query(finding), "\(finding.id) \(finding.entity ?? "").\(finding.property ?? "")")
      #expect(try store.count(query) == finding.count, "\(query)")
    }
  }

  /// Where a relationship has no finding, the query finds no row.
  @Test(arguments: Catalogue.stores)
  func whatIsNotFoundIsNotThere(_ entry: Catalogue.Entry) throws {
    let store = try SQLStore(entry)
    let diagnosis = try RealDiagnoses.of(entry)
    for entity in store.inspection.entities where !entity.isInternal {
      for relationship in entity.relationships where relationship.declaredBy == nil {
        for id in ["SD401", "SD402", "SD404", "SD405", "SD406"] {
          let found = diagnosis.findings.filter {
            $0.id == id && $0.entity == entity.name && $0.property == relationship.name
          }
          // A finding about a join table is at the end that names the table.
          let foundInTable = diagnosis.findings.filter { $0.id == id && $0.table == relationship.joinTable }
          guard found.isEmpty, foundInTable.isEmpty, let query = store.query(id, entity, relationship) else { continue }
          #expect(try store.count(query) == 0, "\(id) \(entity.name).\(relationship.name): \(query)")
        }
      }
    }
  }
}

/// Tables and columns that are called missing, or left over, are so by the schema alone; and every table of links is
/// mapped, with its rows.
@Suite struct RealTablesSQLTests {
  @Test(arguments: Catalogue.stores)
  func everyTableOfLinksIsMapped(_ entry: Catalogue.Entry) throws {
    let store = try SQLStore(entry)
    let diagnosis = try RealDiagnoses.of(entry)
    for finding in diagnosis.findings where ["SD303", "SD304"].contains(finding.id) {
      let table = try #require(finding.table)
      let named = "FROM sqlite_master WHERE type = 'table' AND name = '\(table)'"
      guard finding.id == "SD303" else {
        #expect(try store.count("SELECT count(*) \(named)") == 0)
        continue
      }
      // No property of that name, with a number before or behind it or without.
      let names = store.inspection.entities.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
      for case .text(let column)? in finding.examples.map({ $0.facts["column"] ?? nil }) {
        #expect(!names.contains { column.contains($0.uppercased()) }, "\(table).\(column)")
      }
    }
    let tables = "sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'"
    #expect(try store.count("SELECT count(*) FROM \(tables)") == Int64(store.inspection.joinTables.count))
    for join in store.inspection.joinTables {
      #expect(try store.count("SELECT count(*) FROM \(join.name)") == join.rows)
    }
  }
}

/// A real store, and the queries that confirm its findings.
struct SQLStore {
  let inspection: Inspection
  private let connection: Connection

  init(_ entry: Catalogue.Entry) throws {
    inspection = try inspect(path: entry.path)
    connection = try Connection(reading: DatabaseFiles(path: entry.path))
  }

  func count(_ query: String) throws -> Int64 {
    let rows = try connection.prepare(query)
    return try rows.step() ? rows.int64(0) : -1
  }

  func query(_ finding: Finding) -> String? {
    guard let entity = entity(finding.entity) else { return nil }
    guard let relationship = entity.relationships.first(where: { $0.name == finding.property }) else { return nil }
    return query(finding.id, entity, relationship)
  }

  func query(_ id: String, _ entity: Inspection.Entity, _ relationship: Inspection.Relationship) -> String? {
    switch id {
    case "SD401": dangling(entity, relationship)
    case "SD402": wrongEntity(entity, relationship)
    case "SD404": orphanedLinks(relationship)
    case "SD405": unmirrored(relationship)
    case "SD406": oneSided(entity, relationship)
    case "SD407": missing(entity, relationship)
    default: nil
    }
  }

  // MARK: Queries

  private func dangling(_ entity: Inspection.Entity, _ relationship: Inspection.Relationship) -> String? {
    guard let column = relationship.column, !relationship.isToMany, let target = self.entity(relationship.destination)
    else { return nil }
    return """
      SELECT count(*) FROM \(entity.table) WHERE Z_ENT IN (\(kinds(entity))) AND \(column) IS NOT NULL
        AND \(column) NOT IN (SELECT Z_PK FROM \(target.table))
      """
  }

  /// Without target rows whose entity belongs to another table, which SD210 reports.
  private func wrongEntity(_ entity: Inspection.Entity, _ relationship: Inspection.Relationship) -> String? {
    guard let column = relationship.column, !relationship.isToMany, let target = self.entity(relationship.destination)
    else { return nil }
    let home = inspection.entities.filter { $0.table == target.table }.map { "\($0.number)" }.joined(separator: ",")
    return """
      SELECT count(*) FROM \(entity.table) a JOIN \(target.table) b ON b.Z_PK = a.\(column)
        WHERE a.Z_ENT IN (\(kinds(entity))) AND b.Z_ENT NOT IN (\(kinds(target))) AND b.Z_ENT IN (\(home))
      """
  }

  private func orphanedLinks(_ relationship: Inspection.Relationship) -> String? {
    guard let join = join(relationship), let source = entity(join.source.entity),
      let destination = entity(join.destination.entity)
    else { return nil }
    return """
      SELECT count(*) FROM \(join.name) AS j
        LEFT JOIN \(source.table) AS a ON a.Z_PK = j.\(join.source.column)
        LEFT JOIN \(destination.table) AS b ON b.Z_PK = j.\(join.destination.column)
        WHERE a.Z_PK IS NULL OR b.Z_PK IS NULL
      """
  }

  private func unmirrored(_ relationship: Inspection.Relationship) -> String? {
    guard let join = join(relationship), join.source.relationship == join.destination.relationship,
      let entity = entity(join.source.entity)
    else { return nil }
    let (a, b) = (join.source.column, join.destination.column)
    return """
      SELECT count(*) FROM \(join.name) AS j JOIN \(entity.table) AS x ON x.Z_PK = j.\(a)
        JOIN \(entity.table) AS y ON y.Z_PK = j.\(b)
        WHERE NOT EXISTS (SELECT 1 FROM \(join.name) AS m WHERE m.\(a) = j.\(b) AND m.\(b) = j.\(a))
      """
  }

  private func oneSided(_ entity: Inspection.Entity, _ relationship: Inspection.Relationship) -> String? {
    guard let column = relationship.column, !relationship.isToMany, let target = self.entity(relationship.destination),
      let inverse = target.relationships.first(where: { $0.name == relationship.inverse }), !inverse.isToMany,
      let back = inverse.column
    else { return nil }
    return """
      SELECT count(*) FROM \(entity.table) a JOIN \(target.table) b ON b.Z_PK = a.\(column)
        WHERE a.Z_ENT IN (\(kinds(entity))) AND b.Z_ENT IN (\(kinds(target))) AND b.\(back) IS NOT a.Z_PK
      """
  }

  private func missing(_ entity: Inspection.Entity, _ relationship: Inspection.Relationship) -> String? {
    let rows = "SELECT count(*) FROM \(entity.table) o WHERE o.Z_ENT IN (\(kinds(entity)))"
    if let join = join(relationship) {
      let isSource = join.source.relationship == relationship.name && join.source.entity == entity.name
      let (own, other) = isSource ? (join.source, join.destination) : (join.destination, join.source)
      guard let target = self.entity(other.entity) else { return nil }
      return rows
        + " AND NOT EXISTS (SELECT 1 FROM \(join.name) j JOIN \(target.table) t ON t.Z_PK = j.\(other.column)"
        + " WHERE j.\(own.column) = o.Z_PK)"
    }
    guard let column = relationship.column else { return nil }
    guard relationship.isToMany, let table = relationship.table, let target = self.entity(relationship.destination)
    else { return rows + " AND o.\(column) IS NULL" }
    return rows
      + " AND NOT EXISTS (SELECT 1 FROM \(table) t WHERE t.\(column) = o.Z_PK AND t.Z_ENT IN (\(kinds(target))))"
  }

  /// Rows that no cascading relationship of the model leads to, but for those of entities that have more such rows than
  /// others.
  func orphans(_ name: String) -> String? {
    guard let entity = entity(name), let all = unowned(entity) else { return nil }
    let ends = "o.Z_ENT IN (\(kinds(entity)))"
    let few = """
      o.Z_ENT IN (SELECT o.Z_ENT FROM \(entity.table) o WHERE \(ends) GROUP BY o.Z_ENT
        HAVING 2 * count(CASE WHEN \(all) THEN 1 END) <= count(*))
      """
    return "SELECT count(*) FROM \(entity.table) o WHERE \(ends) AND \(all) AND \(few)"
  }

  private func unowned(_ entity: Inspection.Entity) -> String? {
    guard let model = try? Store(path: inspection.store.path).model else { return nil }
    let name = entity.modelName ?? entity.name
    var conditions: [String] = []
    for owner in inspection.entities where !owner.isInternal {
      for relationship in owner.relationships where relationship.declaredBy == nil {
        guard let described = model.property(relationship.name, of: owner.modelName ?? owner.name)?.relationship,
          described.deleteRule == .cascade,
          model.entity(described.destination, isKindOf: name) || model.entity(name, isKindOf: described.destination)
        else { continue }
        conditions += ownership(relationship, owner)
      }
    }
    return conditions.map { "NOT EXISTS (SELECT 1 FROM \($0))" }.joined(separator: " AND ")
  }

  private func ownership(_ relationship: Inspection.Relationship, _ owner: Inspection.Entity) -> [String] {
    if let join = join(relationship) {
      let isSource = join.source.relationship == relationship.name && join.source.entity == owner.name
      let (own, other) = isSource ? (join.source, join.destination) : (join.destination, join.source)
      return ["\(join.name) j JOIN \(owner.table) w ON w.Z_PK = j.\(own.column) WHERE j.\(other.column) = o.Z_PK"]
    }
    guard let column = relationship.column else { return [] }
    if relationship.isToMany { return ["\(owner.table) w WHERE w.Z_PK = o.\(column)"] }
    let inverse = entity(relationship.destination)?.relationships.first {
      $0.name == relationship.inverse && !$0.isToMany
    }
    return ["\(owner.table) w WHERE w.\(column) = o.Z_PK"]
      + (inverse?.column.map { ["\(owner.table) w WHERE w.Z_PK = o.\($0)"] } ?? [])
  }

  // MARK: Facts

  private func entity(_ name: String?) -> Inspection.Entity? {
    inspection.entities.first { $0.name == name } ?? inspection.entities.first { $0.modelName == name && name != nil }
  }

  private func join(_ relationship: Inspection.Relationship) -> Inspection.JoinTable? {
    inspection.joinTables.first { $0.name == relationship.joinTable }
  }

  /// The numbers of an entity and its subentities.
  func kinds(_ entity: Inspection.Entity) -> String {
    var names = [entity.name]
    var numbers = [entity.number]
    while let next = names.popLast() {
      for child in inspection.entities where child.parent == next {
        names.append(child.name)
        numbers.append(child.number)
      }
    }
    return numbers.map(String.init).joined(separator: ",")
  }
}
