import StoreDataModel
import StoreCoreData

extension Layout {
  /// The date attributes that `keep` may go by, in the order of the layout, leaves of composite ones as "span.start".
  ///
  /// - Parameter entity: its name in `Z_PRIMARYKEY` or in the model.
  /// - Returns: nil where there is no such entity.
  package func dateAttributes(of entity: String) -> [String]? {
    guard let entity = try? recipeEntity(entity) else { return nil }
    return entity.attributes.flatMap { attribute in
      attribute.columns.compactMap { column -> String? in
        let name = ([attribute.property.name] + column.leaf).joined(separator: ".")
        guard column.name != nil, let leaf = try? path(name, from: entity).leaf else { return nil }
        return leaf.type == .date ? name : nil
      }
    }
  }
}
