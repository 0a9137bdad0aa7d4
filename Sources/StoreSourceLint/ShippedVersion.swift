import StoreWords
import StoreDataModel
import StoreSwiftDataSchemas

/// A version as it was shipped, known from a pin, a store or a tag.
struct ShippedVersion {
  /// Where the hashes come from: "its pin".
  var witness: String
  var hashes: [String: VersionHash]
  /// What was hashed of each entity, by its name; entities for which that is not known are left out.
  var texts: [String: HashedText]

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

/// A property that differs from the shipped version.
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
  /// The properties of some entities that differ from the shipped version, as far as known.
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

/// How a version differs from a list of hashes.
enum Differences: Equatable {
  case none
  /// The entities that differ, sorted.
  case some([String])
  /// An entity could not be derived, so it is not known whether it differs.
  case unknown(String)

  var words: String {
    switch self {
    case .none: "equal"
    case .unknown(let reason): reason
    case .some(let names):
      names.count == 1 ? "\(names[0]) differs" : "\(names.prefix(5).joined(separator: ", ")) differ"
    }
  }
}

extension SourceSchema {
  /// Compares with a list of hashes. If one reading of an open rule has the hash, the rule is decided; if none has
  /// it, it is unknown whether the entity differs.
  func differences(from hashes: [String: VersionHash]) -> Differences {
    var different: [String] = []
    let own = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    for name in Set(own.keys).union(hashes.keys).sorted(by: codeUnitsPrecede) {
      guard let entity = own[name] else {
        if let listProblem { return .unknown(listProblem) }
        different.append(name)
        continue
      }
      guard let hash = hashes[name] else {
        different.append(name)
        continue
      }
      if entity.variants.contains(where: { $0.hash == hash }) { continue }
      if let reason = entity.reasons.first {
        return .unknown("\(name): \([reason.property, reason.message].compactMap(\.self).joined(separator: ": "))")
      }
      if let rule = entity.openRules.first { return .unknown("\(name) rests on an open rule (\(rule.rawValue))") }
      different.append(name)
    }
    return different.isEmpty ? .none : .some(different)
  }

  func distance(to hashes: [String: VersionHash]) -> Int {
    switch differences(from: hashes) {
    case .none: 0
    case .some(let names): names.count
    case .unknown: Int.max
    }
  }
}
