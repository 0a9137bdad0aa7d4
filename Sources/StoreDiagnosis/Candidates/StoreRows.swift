import StoreMigration
import StoreScanning
import StoreDataModel
import StoreCoreData

/// Answers conditions on the rows of a store from the single read of its tables.
///
/// All conditions follow from models and plans and are known before the read. `ask` registers them with the scan,
/// `confirm` compares the few rows that may be duplicates, and then they can be answered.
///
/// Names in conditions are those of the store's model; the layout gives the columns of a property, including numbered
/// columns and elements of composites.
final class StoreRows: RowFacts {
  let scan: Scan
  private var questions: [RowCondition: Question] = [:]
  private var answers: [RowCondition: [RowViolation]?] = [:]
  private var tests: [TestKey: RowTest] = [:]
  private(set) var duplicates: [DuplicateRows] = []
  /// Key columns by the relationship they belong to.
  private(set) lazy var keyColumns = Dictionary(
    scan.keyColumns().filter { !$0.place.isHidden }.map { ($0.place.relationship, $0) }
  ) { first, _ in first }
  /// To-many relationships, with where their links are stored.
  private(set) lazy var toManys = Dictionary(scan.toManys().map { ($0.relationship, $0) }) { first, _ in first }
  /// Many-to-many relationships, by either end.
  private(set) lazy var joins = Dictionary(
    scan.joinLinks().flatMap { [($0.place.source.relationship, $0), ($0.place.destination.relationship, $0)] }
  ) { first, _ in first }

  /// Evaluates a condition after the read; nil if it cannot be answered.
  typealias Question = () -> [RowViolation]?

  private struct TestKey: Hashable {
    var entity: EntityID
    var columns: [String]
    var kind: RowTest.Kind
  }

  init(_ scan: Scan) { self.scan = scan }

  /// Makes the scan collect what the conditions are about.
  func ask(_ conditions: some Sequence<RowCondition>) {
    for condition in conditions where questions[condition] == nil { questions[condition] = question(condition) }
  }

  /// Compares the rows with equal hashes.
  func confirm() throws {
    for rows in duplicates { try rows.confirm(scan.store.connection) }
  }

  func violations(of condition: RowCondition) -> [RowViolation]? {
    if let known = answers[condition] { return known }
    let answer = questions[condition]?()
    answers[condition] = .some(answer)
    return answer
  }

  // MARK: Questions

  private func question(_ condition: RowCondition) -> Question {
    switch condition {
    case .noRows(let entities): return rows(entities) { _ in true }
    case .atMostOneRow(let entities): return rows(entities) { $0 > 1 }
    case .noNulls(let entities, let property): return values(entities, property: property) { _ in .empty }
    case .noValues(let entities, let property):
      return isToMany(entities, property: property)
        ? linkCounts(entities, property: property) { $0 == 0 } : values(entities, property: property) { _ in .filled }
    case .numericFits(let entities, let property, let type):
      return values(entities, property: property) { _ in .misfits(type) }
    case .valid(let entities, let property, let validation):
      guard let bounds = ValueBounds(validation.attribute) else { return { nil } }
      return values(entities, property: property) { _ in .outOfBounds(bounds) }
    case .noDuplicates(let entity, let among, let properties, let nullsAreEqual):
      return duplicates(of: entity, among: among, by: properties, nullsAreEqual: nullsAreEqual)
    case .atMostOneLink(let entities, let property): return linkCounts(entities, property: property) { $0 <= 1 }
    case .linkCount(let entities, let property, let minimum, let maximum):
      return linkCounts(entities, property: property) { $0 >= minimum && (maximum <= 0 || $0 <= maximum) }
    case .linksWithin(let entities, let property, let destinations):
      return linksWithin(entities, property: property, destinations: destinations)
    case .noDanglingKeys(let entities, let property): return danglingKeys(entities, property: property)
    case .noOrphanedLinks(let entities, let property): return orphanedLinks(entities, property: property)
    }
  }

  // MARK: The rows of an entity

  /// An entity of a condition, with its layout and table.
  struct Subject {
    /// Its name in the store's model.
    var name: String
    var layout: EntityLayout
    var table: TableScan
  }

