import StoreDiagnosis
import StoreFindings
import StoreWords

/// That two diagnoses say the same, besides what is about the files of the one.
struct FindingsProof {
  /// About the log, the journal and what lies beside the store: a copy has none of it. SD705 looks at other files of the folder,
  /// at free pages and at the change counter.
  static let ofFiles: Set<String> = ["SD104", "SD105", "SD106", "SD107", "SD705"]

  /// Damage: what cannot be read cannot be replaced.
  static let damage: Set<String> = ["SD101", "SD102", "SD103", "SD108"]

  let same: Int
  let notCompared: [String]
  let verdicts: [Anonymization.Proof.Verdict]
  /// Of a sample: what the store has by check and place, and the copy has not.
  let missing: [String]

  /// - Throws: `AnonymizingError` naming what differs.
  /// - Parameter dropped: attributes whose values were dropped, whose findings are not compared.
  init(before: Diagnosis, after: Diagnosis, dropped: Set<String>) throws(AnonymizingError) {
    let isCompared = Self.isCompared(dropped)
    let (old, new) = (Self.list(before, isCompared), Self.list(after, isCompared))
    missing = []
    guard old == new else {
      let differing = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted(by: codeUnitsPrecede)
      let words = differing.prefix(5).map { "\($0) (\(old[$0] ?? 0) before, \(new[$0] ?? 0) after)" }
      throw AnonymizingError(
        "the copy would not have the same findings: \(words.joined(separator: ", "))"
          + (differing.count > 5 ? " and \(differing.count - 5) more" : "")
          + "; try again, for chance decides about values, or keep these attributes with --keep")
    }
    same = before.findings.count(where: isCompared)
    notCompared = before.findings.filter { !isCompared($0) }.map(\.id).reduce(into: []) { ids, id in
      if !ids.contains(id) { ids.append(id) }
    }
    let (first, second) = (Self.verdicts(before), Self.verdicts(after))
    // Dropped values may stop a migration, or no longer.
    guard first == second || !dropped.isEmpty else {
      let differing = zip(first, second).first { $0 != $1 }
      throw AnonymizingError(
        "the copy would have another verdict with \(quoted(differing?.0.version ?? "a model")): "
          + "\(differing?.0.verdict ?? "none") before, \(differing?.1.verdict ?? "none") after")
    }
    verdicts = second
  }

  /// Compares with a copy that has a part of the objects: it has no finding which the store has not, but may lack some.
  ///
  /// - Throws: `FindingsOfSample` naming what it has besides.
  init(of before: Diagnosis, sample after: Diagnosis, dropped: Set<String>) throws(FindingsOfSample) {
    let isCompared = Self.isCompared(dropped)
    let (whole, sample) = (before.findings.filter(isCompared), after.findings.filter(isCompared))
    let (known, found) = (Set(whole.map(Self.place)), Set(sample.map(Self.place)))
    let new = sample.filter { !known.contains(Self.place($0)) }
    guard new.isEmpty else {
      throw FindingsOfSample(
        places: new.map(Self.place), entities: new.flatMap { [$0.entity].compactMap(\.self) + $0.entities.keys })
    }
    same = found.count
    missing = known.subtracting(found).sorted(by: codeUnitsPrecede)
    notCompared = Set(before.findings.map(\.id)).intersection(Self.ofFiles).sorted()
    let first = Self.verdicts(before)
    verdicts = Self.verdicts(after).enumerated().map { index, verdict in
      let old = index < first.count ? first[index].verdict : verdict.verdict
      return .init(
        version: verdict.version, verdict: verdict.verdict, ofStore: old == verdict.verdict ? nil : old)
    }
  }

  /// "SD401 Note.folder".
  private static func place(_ finding: Finding) -> String {
    let place = [finding.entity ?? finding.table, finding.property].compactMap(\.self).joined(separator: ".")
    return place.isEmpty ? finding.id : "\(finding.id) \(place)"
  }

  private static func isCompared(_ dropped: Set<String>) -> (Finding) -> Bool {
    { finding in
      !ofFiles.contains(finding.id)
        && !dropped.contains([finding.entity, finding.property].compactMap(\.self).joined(separator: "."))
    }
  }

  private static func list(_ diagnosis: Diagnosis, _ isCompared: (Finding) -> Bool) -> [String: Int64] {
    var list: [String: Int64] = [:]
    for finding in diagnosis.findings where isCompared(finding) {
      let place = [finding.entity ?? finding.table, finding.property].compactMap(\.self).joined(separator: ".")
      list["\(finding.id) \(place)", default: 0] += finding.count
      for (entity, count) in finding.entities { list["\(finding.id) \(place) of \(entity)", default: 0] += count }
    }
    for skipped in diagnosis.skipped where !ofFiles.contains(skipped.check) {
      list["\(skipped.check) skipped: \(skipped.reason)", default: 0] += 1
    }
    return list
  }

  private static func verdicts(_ diagnosis: Diagnosis) -> [Anonymization.Proof.Verdict] {
    diagnosis.models.map { .init(version: $0.name, verdict: $0.verdict.rawValue) }
  }
}

/// That a sample has findings which the store has not.
struct FindingsOfSample: Error, CustomStringConvertible {
  /// "SD410 Note".
  var places: [String]
  /// The entities they are about.
  var entities: [String]

  var description: String {
    let more = places.count > 5 ? " and \(places.count - 5) more" : ""
    return "findings that the store has not: \(places.prefix(5).joined(separator: ", "))\(more)"
  }

  /// To be said where no other sample was found.
  func refusal(_ limit: Int) -> AnonymizingError {
    AnonymizingError(
      "a copy of at most \(limit) objects of each entity would have \(self); give --sample a larger number, or leave it out"
    )
  }
}
