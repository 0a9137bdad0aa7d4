import StoreCoreData
import StoreDataModel
import StoreScanning

/// The columns of a store with archives, which several checks ask for; each is read and decoded once.
final class ArchiveColumns {
  private let scan: Scan
  private let opened: OpenedAttributes?
  private let allowed: AllowedClasses
  private var known: [ArchiveColumn]?

  init(_ scan: Scan, opening candidates: Candidates?, allowed: AllowedClasses) {
    self.scan = scan
    self.allowed = allowed
    opened = candidates.flatMap { OpenedAttributes($0, of: scan.store) }
  }

  /// All of them, filled by the read. Every check calls this, so that a table that cannot be read is noted for it.
  func columns() -> [ArchiveColumn] {
    guard scan.store.hasModel else {
      scan.skip("without a model nobody knows which bytes are archives")
      return []
    }
    if let known {
      for column in known { _ = scan.holder(of: column.place) }
      return known
    }
    let columns = scan.map.attributePlaces.places.compactMap { place -> ArchiveColumn? in
      guard let stored = place.leaf.attribute?.transformer, let table = scan.holder(of: place) else { return nil }
      let reading = opened?.transformer(of: place)
      let transformers = ArchiveTransformers(
        stored, reading: reading ?? stored, version: opened?.version, allowed: allowed)
      let (columns, kinds) = transformers.decodes ? ([place.column], []) : ([], [place.column])
      return scan.visit(table, entities: place.holders, columns: columns, kinds: kinds) {
        ArchiveColumn(place, table, transformers: transformers, index: $0[0], limit: scan.exampleLimit)
      }
    }
    known = columns
    return columns
  }
}

/// The attributes of the version a store is opened with, found by those of the store.
private struct OpenedAttributes {
  let version: String
  private let model: Model
  private let difference: ModelDifference?

  /// Nil where no version decides, or the store's model is not known.
  init?(_ candidates: Candidates, of store: Store) {
    let list = candidates.list
    guard list.versions.indices.contains(list.deciding), store.modelOfItsHashes != nil else { return nil }
    version = list.versions[list.deciding].name
    model = list.versions[list.deciding].model
    difference = candidates.decidingDifference
  }

  /// The transformer of what an attribute becomes; nil where it is removed, or no longer transformable.
  func transformer(of place: AttributePlace) -> TransformerKind? {
    let entity = place.owner.modelName ?? place.owner.name
    guard let difference, let destination = difference.destinationEntity(of: entity) else { return nil }
    let name = difference.sourceProperties(of: destination).first { $0.value == place.property.name }?.key
    let property = name.flatMap { model.properties(of: destination)[$0]?.property }
    return property?.leaf(place.path[...])?.attribute?.transformer
  }
}
