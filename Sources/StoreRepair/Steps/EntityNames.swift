import StoreWords
import StoreCoreData

extension Workbench {
  /// Writes the model's entity name into `Z_PRIMARYKEY` where a rename left the old one (SD206).
  func entityNames() -> Decision {
    Decision(
      operations: store.layout.entities.filter { !$0.id.isInternal }.compactMap { entity in
        entity.modelName.map { name in
          Operation(
            .entityNames, summary: "name entity \(entity.id.number) \(quoted(name)) and not \(quoted(entity.name))",
            entity: entity.name, .renameEntity(entity.id, name), grade: .named)
        }
      })
  }
}
