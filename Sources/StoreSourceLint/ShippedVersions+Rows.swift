import StoreDiagnosis
import StoreFindings
import StoreScanning
import StoreSourceChecks
import StoreDataModel
import StoreCoreData
import StoreSwiftDataSchemas

extension ShippedVersions {
  /// Adds to the findings from source what the stores show: rows that violate a new constraint, and missing indexes.
  func refine(_ lint: inout SourceLint, reading: SourceReading) throws {
    for store in stores {
      guard let (plan, position) = store.version(in: reading) else { continue }
      for number in lint.findings.indices where lint.findings[number].check == SourceCheck.newUniqueness.id {
        try store.count(into: &lint.findings[number], plan: plan, position: position, reading: reading)
      }
      try store.sayMissingIndexes(in: &lint, plan: plan, position: position, reading: reading)
      try store.store.checkUnchanged()
    }
  }
}

extension ShippedVersions.ShippedStore {
  /// The plan that contains the version that made the store, and the version's position in it (the last of several
  /// with equal hashes).
  fileprivate func version(in reading: SourceReading) -> (plan: SourcePlan, position: Int)? {
    for plan in reading.plans {
      let schemas = reading.schemas(of: plan)
      let position = schemas.lastIndex { $0.map { $0.differences(from: hashes).areNone } ?? false }
      if let position { return (plan, position) }
    }
    return nil
  }

  // MARK: SD944

  /// Makes a new constraint an error if the store has rows with equal values in it.
  fileprivate func count(
    into finding: inout SourceFinding, plan: SourcePlan, position: Int, reading: SourceReading
  ) throws {
    guard let entity = finding.entity, let schema = finding.schema,
      let later = plan.schemaNames.firstIndex(of: schema), later > position,
      let constraint = newConstraint(finding, of: entity, in: reading.schemas(of: plan), later: later),
      let layout = store.layout.entity(named: entity), constraint.allSatisfy({ layout.column(of: $0) != nil })
    else { return }
    let options = DiagnosisOptions(integrity: .quick, unique: [UniqueKey(entity: entity, properties: constraint)])
    let diagnosis = try diagnose(Examination(store: store, options: options), with: [.duplicateKey])
    let property = constraint.joined(separator: ",")
    let rows = diagnosis.findings.first {
      $0.entity == layout.name && $0.property == property && $0.severity != .note
    }
    guard let rows else { return }
    finding.severity = .error
    let keys = rows.examples.compactMap(\.primaryKey).map { "\($0)" }.joined(separator: ", ")
    finding.notes.append(
      .init("'\(path)' has \(rows.count) such \(rows.count == 1 ? "row" : "rows") (keys \(keys))"))
  }

  /// The constraint a finding is about: the one that the previous version lacks.
  private func newConstraint(
    _ finding: SourceFinding, of entity: String, in schemas: [SourceSchema?], later: Int
  ) -> [String]? {
    func constraints(_ position: Int) -> [[String]] {
      guard schemas.indices.contains(position), let schema = schemas[position] else { return [] }
      return schema.entities.first { $0.name == entity }?.variants.first?.entity.uniquenessConstraints ?? []
    }
    let old = constraints(later - 1)
    let new = constraints(later).filter { !old.contains($0) }
    if let property = finding.property { return new.first { $0 == [property] } }
    let many = new.filter { $0.count > 1 }
    return many.count == 1 ? many[0] : nil
  }

  // MARK: SD949

  /// Reports the indexes that the store's version declares and the store lacks.
  fileprivate func sayMissingIndexes(
    in lint: inout SourceLint, plan: SourcePlan, position: Int, reading: SourceReading
  ) throws {
    guard let schema = reading.schemas(of: plan)[position] else { return }
    for entity in schema.entities {
      let missing = try missingIndexes(of: entity)
      guard !missing.isEmpty else { continue }
      let names = missing.map { $0.joined(separator: "+") }.joined(separator: ", ")
      lint.findings.append(
        SourceFinding(
          check: SourceCheck.newIndex.id, severity: .note, place: entity.place, schema: schema.name,
          entity: entity.name,
          message: "'\(path)' is a store of \(schema.name) and has no index of \(entity.name) by \(names): it was made "
            + "before that came"))
    }
  }

  /// Fetch indexes that the store lacks. They are compared by columns, since migrated stores keep old names.
  private func missingIndexes(of entity: SourceEntity) throws -> [[String]] {
    guard let layout = store.layout.entity(named: entity.name), layout.tableExists,
      let indexes = entity.variants.first?.entity.indexes, !indexes.isEmpty
    else { return [] }
    let there = try store.indexes(of: layout.table).filter { !$0.isPartial }.map(\.columns)
    return indexes.compactMap { index -> [String]? in
      let columns = index.elements.map { $0.kind == .binary ? layout.column(of: $0.propertyName) : nil }
      // Not compared if a property has no column of its own.
      guard !columns.contains(nil) else { return nil }
      return there.contains(columns.compactMap(\.self)) ? nil : index.elements.map(\.propertyName)
    }
  }
}
