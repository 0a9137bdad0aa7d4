import StoreDigests
import StoreDataModel
import StoreCoreData

// Conversions from the facts of a store to the values of an inspection.

extension Inspection.Attribute {
  init(_ layout: AttributeLayout, in entity: EntityLayout, nulls: (String) -> Int64?) {
    let present = layout.columns.compactMap(\.name)
    let counted = present.compactMap { column in nulls(column).map { (column, $0) } }
    self.init(
      name: layout.property.name, declaredBy: entity.inheritedFrom(layout.declaredBy), columns: present,
      missing: layout.columns.filter { $0.name == nil }
        .map { $0.leaf.isEmpty ? layout.property.name : $0.leaf.joined(separator: ".") },
      type: layout.property.attribute?.type.name ?? "unknown", isOptional: layout.property.isOptional,
      isTransient: layout.property.isTransient, isDerived: layout.property.attribute?.derivation != nil,
      allowsExternalStorage: layout.property.attribute?.allowsExternalStorage ?? false,
      certainty: layout.certainty?.rawValue,
      nulls: counted.isEmpty ? nil : Dictionary(counted) { first, _ in first })
  }
}

extension Inspection.Relationship {
  init(_ layout: RelationshipLayout, in entity: EntityLayout, nulls: (String) -> Int64?) {
    self.init(
      name: layout.name, declaredBy: entity.inheritedFrom(layout.declaredBy), destination: layout.destination,
      inverse: layout.inverse, isToMany: layout.isToMany, isOrdered: layout.isOrdered,
      isOptional: layout.isOptional, certainty: layout.certainty?.rawValue)
    deleteRule = layout.deleteRule
    switch layout.storage {
    case .key(let column, let companion, let orderKey):
      self.column = column
      companionColumn = companion
      orderColumn = orderKey
      self.nulls = column.flatMap(nulls)
    case .inverseKey(let table, let column):
      self.table = table
      self.column = column
    case .hiddenKey(let table, let column, let orderKey):
      self.table = table
      self.column = column
      orderColumn = orderKey
    case .joinTable(let name): joinTable = name
    case .none: isTransient = true
    }
  }
}

extension EntityLayout {
  fileprivate func inheritedFrom(_ declarer: String) -> String? {
    declarer == name || declarer == modelName ? nil : declarer
  }

  /// The columns of the entity's own table that hold its properties.
  var storedColumns: [String] {
    attributes.flatMap { $0.columns.compactMap(\.name) }
      + relationships.compactMap { if case .key(let column?, _, _) = $0.storage { column } else { nil } }
  }
}

extension Inspection.JoinTable.End {
  init(_ end: JoinTableLayout.End) {
    self.init(entity: end.entity, relationship: end.relationship, column: end.column)
  }
}

extension Inspection.Unexplained {
  init(_ unexplained: Unexplained) {
    self.init(why: unexplained.why)
    switch unexplained.object {
    case .table(let name): table = name
    case .column(let table, let name):
      self.table = table
      column = name
    case .index(let name): index = name
    }
  }
}

extension Inspection.File {
  init(_ facts: StoreFileFacts) {
    self.init(role: facts.role.rawValue, bytes: facts.bytes, sha256: facts.sha256.map { hexadecimal($0) })
  }
}

extension Inspection.WAL {
  init(_ facts: WALFacts) {
    self.init(
      frames: Int64(facts.frames), committedFrames: Int64(facts.committedFrames),
      framesNotInMain: Int64(facts.pagesNotInMain), belongsToStore: facts.belongsToStore.rawValue,
      reasons: facts.reasons, isRead: facts.isRead)
  }
}

extension Inspection.HotJournal {
  init?(_ facts: JournalFacts) {
    guard facts.isHot else { return nil }
    self.init(pagesRestored: Int64(facts.pagesRestored))
  }
}

extension Inspection.Index {
  init(_ facts: IndexFacts) {
    self.init(name: facts.name, columns: facts.columns, isUnique: facts.isUnique, isPartial: facts.isPartial)
  }
}
