/// How many rows an entity has, without its sub-entities.
public struct EntityPopulation: Sendable, Equatable {
  /// The entity, by its name in `Z_PRIMARYKEY`.
  public var entity: String
  /// Its rows.
  public var rows: Int64

  package init(entity: String, rows: Int64) {
    self.entity = entity
    self.rows = rows
  }
}
