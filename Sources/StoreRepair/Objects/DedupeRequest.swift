import StoreScanning
import StoreWords
import StoreCoreData

/// Which objects of an entity are the same, which of them stays, and what becomes of the others.
struct DedupeRequest {
  /// The entity; those that inherit from it are looked at too.
  var entity: EntityLayout
  /// Attributes, leaves of composite ones ("size.width") and to-one relationships that are equal in objects that are the
  /// same.
  var by: [String]
  /// How texts are compared.
  var comparison: KeyComparison = .exact
  /// Whether objects without a value are the same; if not, an object without a value is like no other.
  var nullsAreEqual = false
  /// Which object stays.
  var keep = Keep.first
  /// What becomes of the others.
  var others = Others.merge

  /// Which object of several stays; where it could be more than one, that with the lowest key.
  enum Keep: Sendable, Equatable {
    /// The one with the lowest or highest key.
    case first, last
    /// The one with the most attributes and to-one relationships that are not NULL.
    case mostComplete
    /// The one with the most links to and from others.
    case mostLinked
    /// The one with the highest or lowest value of an attribute; one without a value comes last.
    case newest(String)
    case oldest(String)
  }

  /// What becomes of the others.
  enum Others: Sendable, Equatable {
    /// They become one with the object that stays.
    case merge
    /// They are deleted by the model's delete rules.
    case delete
    /// They stay, and get a free name: attributes in braces, and `{n}` from 2 on.
    case rename(String)
  }
}

/// Objects that are the same.
struct Twins: Equatable {
  /// The one that stays.
  var survivor: Int64
  /// The others, ascending.
  var others: [Int64]

  /// All of them, the one that stays first.
  var all: [Int64] { [survivor] + others }
}

/// Takes objects of an entity that are the same for one another: merges, deletes or renames all but one of each.
///
/// What was done leaves nothing to do: objects that become the same because those they lead to do are found as well. Only
/// where objects without a value are the same can more become equal by losing one (a link between two that become one, what
/// a delete rule empties); asked again until there is nothing to do, it ends, because each time there are fewer objects.
/// - Throws: `UnknownProperty` for a name the entity has not, and `SQLiteError`.
func dedupe(_ request: DedupeRequest, in bench: Workbench) throws -> Decision {
  let groups = try TwinSearch(request, bench).groups()
  guard !groups.isEmpty else { return Decision() }
  let twins = try SurvivorChoice(request, bench).twins(of: groups)
  switch request.others {
  case .merge:
    var merge = try Merge(twins, request, bench)
    return try merge.decision()
  case .delete: return try deletion(of: twins, request, bench)
  case .rename(let template): return try Renaming(twins, request, bench, template).decision()
  }
}

private func deletion(of twins: [Twins], _ request: DedupeRequest, _ bench: Workbench) throws -> Decision {
  var deletion = Deletion(bench, .dedupe)
  try deletion.follow([request.entity.table: twins.flatMap(\.others)])
  var decision = try deletion.decision()
  let taken = twins.map(\.survivor).filter { deletion.gone[request.entity.table]?.contains($0) == true }
  if !taken.isEmpty {
    decision.obstacles.append(
      Obstacle(
        .dedupe, entity: request.entity.name, count: taken.count, keys: taken.sorted(),
        "\(counted(taken.count, "object")) that should stay would go with the others by the model's delete rules; "
          + "keep another one, or merge them",
        refusesPlan: true))
  }
  return decision
}

extension DedupeRequest {
  /// The columns of what is compared.
  func columns() throws -> [(name: String, column: String)] {
    let known = entity.uniqueColumns
    return try by.flatMap { name -> [(String, String)] in
      if let column = known[name] { return [(name, column)] }
      let leaves = known.filter { $0.key.hasPrefix(name + ".") }.sorted { $0.key < $1.key }
      guard !leaves.isEmpty else {
        throw UnknownProperty(entity: entity.name, name: name, known: Array(known.keys))
      }
      return leaves.map { ($0.key, $0.value) }
    }
  }

  /// "merge 3 of 5 Trip objects with equal name: ".
  func intention(_ verb: String, _ twins: [Twins]) -> String {
    let others = twins.reduce(0) { $0 + $1.others.count }
    return "\(verb) \(others) of \(others + twins.count) \(entity.name) objects with equal "
      + "\(by.joined(separator: " and ")): "
  }
}
