import StoreCoreData
import StoreFindings
import StoreScanning

// Messages are autoclosures, so they are only built if there is a finding: most columns of most stores have none.

extension Check {
  /// A finding at a relationship; nil if no row is affected.
  func finding(
    of relationship: StoredRelationship, table: String, rows: ExampleTally, message: @autoclosure () -> String,
    blocks: [Int] = [], remedies: @autoclosure () -> [Finding.Remedy] = []
  ) -> Finding? {
    guard rows.count > 0 else { return nil }
    return Finding(
      id: id, name: name, severity: severity, entity: relationship.owner.name, table: table,
      property: relationship.layout.name, count: rows.count, examples: rows.examples, message: message(),
      blocks: blocks,
      remedies: remedies(), basis: relationship.basis)
  }
}

extension Check {
  /// A finding at an entity, or at the whole store.
  package func finding(
    _ entity: String? = nil, table: String? = nil, property: String? = nil, count: Int64 = 1,
    examples: [Finding.Example] = [], message: String, blocks: [Int] = [], remedies: [Finding.Remedy] = [],
    basis: Basis = .observed
  ) -> Finding {
    Finding(
      id: id, name: name, severity: severity, entity: entity, table: table, property: property, count: count,
      examples: examples, message: message, blocks: blocks, remedies: remedies, basis: basis)
  }

  /// A finding at the rows of an entity's table; nil if no row is affected.
  func finding(
    of entity: EntityLayout, rows: ExampleTally, message: @autoclosure () -> String, blocks: [Int] = [],
    remedies: @autoclosure () -> [Finding.Remedy] = []
  ) -> Finding? {
    guard rows.count > 0 else { return nil }
    return finding(
      entity.name, table: entity.table, count: rows.count, examples: rows.examples, message: message(), blocks: blocks,
      remedies: remedies())
  }
}

extension Check {
  /// A finding at the column of an attribute; nil if no row is affected.
  package func finding(
    of place: AttributePlace, rows: ExampleTally, message: @autoclosure () -> String, blocks: [Int] = [],
    remedies: @autoclosure () -> [Finding.Remedy] = []
  ) -> Finding? {
    guard rows.count > 0 else { return nil }
    return Finding(
      id: id, name: name, severity: severity, entity: place.owner.name, table: place.table, property: place.name,
      count: rows.count, examples: rows.examples, message: message(), blocks: blocks, remedies: remedies(),
      basis: place.basis)
  }
}