  /// Nil if one of them is not in the store.
  func subjects(_ names: [String]) -> [Subject]? {
    var found: [Subject] = []
    for name in names {
      guard let layout = scan.map.entity(named: name), let table = scan.table(layout.table) else { return nil }
      found.append(Subject(name: name, layout: layout, table: table))
    }
    return found
  }

  private func rows(_ names: [String], areTooMany: @escaping (Int) -> Bool) -> Question {
    guard let subjects = subjects(names) else { return { nil } }
    return { [limit = scan.exampleLimit] in
      guard subjects.allSatisfy({ $0.table.damage == nil }) else { return nil }
      let keys = subjects.map { ($0, $0.table.keys(of: [$0.layout.id])) }
      guard areTooMany(keys.reduce(0) { $0 + $1.1.count }) else { return [] }
      return keys.compactMap { $0.violation($1, limit: limit) }
    }
  }

  /// Rows for which a test holds, entity by entity.
  private func values(
    _ names: [String], property: String, kind: (EntityLayout) -> RowTest.Kind
  ) -> Question {
    guard let subjects = subjects(names) else { return { nil } }
    var tests: [(Subject, RowTest)] = []
    for subject in subjects {
      guard let columns = subject.layout.columns(of: property) else { return { nil } }
      // A property that is not stored has no values that could violate anything.
      guard !columns.isEmpty else { continue }
      tests.append((subject, test(subject, columns: columns, kind: kind(subject.layout))))
    }
    return {
      guard subjects.allSatisfy({ $0.table.damage == nil }) else { return nil }
      return tests.compactMap { subject, test in subject.violation(test.rows) }
    }
  }

  private func test(_ subject: Subject, columns: [String], kind: RowTest.Kind) -> RowTest {
    let key = TestKey(entity: subject.layout.id, columns: columns, kind: kind)
    if let known = tests[key] { return known }
    let test = scan.visit(subject.table, entities: [subject.layout.id], columns: columns) { indexes in
      RowTest(kind, indexes, limit: scan.exampleLimit)
    }
    tests[key] = test
    return test
  }

  private func duplicates(
    of entity: String, among: [String], by properties: [String], nullsAreEqual: Bool
  ) -> Question {
    guard let declarer = subjects([entity])?.first, let subjects = subjects(among),
      subjects.allSatisfy({ $0.layout.table == declarer.layout.table })
    else { return { nil } }
    let columns = properties.compactMap { declarer.layout.columns(of: $0) }
    guard columns.count == properties.count, columns.allSatisfy({ $0.count == 1 }) else { return { nil } }
    let found = scan.visit(declarer.table, entities: Set(subjects.map(\.layout.id)), columns: columns.flatMap(\.self)) {
      indexes in
      DuplicateRows(
        table: declarer.layout.table, columns: columns.flatMap(\.self), indexes: indexes, nullsAreEqual: nullsAreEqual)
    }
    duplicates.append(found)
    return { [limit = scan.exampleLimit] in
      guard declarer.table.damage == nil, let result = found.result else { return nil }
      guard !result.keys.isEmpty else { return [] }
      return [
        RowViolation(
          entity: entity, count: Int64(result.keys.count), keys: Array(result.keys.prefix(limit)), groups: result.groups
        )
      ]
    }
  }
}

extension StoreRows.Subject {
  /// A violation with these rows; nil if there are none.
  func violation(_ rows: RowTally) -> RowViolation? {
    rows.count == 0 ? nil : RowViolation(entity: name, count: rows.count, keys: rows.keys)
  }

  /// The same for a set of keys.
  func violation(_ keys: KeySet, limit: Int) -> RowViolation? {
    keys.isEmpty ? nil : RowViolation(entity: name, count: Int64(keys.count), keys: Array(keys.prefix(limit)))
  }
}

extension EntityLayout {
  /// The columns that hold a property in this entity's rows: one for each element of a composite, none for a property
  /// that is not stored; nil if a column is missing or the links are stored elsewhere.
  func columns(of property: String) -> [String]? {
    if let attribute = attributes.first(where: { $0.property.name == property }) {
      let names = attribute.columns.compactMap(\.name)
      return names.count == attribute.columns.count ? names : nil
    }
    switch relationships.first(where: { $0.name == property })?.storage {
    case .key(let column, _, _): return column.map { [$0] }
    case .some(.none): return []
    case .inverseKey, .hiddenKey, .joinTable, nil: return nil
    }
  }
}
