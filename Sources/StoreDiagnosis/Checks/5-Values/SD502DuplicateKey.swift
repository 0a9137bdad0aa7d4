import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData
import StoreSQLite

extension Check {
  package static let duplicateKey = Check(
    .duplicateKey, "duplicate-key", .error, traits: [.rows, .standingRule],
    summary: "Several rows have the same values where the model wants them to be unique.",
    explanation: """
      ## What it looks for
      Rows that are equal in all properties of a uniqueness constraint of the model, or of one asked for with `--unique`
      (a warning then). They are compared as SQLite's index does: a row with a NULL equals no other, 1 equals 1.0, and
      all rows of the table count that have the column, siblings of the entity included. How many rows would be equal
      without white space at the ends, without case, and without regard to the Unicode form is said beside it. Of a
      store that CloudKit mirrors the examples say what its tables and its history know of each row: whether it came by an
      import or was made here, and whether it has a record on the server.

      ## Why it matters
      With its index in place SQLite lets no such row in, so the index is missing, damaged or new. A migration that adds
      the constraint fails with 134110 and "constraint violation during attempted migration"; a save fails with 1551, or
      133021 when a merge cannot solve it.

      ## Example
      `Folder.name` is unique, and rows 2 and 9 of `ZFOLDER` both have "Work".

      ## What can be done
      The repair `dedupe` keeps one row of each group and merges, deletes or renames the others. In a mirrored store two
      rows with records are two records, which nobody merges: the one that goes has to be deleted by the app, or it comes
      back. `rows --cloudkit` shows the record of each.
      """,
    lookAtSubject: { check, subject in
      let keys = uniqueKeys(subject.scan, asked: subject.options.unique)
      let twins = keys.isEmpty ? nil : Twins(subject.scan, mirror: subject.mirror)
      return {
        try keys.compactMap { key, rows in
          try duplicateFinding(check, of: key, rows: rows, twins: twins, scan: subject.scan)
        }
      }
    })
}

/// Properties that must be unique together, and their entity.
private struct StoredKey {
  var entity: EntityLayout
  var properties: [String]
  /// Whether the user asked for it; otherwise it is in the model.
  var isAskedFor: Bool

  var name: String { properties.joined(separator: ",") }
}

private func uniqueKeys(_ scan: Scan, asked: [UniqueKey]) -> [(StoredKey, DuplicateKeys)] {
  if scan.store.model == nil { scan.skip("without a model nobody knows what has to be unique") }
  var seen: Set<UniqueKey> = []
  let stated = scan.store.layout.entities.filter { !$0.id.isInternal }.flatMap { entity in
    entity.uniquenessConstraints.map { StoredKey(entity: entity, properties: $0, isAskedFor: false) }
  }
  let asked = asked.compactMap { key in
    scan.map.entity(named: key.entity).map { StoredKey(entity: $0, properties: key.properties, isAskedFor: true) }
  }
  return (stated + asked).filter { seen.insert(UniqueKey(entity: $0.entity.name, properties: $0.properties)).inserted }
    .compactMap { key in visitor(key, in: scan).map { (key, $0) } }
}

private func visitor(_ key: StoredKey, in scan: Scan) -> DuplicateKeys? {
  let known = key.entity.uniqueColumns
  let columns = key.properties.compactMap { known[$0] }
  guard columns.count == key.properties.count, !columns.isEmpty else {
    scan.skip(["\(key.entity.name).\(key.name)"], reason: "not looked at, because no column is known for it")
    return nil
  }
  guard let table = scan.table(key.entity.table) else { return nil }
  return scan.visit(table, entities: nil, columns: columns) {
    DuplicateKeys(table: table, columns: columns, indexes: $0)
  }
}

private func duplicateFinding(
  _ check: Check, of key: StoredKey, rows: DuplicateKeys, twins: Twins?, scan: Scan
) throws -> Finding? {
  let found: Duplicates
  do {
    found = try rows.duplicates(scan.store.connection, exampleLimit: scan.exampleLimit)
  } catch {
    if error.endsReading { throw error }
    scan.skip("rows of table \(quoted(key.entity.table)) cannot be read again: \(error.message)")
    return nil
  }
  // Rows that are only similar are normal, but worth a note if the user asked for the key.
  let count = found[.exact] > 0 || !key.isAskedFor ? found[.exact] : found[.normalized]
  guard count > 0 else { return nil }
  let severity: Severity =
    if !key.isAskedFor { .error } else if found[.exact] > 0 { .warning } else { .note }
  let comparison = found[.exact] > 0 ? "" : ", compare: normalized"
  let examples = try found.examples.map { example in
    var facts: [String: Finding.Fact?] = ["first": .number(example.first)]
    if let twins { facts.merge(try twins.facts(of: example.row, in: key.entity.table)) { first, _ in first } }
    return Finding.Example(example.row, facts)
  }
  return Finding(
    id: check.id, name: check.name, severity: severity, entity: key.entity.name, table: key.entity.table,
    property: key.name, count: count, examples: examples,
    message: message(key, found: found, rowsWithNull: rows.rowsWithNull) + Twins.words(examples),
    blocks: [1551, 133021, 134111],
    remedies: [
      .init(
        "dedupe: [{entity: \(recipeName(key.entity.name)), by: [\(key.properties.map(recipeName).joined(separator: ", "))]"
          + "\(comparison)}]")
    ],
    basis: .observed)
}

private func message(_ key: StoredKey, found: Duplicates, rowsWithNull: Int64) -> String {
  let place = "\(quoted("\(key.entity.name).\(key.name)"))"
  var parts = [
    found[.exact] == 0
      ? "no two rows are equal in \(place)"
      : "\(counted(found[.exact], "row")) of \(key.entity.table) \(found[.exact] == 1 ? "has" : "have") "
        + "\(counted(found.groups, "value")) of \(place) in common"
  ]
  let variants = [
    (KeyComparison.trimmed, KeyComparison.exact, "without white space at the ends"),
    (.casefolded, .trimmed, "without case"), (.normalized, .casefolded, "in one Unicode form"),
  ]
  for (comparison, before, words) in variants where found[comparison] > found[before] {
    parts.append("\(found[comparison] - found[before]) more would be equal \(words)")
  }
  if rowsWithNull > 0 {
    parts.append("\(counted(rowsWithNull, "row")) with NULL \(rowsWithNull == 1 ? "equals" : "equal") no other")
  }
  return parts.joined(separator: "; ")
}
