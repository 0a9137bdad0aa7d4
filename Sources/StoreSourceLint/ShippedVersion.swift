import StoreWords
import StoreDataModel
import StoreSwiftDataSchemas

/// A version as it was shipped, by a pin, a store or a tag.
struct ShippedVersion {
  /// Where the hashes are from: "its pin".
  var witness: String
  var hashes: [String: VersionHash]
  /// What was hashed of each entity, by its name; entities for which that is not known are left out.
  var texts: [String: HashedText]
  /// Entities whose hashes are not known, with the reason: "price: Money is not known".
  var unknown: [String: String] = [:]
  /// Why it may have had more entities; nil where all are known.
  var listProblem: String?

  init(_ witness: String, hashes: [String: VersionHash], texts: [String: HashedText]) {
    self.witness = witness
    self.hashes = hashes
    self.texts = texts
  }

  /// - Parameter model: a model that is known to have the hashes.
  init(_ witness: String, hashes: [String: VersionHash], model: Model?) {
    let texts = (model?.entities ?? []).compactMap { entity in
      model?.hashedText(of: entity.name).map { (entity.name, $0) }
    }
    self.init(witness, hashes: hashes, texts: Dictionary(texts) { first, _ in first })
  }
}

/// A property that is not as it was shipped.
struct MovedProperty {
  var entity: String
  var name: String
  /// What was hashed before; nil if the property was not there.
  var before: String?
  /// What is hashed now; nil if the property is gone.
  var now: String?

  /// "Note.body is new"
  var words: String {
    let words = before == nil ? "is new" : now == nil ? "is gone" : "is another: it was \(before ?? "")"
    return "\(entity).\(name) \(words)"
  }
}

extension ShippedVersion {
  /// The properties of some entities that are not as they were shipped, where that is known.
  func moved(to version: SourceSchema, of entities: [String]) -> [MovedProperty] {
    guard let model = try? version.model() else { return [] }
    return entities.flatMap { name -> [MovedProperty] in
      guard let before = texts[name]?.properties, let now = model.hashedText(of: name)?.properties else { return [] }
      return Set(before.keys).union(now.keys).sorted(by: codeUnitsPrecede).filter { before[$0] != now[$0] }.map {
        MovedProperty(entity: name, name: $0, before: before[$0], now: now[$0])
      }
    }
  }
}

/// How a version differs from what was shipped, entity by entity: one that is not known hides no other.
struct Differences: Equatable {
  /// The entities that surely differ, sorted.
  var entities: [String] = []
  /// Why others are not known to be equal: "Note: price: Money is not known"; sorted by their names.
  var unknown: [String] = []

  /// Whether the version surely is what was shipped.
  var areNone: Bool { entities.isEmpty && unknown.isEmpty }

  /// "Note and Tag differ", or what is not known.
  var words: String {
    guard let first = entities.first else { return unknownWords ?? "equal" }
    let more = entities.count > 5 ? " and \(entities.count - 5) more" : ""
    return entities.count == 1 ? "\(first) differs" : "\(entities.prefix(5).joined(separator: ", "))\(more) differ"
  }

  /// The first reasons; nil where everything is known.
  var unknownWords: String? {
    guard !unknown.isEmpty else { return nil }
    let more = unknown.count > 3 ? "; and of \(unknown.count - 3) more" : ""
    return unknown.prefix(3).joined(separator: "; ") + more
  }
}

extension SourceSchema {
  /// How it differs from a version that was shipped.
  func differences(from shipped: ShippedVersion) -> Differences {
    differences(from: shipped.hashes, unknown: shipped.unknown, listProblem: shipped.listProblem)
  }

  /// How it differs from hashes of entities.
  ///
  /// An open rule is decided by a hash that one of its readings has; a hash that none has proves nothing then.
  ///
  /// - Parameters:
  ///   - unknown: other entities that were shipped, with the reasons why their hashes are not known.
  ///   - listProblem: why still others may have been shipped.
  func differences(
    from hashes: [String: VersionHash], unknown: [String: String] = [:], listProblem shippedProblem: String? = nil
  ) -> Differences {
    var differences = Differences()
    let own = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    for name in Set(own.keys).union(hashes.keys).union(unknown.keys).sorted(by: codeUnitsPrecede) {
      guard let entity = own[name] else {
        // It may be in the list all the same.
        if let listProblem {
          differences.unknown.append("\(name): \(listProblem)")
        } else {
          differences.entities.append(name)
        }
        continue
      }
      if let reason = unknown[name] {
        differences.unknown.append("\(name): \(reason)")
      } else if let hash = hashes[name] {
        switch entity.reasonNotComparable(with: hash) {
        case nil: if !entity.variants.contains(where: { $0.hash == hash }) { differences.entities.append(name) }
        case let reason?: differences.unknown.append("\(name): \(reason)")
        }
      } else if let shippedProblem {
        differences.unknown.append("\(name): \(shippedProblem)")
      } else {
        differences.entities.append(name)
      }
    }
    return differences
  }

  /// How many entities are not surely equal; those that surely differ count most.
  func distance(to hashes: [String: VersionHash]) -> (Int, Int) {
    let differences = differences(from: hashes)
    return (differences.entities.count, differences.unknown.count)
  }
}

extension SourceEntity {
  /// Why it is not known whether its hash is this one; nil where it is.
  fileprivate func reasonNotComparable(with hash: VersionHash) -> String? {
    if variants.contains(where: { $0.hash == hash }) { return nil }
    return reasonUnknown
  }

  /// Why its hash is not known: a property, or an open rule; nil where it is.
  var reasonUnknown: String? {
    if let reason = reasons.first {
      return [reason.property, reason.message].compactMap(\.self).joined(separator: ": ")
    }
    return openRules.first.map { "it rests on an open rule (\($0.rawValue))" }
  }
}
