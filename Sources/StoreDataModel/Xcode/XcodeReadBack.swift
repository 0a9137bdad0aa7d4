/// Reads a written document back and compares it with the model.
enum XcodeReadBack {
  /// Places that differ although no loss was recorded for them, and entities whose hash differs.
  static func losses(
    of model: Model, writtenAs text: String, besides known: Set<ConversionLoss>
  ) -> [ConversionLoss] {
    let read: Model
    do {
      read = try XcodeModel(Array(text.utf8)).model
    } catch {
      return [ConversionLoss(place: "", what: "all of it: the document cannot be read back (\(error))")]
    }
    let places = Set(known.map(\.place))
    var losses = hashes(of: model, read)
    for place in differences(of: model, read) where !places.contains(place) {
      losses.append(ConversionLoss(place: place, what: "a part of it, such as an empty text, comes back differently"))
    }
    return losses
  }

  private static func hashes(of model: Model, _ read: Model) -> [ConversionLoss] {
    let after = read.versionHashes.byEntity
    return model.versionHashes.byEntity.filter { after[$0.key] != $0.value }.map {
      ConversionLoss(place: $0.key, what: "its version hash; the entity that is written has another")
    }
  }

  private static func differences(of model: Model, _ read: Model) -> [String] {
    var places: [String] = []
    for entity in model.entities {
      guard let other = read.entity(named: entity.name) else {
        places.append(entity.name)
        continue
      }
      for property in entity.properties where !property.isEqual(to: other.property(named: property.name)) {
        places.append("\(entity.name).\(property.name)")
      }
      var (left, right) = (entity, other)
      (left.properties, right.properties) = ([], [])
      (left.indexes, right.indexes) = ([], [])
      if left != right || left.userInfo != right.userInfo { places.append(entity.name) }
      for (index, same) in zip(entity.indexes, other.indexes) where index != same {
        places.append("\(entity.name).\(index.name)")
      }
    }
    for (request, same) in zip(model.fetchRequests, read.fetchRequests) where request != same {
      places.append(request.name)
    }
    if model.configurations != read.configurations || model.versionIdentifiers != read.versionIdentifiers
      || model.fetchRequests.count != read.fetchRequests.count
    {
      places.append("")
    }
    return places
  }
}

extension Property {
  fileprivate func isEqual(to other: Property?) -> Bool {
    guard let other, self == other else { return false }
    // Location components are part of the user info in XML.
    let key = "_NSLocationAttributeDerivedComponents"
    return userInfo.filter { $0.key != key } == other.userInfo.filter { $0.key != key }
  }
}
