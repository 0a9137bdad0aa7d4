import StoreDiagnosis
import StoreFindings
import StoreInspection
import StoreTestSupport
import TestSupport
import Testing

/// The findings about values in real stores, and that there are no others, confirmed by SQL over the tables that
/// `inspect` names.
@Suite struct RealValuesSQLTests {
  @Test(arguments: Catalogue.stores)
  func everyCountIsThatOfAQuery(_ entry: Catalogue.Entry) throws {
    let store = try SQLStore(entry)
    let findings = try RealDiagnoses.of(entry).findings
    for entity in store.inspection.entities where !entity.isInternal {
      for attribute in entity.attributes where attribute.declaredBy == nil {
        for (id, condition) in conditions(attribute) {
          let query =
            "SELECT count(*) FROM \(entity.table) WHERE Z_ENT IN (\(store.kinds(entity))) AND (\(condition))"
          #expect(
            try store.count(query) == count(id, entity.name, attribute.name, findings),
            "\(id) \(entity.name).\(attribute.name): \(query)")
        }
      }
      for constraint in entity.uniquenessConstraints {
        let columns = constraint.compactMap { name in
          entity.attributes.first { $0.name == name }?.columns.first
            ?? entity.relationships.first { $0.name == name }?.column
        }
        try #require(columns.count == constraint.count)
        #expect(
          try store.count(duplicates(columns, entity.table))
            == count("SD502", entity.name, constraint.joined(separator: ","), findings))
      }
    }
  }

  private func count(_ id: String, _ entity: String, _ property: String, _ findings: [Finding]) -> Int64 {
    findings.first { $0.id == id && $0.entity == entity && $0.property == property }?.count ?? 0
  }

  /// The SQL conditions that correspond to the checks of an attribute's column.
  private func conditions(_ attribute: Inspection.Attribute) -> [(id: String, condition: String)] {
    guard attribute.columns.count == 1, let column = attribute.columns.first else { return [] }
    // An inferred model does not know which attributes are optional, nor which bytes are UUIDs.
    let isFromModel = attribute.certainty == nil
    var conditions: [(String, String)] = []
    if isFromModel && !attribute.isOptional { conditions.append(("SD501", "\(column) IS NULL")) }
    if let kinds = storageClasses[attribute.type] {
      let isNotANumber = attribute.type == "Decimal" ? " AND \(column) IS NOT 'NaN'" : ""
      conditions.append(("SD503", "typeof(\(column)) NOT IN ('null', \(kinds))\(isNotANumber)"))
    }
    if attribute.type == "UUID" && isFromModel {
      conditions.append(("SD505", "typeof(\(column)) = 'blob' AND length(\(column)) <> 16"))
    }
    if attribute.allowsExternalStorage {
      // None of the stores came with its support folder.
      let isReference = "length(\(column)) = 38 AND hex(\(column)) GLOB '02*00'"
      conditions.append(("SD601", "typeof(\(column)) = 'blob' AND \(isReference)"))
      conditions.append(
        ("SD603", "typeof(\(column)) = 'blob' AND hex(\(column)) NOT GLOB '01*' AND NOT (\(isReference))"))
    }
    return conditions
  }

  private let storageClasses = [
    "Integer 16": "'integer'", "Integer 32": "'integer'", "Integer 64": "'integer'", "Boolean": "'integer'",
    "Decimal": "'integer', 'real'", "Double": "'integer', 'real'", "Float": "'integer', 'real'",
    "Date": "'integer', 'real'", "String": "'text'", "URI": "'text'", "UUID": "'blob'", "Binary": "'blob'",
    "Transformable": "'blob'",
  ]

  /// Counts rows whose values all equal those of another row and are not NULL.
  private func duplicates(_ columns: [String], _ table: String) -> String {
    let list = columns.joined(separator: ", ")
    let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    return """
      SELECT ifnull(sum(n), 0) FROM (
        SELECT count(*) AS n FROM \(table) WHERE \(present) GROUP BY \(list) HAVING count(*) > 1)
      """
  }
}
