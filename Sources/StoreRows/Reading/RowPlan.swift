import StoreCoreData
import StoreDataModel
import StoreFindings
import StoreScanning
import StoreSQLite
import StoreWords

/// A plan of reading a table for a query: the columns of the result, and where each comes from in the rows of each
/// entity.
///
/// An entity and its subentities share a table, and properties of one name that two of them declare are in two columns
/// of it; so each entity has sources of its own.
struct RowPlan {
  let table: String
  private(set) var columns: [RowColumn] = []
  /// The expressions of the SELECT, after key and entity.
  private(set) var selected: [String] = []
  /// For each entity whose objects are shown, one source for each column.
  private(set) var sources: [EntityID: [CellSource]] = [:]
  /// Remarks on values the result leaves out, in a sentence each.
  private(set) var remarks: [String] = []
  private var positions: [String: Int] = [:]

  /// - Parameters:
  ///   - names: the columns by name; nil for all.
  ///   - further: more columns after them, for conditions and order.
  init(
    _ entity: EntityLayout, columns names: [String]?, and further: [String] = [], includesSubentities: Bool,
    readsBinary: Bool, loading loader: ColumnLoader
  ) throws {
    table = entity.table
    let map = loader.map
    let kinds = (includesSubentities ? map.kinds(of: entity.id) : [entity.id]).sorted()
      .compactMap { map.entity($0) }.filter { $0.table == entity.table }
    columns =
      try names.map { try Self.columns(named: $0, of: kinds, loader) }
      ?? Self.allColumns(of: entity, kinds, in: loader.store)
    columns += try Self.columns(named: further, of: kinds, loader)
    for kind in kinds {
      sources[kind.id] = try columns.map { try source($0, of: kind, loader: loader, readsBinary: readsBinary) }
    }
    if kinds.isEmpty { sources[entity.id] = columns.map { _ in .absent } }
    noteWithoutColumn(kinds)
  }

  // MARK: Columns

  static func allColumns(of entity: EntityLayout, _ kinds: [EntityLayout], in store: Store) -> [RowColumn] {
    var found: [RowColumn] = [.key]
    if kinds.count > 1 { found.append(.entity) }
    guard entity.isDescribed else {
      let known: Set = ["Z_PK", "Z_ENT", "Z_OPT"]
      return found
        + (store.shape.tables[entity.table]?.columns ?? []).filter { !known.contains($0.name) }
        .map { RowColumn(name: $0.name, content: .stored) }
    }
    var seen: Set<String> = []
    let ordered = [entity] + kinds.filter { $0.id != entity.id }
    for kind in ordered {
      for attribute in kind.attributes {
        for leaf in attribute.columns where leaf.name != nil {
          let name = ([attribute.property.name] + leaf.leaf).joined(separator: ".")
          guard seen.insert(name).inserted, let property = attribute.property.leaf(leaf.leaf[...]) else { continue }
          found.append(RowColumn(name: name, content: .attribute(property.attribute?.type ?? .undefined)))
        }
      }
    }
    for isToMany in [false, true] {
      for kind in ordered {
        for relationship in kind.relationships
        where relationship.isToMany == isToMany && relationship.hasPlace && seen.insert(relationship.name).inserted {
          found.append(RowColumn(relationship))
        }
      }
    }
    return found
  }

  private static func columns(
    named names: [String], of kinds: [EntityLayout], _ loader: ColumnLoader
  ) throws -> [RowColumn] {
    try names.map { name in
      switch name {
      case RowColumn.key.name: return .key
      case RowColumn.entity.name: return .entity
      case RowColumn.version.name: return .version
      case RowColumn.state.name: return .state
      default: break
      }
      if let ofCloudKit = RowColumn.ofCloudKit.first(where: { $0.name == name }) { return ofCloudKit }
      for kind in kinds {
        if let column = try loader.column(name, of: kind) { return column }
      }
      throw loader.unknownProperty(name, of: kinds)
    }
  }

  // MARK: Sources

