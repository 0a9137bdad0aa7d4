import StoreDataModel
import StoreSQLite
import StoreGenerator
import TestSupport
import Testing

/// A real store with the rows of a migration case, in its own folder.
package struct CaseStore {
  package let folder: TemporaryFolder
  package let path: String

  package init(_ model: Model, _ rows: [String: [[String: JSONTree]]], setup: JSONTree? = nil) throws {
    folder = try TemporaryFolder()
    path = folder("Case.sqlite")
    let framework = setup?["framework"] == .integer(1244) ? 1244 : 1526
    let store = try StoreWriter(
      creating: path, StoreDescription(model: model, framework: framework, usesWAL: false))
    for (entity, rows) in rows.sorted(by: { $0.key < $1.key }) where entity != "joins" {
      for row in rows { try Self.insert(row, entity, model, store) }
    }
    try Self.link(rows, model, store)
    try store.finish()
    try injure(setup)
  }

  private static func insert(
    _ row: [String: JSONTree], _ entity: String, _ model: Model, _ store: StoreWriter
  ) throws {
    var values: [String: StoredValue] = [:]
    for (name, value) in row where name != "pk" {
      guard let attribute = model.property(name, of: entity)?.attribute else { continue }
      values[name] = attribute.type == .date ? date(value) : stored(value)
    }
    try store.insert(entity, values, key: row["pk"].flatMap(integer))
  }

  /// Sets foreign keys and join table rows, even if the object they lead to does not exist.
  private static func link(_ rows: [String: [[String: JSONTree]]], _ model: Model, _ store: StoreWriter) throws {
    for (entity, rows) in rows where entity != "joins" {
      for row in rows {
        for (name, value) in row {
          guard let relationship = model.property(name, of: entity)?.relationship, let key = integer(value),
            let own = row["pk"].flatMap(integer)
          else { continue }
          try store.link(
            ObjectKey(entity: entity, key: own), name, to: ObjectKey(entity: relationship.destination, key: key))
        }
      }
    }
    for link in rows["joins"] ?? [] {
      let name = try #require(link["rel"]?.string).split(separator: ".").map(String.init)
      let (from, to) = (try #require(link["from"].flatMap(integer)), try #require(link["to"].flatMap(integer)))
      let destination = try #require(model.property(name[1], of: name[0])?.relationship?.destination)
      try store.link(ObjectKey(entity: name[0], key: from), name[1], to: ObjectKey(entity: destination, key: to))
    }
  }

  private func injure(_ setup: JSONTree?) throws {
    let connection = try Connection(writing: path, create: false)
    if case .array(let columns)? = setup?["dropColumns"] {
      for column in columns.compactMap(\.string) {
        let parts = column.split(separator: ".")
        try connection.execute("ALTER TABLE \(parts[0]) DROP COLUMN \(parts[1])")
      }
    }
    if setup?["modelCache"] == .bool(false) { try connection.execute("DELETE FROM Z_MODELCACHE") }
    connection.close()
  }

  private static func integer(_ value: JSONTree) -> Int64? {
    if case .integer(let number) = value { number } else { nil }
  }

  private static func date(_ value: JSONTree) -> StoredValue {
    switch value {
    case .integer(let number): .date(Double(number))
    case .number(let number): .date(number)
    default: .null
    }
  }

  private static func stored(_ value: JSONTree) -> StoredValue {
    switch value {
    case .integer(let number): .integer(number)
    case .number(let number): .real(number)
    case .string(let text): .text(text)
    case .bool(let flag): .integer(flag ? 1 : 0)
    case .null, .array, .object: .null
    }
  }
}

/// Versions of a model as they are given with `--model`.
package func candidateSources(_ versions: [(name: String, model: Model)]) throws -> [ModelSource] {
  try versions.map { name, model in
    let document = try ModelDocument(versions: [.init(name: name, model: model)])
    return try ModelSource.read(Array(document.json().text.utf8), path: "\(name).json")
  }
}
