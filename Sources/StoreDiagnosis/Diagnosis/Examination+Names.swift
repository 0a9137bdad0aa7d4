import StoreCoreData
import StoreFindings
import StoreScanning

extension Examination {
  /// Throws if the options name an entity or property that the store lacks.
  package func checkNames() throws {
    for key in options.unique {
      guard let entity = store.layout.entity(named: key.entity) else {
        throw UnknownEntity(
          name: key.entity, known: store.layout.entities.filter { !$0.id.isInternal }.map(\.name), place: "store")
      }
      let known = entity.uniqueColumns
      for name in key.properties where known[name] == nil {
        throw UnknownProperty(entity: entity.name, name: name, known: Array(known.keys))
      }
    }
  }
}
