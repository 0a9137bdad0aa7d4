import StoreScanning
import StoreWords
import StoreSQLite

/// The meaning of "safe". It is a promise: whoever reads it does not look again.
///
///     every object of before  ──►  one of after: itself, or the survivor of a merge, of the same entity
///       its values                 all there, unless NULL; a NULL may be filled
///       its links                  all there, with their ends mapped alike
///     and nothing comes to be that the model forbids, and no object becomes its own ancestor
///
/// It is judged by what an operation does to this store, not by its kind:
///
///     objects, values, links of before that are there no more        lossy     here; for merges, `Conflicts`
///     values changed so that objects differ                          renames   `Renaming`
///     objects that become one of another entity                      lossy     `Conflicts`
///     loops                                                          left out  `MergeLoops`, `Relink`; here, refused
///     rules of the model that an error or standing rule is about     refused   `planRepair`
///     values that the model's validation forbids                     --allow-invalid   `RepairPlan.breaksValidation`
///
/// Memory: one column of one operation at a time, some 50 bytes for each row it changes; and for a to-one relationship
/// that leads into its own table, some 100 bytes for each row of the table that has a key, twice at most.
struct Promise {
  private let bench: Workbench
  private let places: LinkPlaces

  init(_ bench: Workbench) {
    self.bench = bench
    places = LinkPlaces(bench)
  }

  /// The decision, with every operation that breaks the promise graded by that, its losses among the notices, and the
  /// loops it would make among the obstacles. To be asked before it is carried out.
  ///
  /// - Throws: `SQLiteError`.
  func graded(_ decision: Decision) throws -> Decision {
    var graded = decision
    for (index, operation) in decision.operations.enumerated() {
      guard case .rows(let edit) = operation.edit, operation.grade == .safe || operation.grade == .named,
        operation.repair != .dedupe
      else { continue }
      let losses = try losses(of: edit)
      guard let loss = losses.notice(operation) else { continue }
      graded.operations[index].grade = .lossy
      graded.notices.append(loss)
    }
    graded.obstacles += try bench.loopObstacles(decision.operations)
    return graded
  }

  /// Rows that lose something.
  private struct Losses {
    var values: [Int64] = []
    var links: [Int64] = []
    var objects: [Int64] = []
    /// Links of a join table: the two keys.
    var pairs: [KeyPair] = []

    /// One sentence; nil where nothing is lost.
    func notice(_ operation: Operation) -> String? {
      let place = [operation.entity, operation.property].compactMap(\.self).joined(separator: ".")
      func list(_ keys: [String]) -> String {
        keys.prefix(Obstacle.maximumKeys).joined(separator: ", ") + (keys.count > Obstacle.maximumKeys ? ", …" : "")
      }
      var parts: [String] = []
      if !links.isEmpty {
        parts.append(
          "\(counted(links.count, "object")) no longer \(links.count == 1 ? "leads" : "lead") to an object that exists "
            + "(\(list(links.map(String.init))))")
      }
      if !pairs.isEmpty {
        parts.append(
          "\(counted(pairs.count, "link")) between objects that exist \(pairs.count == 1 ? "goes" : "go") "
            + "(\(list(pairs.map { "\($0.first)-\($0.second)" })))")
      }
      if !values.isEmpty {
        parts.append(
          "\(counted(values.count, "object")) \(values.count == 1 ? "loses its value" : "lose their values") "
            + "(\(list(values.map(String.init))))")
      }
      if !objects.isEmpty {
        parts.append(
          "\(counted(objects.count, "object")) \(objects.count == 1 ? "goes" : "go") (\(list(objects.map(String.init))))"
        )
      }
      return parts.isEmpty ? nil : "loss in \(quoted(place)): \(parts.joined(separator: "; "))"
    }
  }

  private func losses(of edit: RowEdit) throws -> Losses {
    switch (edit.action, edit.keyColumns == ["Z_PK"]) {
    case (.insert, _): return Losses()
    case (.delete, true): return Losses(objects: edit.objectKeys)
    case (.delete, false): return Losses(pairs: try existingLinks(edit))
    case (.update, true): return try overwritten(by: edit)
    // Only merges change the keys of a link, and they say themselves what they lose.
    case (.update, false): return Losses()
    }
  }

  /// The deleted links of which both ends exist.
  private func existingLinks(_ edit: RowEdit) throws -> [KeyPair] {
    guard let place = places.joins.first(where: { $0.table == edit.table }), edit.width >= 2 else { return [] }
    var links: [KeyPair] = []
    for start in stride(from: 0, to: edit.rows.count - edit.width + 1, by: edit.width) {
      guard case .integer(let first) = edit.rows[start], case .integer(let second) = edit.rows[start + 1] else {
        continue
      }
      links.append(KeyPair(first, second))
    }
    let sources = try bench.entities(of: KeySet(links.map(\.first)), in: place.source.table)
    let destinations = try bench.entities(of: KeySet(links.map(\.second)), in: place.destination.table)
    return links.filter { sources[$0.first] != nil && destinations[$0.second] != nil }
  }

  /// The objects of which a value, or a link to an existing object, is replaced.
  private func overwritten(by edit: RowEdit) throws -> Losses {
    let own = places.keys.filter { $0.table == edit.table }
    let beside = Set(own.flatMap { [$0.companion, $0.orderKey].compactMap(\.self) })
    var losses = Losses()
    for (index, column) in edit.setColumns.enumerated() where !beside.contains(column) {
      var new: [Int64: Int64] = [:]
      for start in stride(from: 0, to: edit.rows.count - edit.width + 1, by: max(edit.width, 1)) {
        guard case .integer(let row) = edit.rows[start] else { continue }
        if case .integer(let key) = edit.shared.map({ $0[index] }) ?? edit.rows[start + 1 + index] { new[row] = key }
      }
      // Values that are no integers count as changed.
      var replaced: [(row: Int64, key: Int64)] = []
      try bench.forEachRow(of: edit.table, columns: ["Z_PK", column], where: "Z_PK", isIn: KeySet(edit.objectKeys)) {
        row in
        if let object = row.key(0), let old = row.key(1), new[object] != old { replaced.append((object, old)) }
      }
      guard !replaced.isEmpty else { continue }
      let targets = own.filter { $0.column == column }
      guard let target = targets.first else {
        losses.values += replaced.map(\.row).sorted()
        continue
      }
      let existing = try bench.entities(of: KeySet(replaced.map(\.key)), in: target.targetTable)
      losses.links += replaced.filter { existing[$0.key] != nil }.map(\.row).sorted()
    }
    return losses
  }
}
