import StoreCoreData

/// What the tables of a store are for, by which their bytes are told apart.
package enum SizePart: CaseIterable, Sendable, Hashable {
  case objects, links, indexes, history, mirroring, modelCache, schema, other

  /// The part that a table is of, its indexes apart; the indexes of tables that are none of the model's are with them.
  init(table: String, objects: Set<String>, links: Set<String>) {
    switch OwnTable(table) {
    case .history: self = .history
    case .mirroring: self = .mirroring
    case .modelCache: self = .modelCache
    case .entityMap, .metadata: self = .schema
    case nil where table.hasPrefix("sqlite_"): self = .schema
    case nil where links.contains(table): self = .links
    case nil: self = objects.contains(table) ? .objects : .other
    }
  }

  /// Whether the indexes of its tables are counted apart.
  var hasIndexes: Bool { self == .objects || self == .links }
}

extension Inspection {
  /// The bytes of each part.
  static func parts(_ sizes: [String: TableSize], objects: Set<String>, links: Set<String>) -> [SizePart: Int64] {
    var parts: [SizePart: Int64] = [:]
    for (table, size) in sizes {
      let part = SizePart(table: table, objects: objects, links: links)
      parts[part, default: 0] += part.hasIndexes ? size.table : size.whole
      if part.hasIndexes { parts[.indexes, default: 0] += size.indexes }
    }
    return parts
  }
}
