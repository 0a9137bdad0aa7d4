import StoreDiagnosis
import StorePublishing
import StoreWords
import StoreCoreData
import StoreSQLite

/// Where a repaired store goes.
package enum RepairDestination: Sendable {
  /// A copy under a new name; the original is the backup.
  case output(OutputTarget)
  /// The store itself, with a journal in this folder; nil for one beside the store.
  case inPlace(journal: PosixPath? = nil)
}

/// The result of carrying out a plan.
public struct RepairOutcome: Sendable {
  /// The plan.
  public var plan: RepairPlan
  /// The repaired store.
  public var store: String
  /// The folder of the journal, where the store was changed in place.
  public var journal: String?
  /// The diagnosis of the repaired store.
  public var condition: RepairPlan.Condition
}

/// Carries out a plan, and keeps the result only if it is what was planned.
///
/// - Throws: `RepairPlanError` where the plan is not allowed, does not fit the store, or has another result;
///   `PublishingError` and `RepairError` where the result cannot be written.
package func apply(
  _ plan: RepairPlan, to store: Store, destination: RepairDestination, allowance: RepairAllowance = RepairAllowance(),
  options: RepairOptions = RepairOptions()
) throws -> RepairOutcome {
  try plan.check(allowance)
  var condition = plan.before
  switch destination {
  case .output(let target):
    options.onProgress?("comparing")
    try plan.requireFingerprint(of: store)
    options.onProgress?("copying")
    try publish(store, to: target, compacts: plan.compactedBytes != nil) { connection, recorder in
      options.onProgress?("applying")
      try perform(plan.operations, on: connection, recorder: recorder, onShare: options.onShare)
    } verify: { draft in
      options.onProgress?("verifying")
      condition = try RepairPlan.Condition(ofCopy: draft, of: store, options)
      try plan.verify(condition)
      try plan.verifySize(of: draft)
      options.onProgress?("publishing")
    }
    return RepairOutcome(plan: plan, store: target.path.description, journal: nil, condition: condition)
  case .inPlace(let folder):
    // An empty plan leaves the store alone; there would be a journal with nothing to undo.
    guard !plan.isEmpty else {
      try plan.requireFingerprint(of: store)
      return RepairOutcome(plan: plan, store: store.path, journal: nil, condition: condition)
    }
    if let refusal = try store.refusalInPlace(plan.before) { throw refusal }
    // The fingerprint is compared under the lock, while the backup is made.
    options.onProgress?("copying")
    guard let expected = Fingerprint(plan.store.fingerprint) else {
      throw RepairPlanError.storeChanged(path: store.path)
    }
    let moved = Set(plan.operations.compactMap(\.movedFile))
    let journal = try changeInPlace(
      store, journal: JournalTarget(folder), expecting: expected, compacts: plan.compactedBytes != nil
    ) { connection, recorder in
      options.onProgress?("applying")
      try perform(plan.operations, on: connection, recorder: recorder, onShare: options.onShare)
    } verify: { connection in
      options.onProgress?("verifying")
      let changed = try Store(reading: connection, copiedFrom: store, absentFiles: moved)
      condition = try RepairPlan.Condition(of: changed, options.diagnosis)
      try plan.verify(condition)
      options.onProgress?("committing")
    }
    var noted = plan
    if let why = journal.onlyWhole {
      noted.notices.append(
        "undo can take this back only as a whole, while nothing else has changed the store: row by row it cannot, "
          + "\(why)")
    }
    if let planned = plan.compactedBytes, let size = FileSystem.identity(of: store.location)?.size, size != planned {
      noted.notices.append("the file is \(grouped(size)) bytes long, and \(grouped(planned)) were planned")
    }
    return RepairOutcome(
      plan: noted, store: store.path, journal: journal.path(asGiven: folder, beside: store.location).description,
      condition: condition)
  }
}

extension Operation {
  /// The external file it moves aside.
  fileprivate var movedFile: [UInt8]? {
    if case .moveExternalFile(let name) = edit { Array(name.utf8) } else { nil }
  }
}

extension RepairPlan {
  fileprivate func requireFingerprint(of found: Store) throws {
    guard try found.fingerprint() == store.fingerprint else { throw RepairPlanError.storeChanged(path: found.path) }
  }

  /// How long the file is planned to be, where it is written anew.
  fileprivate var compactedBytes: Int64? {
    for case .compact(let bytes) in operations.map(\.edit) { return bytes }
    return nil
  }

  /// Throws where a file that was written anew is not as long as planned.
  fileprivate func verifySize(of file: PosixPath) throws(RepairPlanError) {
    guard let compactedBytes, let size = FileSystem.identity(of: file)?.size, size != compactedBytes else { return }
    throw .notAsPlanned("the file is \(size) bytes long, and \(compactedBytes) were planned")
  }

  /// Throws where a store differs from what the plan predicts.
  ///
  /// Findings about side files do not count, since a copy has none.
  func verify(_ found: Condition) throws(RepairPlanError) {
    if found.rows != after.rows {
      let place = Set(found.rows.keys).union(after.rows.keys).sorted().first { found.rows[$0] != after.rows[$0] } ?? ""
      throw .notAsPlanned(
        "\(quoted(place)) has \(found.rows[place] ?? 0) rows, and \(after.rows[place] ?? 0) were planned")
    }
    guard found.isIntact || !after.isIntact else { throw .notAsPlanned("SQLite finds it damaged (SD102 or SD103)") }
    let differing = (found.findings + after.findings).first { place in
      !Check.traits(of: place.id).contains(.sideFiles) && found.count(at: place) != after.count(at: place)
    }
    guard let differing else { return try verifyOpening(found) }
    let place = [differing.entity, differing.property].compactMap(\.self).joined(separator: ".")
    throw .notAsPlanned(
      "\(differing.id) at \(quoted(place)) \(found.count(at: differing)) times, and \(after.count(at: differing)) "
        + "were planned")
  }

  /// Throws where the model the store was repaired for would do something else with it than planned.
  private func verifyOpening(_ found: Condition) throws(RepairPlanError) {
    guard let planned = after.opening, found.opening?.openings != planned.openings else { return }
    throw .notAsPlanned(
      "with \(quoted(planned.name)) it is \(found.opening?.verdict.rawValue ?? "not judged"), and "
        + "\(planned.verdict.rawValue) was planned")
  }
}
