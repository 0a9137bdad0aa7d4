import StoreScanning
import StoreWords
import StoreCoreData

/// Which objects of an entity count as duplicates, which one of each group stays, and what is done with the others.
struct DedupeRequest {
  /// The entity; its subentities are searched too.
  var entity: EntityLayout
  /// Properties that duplicates have in common: attributes, leaves of composite ones ("size.width") and to-one
  /// relationships.
  var by: [String]
  /// How strings are compared.
  var comparison: KeyComparison = .exact
  /// Whether NULL equals NULL; if not, an object with NULL in one of `by` has no duplicates.
  var nullsAreEqual = false
  /// Which object stays.
  var keep = Keep.first
  /// The treatment of the others.
  var others = Others.merge

  /// Which object of a group stays; where several qualify, the one with the lowest key.
  enum Keep: Sendable, Equatable {
    /// The one with the lowest or highest key.
    case first, last
    /// The one with the most attributes and to-one relationships that are not NULL.
    case mostComplete
    /// The one with the most links to and from other objects.
    case mostLinked
    /// The one with the highest or lowest value of an attribute; one without a value comes last.
    case newest(String)
    case oldest(String)
  }

  /// The treatments of the objects that do not stay.
  enum Others: Sendable, Equatable {
    /// They are merged into the one that stays.
    case merge
    /// They are deleted, following the model's delete rules.
    case delete
    /// They stay under an unused name, made from a template: attributes in braces, and `{n}` for a number from 2 on.
    case rename(String)
  }
}

/// Merges, deletes or renames all but one of each group of duplicates.
///
/// Running it again finds nothing more: objects that become duplicates because the objects they lead to are merged are
/// found in the same run. The exception is `nullsAreEqual`, since objects may become equal by losing a link (between
/// two objects that are merged, or emptied by a delete rule). Repeated runs end, because each leaves fewer objects.
/// - Throws: `UnknownProperty` for a name the entity does not have, and `SQLiteError`.
func dedupe(_ request: DedupeRequest, in bench: Workbench) throws -> Decision {
  let search = try TwinSearch(request, bench)
  let groups = try search.groups()
  guard !groups.isEmpty else { return Decision() }
  let twins = try SurvivorChoice(request, bench).twins(of: groups)
  switch request.others {
  case .merge: return try merging(twins, request: request, on: bench, search: search)
  case .delete: return try deletion(of: twins, request: request, on: bench)
  case .rename(let template): return try Renaming(twins, for: request, bench: bench, template: template).decision()
  }
}

/// Merges the groups of which no object becomes its own ancestor.
private func merging(
  _ found: [Twins], request: DedupeRequest, on bench: Workbench, search: TwinSearch
) throws -> Decision {
  var twins = found
  var spared: Set<Int64> = []
  var obstacles: [Obstacle] = []
  while !twins.isEmpty {
    let loops = try MergeLoops(twins, in: request.entity.table, bench)
    obstacles += loops.obstacles
    guard loops.refused.isEmpty else {
      for group in twins where loops.refused.contains(group.survivor) { spared.formUnion(group.all) }
      // Objects that were equal only because the objects they lead to are merged may be different now.
      twins = try SurvivorChoice(request, bench).twins(of: search.groups(leaving: spared))
      continue
    }
    var merge = try Merge(twins, for: request, bench: bench, avoiding: loops.avoided)
    var decision = try merge.decision()
    decision.obstacles += obstacles
    return decision
  }
  return Decision(obstacles: obstacles)
}

private func deletion(of twins: [Twins], request: DedupeRequest, on bench: Workbench) throws -> Decision {
  var deletion = Deletion(bench, .dedupe)
  try deletion.follow([request.entity.table: twins.flatMap(\.others)])
  var decision = try deletion.decision()
  decision.noteGroups(twins, in: request.entity.table, areMerged: false)
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

extension Decision {
  /// Adds the groups to the operation that removes their others, for whoever reviews the plan.
  mutating func noteGroups(_ twins: [Twins], in table: String, areMerged: Bool) {
    let index = operations.firstIndex { operation in
      if case .rows(let edit) = operation.edit { edit.action == .delete && edit.table == table } else { false }
    }
    guard let index else { return }
    operations[index].groups = twins
    operations[index].mergesGroups = areMerged
  }
}

extension DedupeRequest {
  /// The columns of the compared properties, with their names.
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
  func intention(_ verb: String, twins: [Twins]) -> String {
    let others = twins.reduce(0) { $0 + $1.others.count }
    return
      "\(verb) \(grouped(Int64(others))) of \(grouped(Int64(others + twins.count))) \(entity.name) objects with equal "
      + "\(by.joined(separator: " and ")): "
  }
}
