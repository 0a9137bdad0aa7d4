import StoreSQLite

extension Shape {
  /// The most tables whose columns are read; the largest real store has 79.
  private static let maximumTables = 10_000

  /// Reads the schema. Only real tables are described; views and virtual tables are listed but never read.
  init(reading connection: Connection) throws {
    try self.init(reading: connection, connection.schema())
  }

  /// The same for a schema whose objects were already read.
  init(reading connection: Connection, _ objects: [SchemaObject]) throws {
    for object in objects {
      switch object.type {
      case .view: unreadable[object.name] = "a view"
      case .table:
        if object.isVirtualTable {
          unreadable[object.name] = "a virtual table"
        } else if tables.count < Self.maximumTables {
          tables[object.name] = try Self.table(object.name, in: connection)
          refusals[object.name] = try object.refusal()
        }
      case .trigger:
        if triggers.count < Self.maximumTables {
          triggers.append(Trigger(name: object.name, table: object.tableName, sql: object.sql ?? ""))
        }
      case .index, .other: break
      }
    }
  }

  private static func table(_ name: String, in connection: Connection) throws -> Table {
    var table = Table(name: name, columns: [])
    for column in try connection.columns(of: name) {
      if column.kind != .ordinary {
        table.generated.append(column.name)
      } else {
        table.columns.append(Column(name: column.name, declaredType: column.declaredType))
      }
    }
    return table
  }
}
