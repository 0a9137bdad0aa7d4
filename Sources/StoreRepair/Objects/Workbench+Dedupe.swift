import StoreWords
import StoreScanning

extension Workbench {
  /// Removes duplicates as a recipe's item says.
  func dedupe(_ item: Recipe.Dedupe) throws -> Decision {
    guard let entity = map.entity(named: item.entity) else {
      return .refusal(.dedupe, message: "no entity \(quoted(item.entity))")
    }
    return try StoreRepair.dedupe(
      DedupeRequest(
        entity: entity, by: item.by, comparison: item.compare, nullsAreEqual: item.nulls == .equal,
        keep: DedupeRequest.Keep(item.keep), others: DedupeRequest.Others(item.others)), in: self)
  }
}

extension DedupeRequest.Keep {
  fileprivate init(_ keep: Recipe.Dedupe.Keep) {
    switch keep {
    case .first: self = .first
    case .last: self = .last
    case .mostComplete: self = .mostComplete
    case .mostLinked: self = .mostLinked
    case .newest(let attribute): self = .newest(attribute)
    case .oldest(let attribute): self = .oldest(attribute)
    }
  }
}

extension DedupeRequest.Others {
  fileprivate init(_ others: Recipe.Dedupe.Others) {
    switch others {
    case .merge: self = .merge
    case .delete: self = .delete
    case .rename(let template): self = .rename(template.description)
    }
  }
}