  private mutating func source(
    _ column: RowColumn, of kind: EntityLayout, loader: ColumnLoader, readsBinary: Bool
  ) throws -> CellSource {
    switch column.content {
    case .key: return .key
    case .entity: return .entity(kind.name)
    case .version: return .version(select("Z_OPT", in: loader.store))
    case .state: return .entity("live")
    case .cloudKit: return .mirror(try loader.mirrored(kind), .state)
    case .recordName: return .mirror(try loader.mirrored(kind), .name)
    case .origin: return .mirror(try loader.mirrored(kind), .origin)
    case .stored: return .attribute(select(column.name, in: loader.store), .stored)
    case .attribute, .toOne, .toMany: break
    }
    if let (attribute, leaf, name) = kind.attributePlace(column.name) {
      let coder = CellSource.Coder(leaf.attribute?.type == .composite ? nil : leaf.attribute ?? attribute.attribute)
      return .attribute(select(name, in: loader.store, coder: coder, readsBinary: readsBinary), coder)
    }
    if let relationship = kind.relationships.first(where: { $0.name == column.name }) {
      if case .key(let name?, _, _) = relationship.storage { return .toOne(select(name, in: loader.store)) }
      return try loader.links(relationship.name, of: kind).map(CellSource.toMany) ?? .absent
    }
    guard let (first, rest) = column.name.splitAtFirstDot,
      let relationship = kind.relationships.first(where: { $0.name == first }),
      case .key(let name?, _, _) = relationship.storage, let destination = relationship.destination,
      let target = loader.map.entity(named: destination)
    else { return .absent }
    return .path(select(name, in: loader.store), try loader.loaded(rest, of: target))
  }

  private mutating func select(
    _ column: String, in store: Store, coder: CellSource.Coder = .stored, readsBinary: Bool = true
  ) -> Int {
    let name = quotedIdentifier(column)
    let expression = store.shape.tables[table]?.has(column) == true ? name : "NULL"
    guard coder.isBinary, !readsBinary else { return position(of: expression) }
    // The length of a value is in the record's head, so that large ones are not read. References to external files have
    // 38 bytes, and small values may be archives or JSON.
    let isLarge = "typeof(\(name)) = 'blob' AND length(\(name)) > \(coder.isExternal ? 38 : Self.largestDecoded)"
    let position = position(of: "CASE WHEN \(isLarge) THEN NULL ELSE \(name) END")
    _ = self.position(of: "CASE WHEN \(isLarge) THEN length(\(name)) END")
    return position
  }

  private mutating func position(of expression: String) -> Int {
    if let known = positions[expression] { return known }
    selected.append(expression)
    positions[expression] = selected.count + 1
    return selected.count + 1
  }

  /// The largest binary value that is looked into without being asked for, in bytes.
  static let largestDecoded = 64 << 10

  private mutating func noteWithoutColumn(_ kinds: [EntityLayout]) {
    var names: [String] = []
    for kind in kinds {
      for attribute in kind.attributes where attribute.declaredBy == kind.modelName ?? kind.name {
        guard attribute.columns.contains(where: { $0.name == nil }) else { continue }
        names.append("\(kind.name).\(attribute.property.name)")
      }
    }
    if !names.isEmpty { remarks.append("the store has no column for \(names.map(quoted).joined(separator: ", "))") }
  }
}

extension RowColumn {
  /// The column of a relationship's links.
  init(_ relationship: RelationshipLayout) {
    self.init(
      name: relationship.name,
      content: relationship.isToMany
        ? .toMany(destination: relationship.destination, isOrdered: relationship.isOrdered)
        : .toOne(destination: relationship.destination))
  }
}

extension RelationshipLayout {
  /// Whether its links are stored somewhere that is known.
  var hasPlace: Bool {
    switch storage {
    case .key(let column, _, _): column != nil
    case .inverseKey(_, let column), .hiddenKey(_, let column, _): column != nil
    case .joinTable(let name): name != nil
    case .none: false
    }
  }
}

extension EntityLayout {
  /// The attribute, or leaf of a composite attribute, of that name, and its column.
  func attributePlace(_ name: String) -> (attribute: Property, leaf: Property, column: String)? {
    for attribute in attributes where name.hasPrefix(attribute.property.name) {
      for column in attribute.columns where ([attribute.property.name] + column.leaf).joined(separator: ".") == name {
        guard let stored = column.name, let leaf = attribute.property.leaf(column.leaf[...]) else { return nil }
        return (attribute.property, leaf, stored)
      }
    }
    return nil
  }
}

extension String {
  /// The parts before and after the first dot.
  var splitAtFirstDot: (String, String)? {
    guard let dot = firstIndex(of: ".") else { return nil }
    return (String(self[..<dot]), String(self[index(after: dot)...]))
  }
}
