import StoreDataModel
import StoreSQLite

extension EntityMap {
  /// The map of a store that has lost the table, as a fresh store of its model has it. None where rows of its tables have
  /// other numbers, as after some migrations.
  private init(numbering model: Model, reading connection: Connection, shape: Shape) throws {
    let numbers = TablePlan.entityNumbers(of: model)
    self.init(
      rows: model.entities.compactMap { entity in
        numbers[entity.name].map { number in
          Row(
            id: EntityID(number), name: entity.name, parent: entity.parent.flatMap { numbers[$0] }.map { EntityID($0) },
            highWater: nil)
        }
      })
    isNumberedByModel = true
    for table in TablePlan(model, numbers: numbers, knownTables: Set(shape.tables.keys)).tables {
      guard let there = shape.tables[table.name], there.has("Z_ENT") else { continue }
      let known = Set(
        model.entities.filter { model.root(of: $0.name)?.name == table.root }.compactMap { numbers[$0.name] })
      let statement = try connection.prepare("SELECT DISTINCT Z_ENT FROM \(identifier(table.name)) LIMIT 1000")
      while try statement.step() {
        guard known.contains(statement.int64(0)) else {
          self.init(rows: [])
          return
        }
      }
    }
  }

  /// Reads the table, or numbers a model's entities where it is lost.
  init(reading connection: Connection, shape: Shape, orNumbering model: Model?) throws {
    if shape.tables["Z_PRIMARYKEY"] == nil, let model {
      try self.init(numbering: model, reading: connection, shape: shape)
    } else {
      try self.init(reading: connection, shape: shape)
    }
  }
}
