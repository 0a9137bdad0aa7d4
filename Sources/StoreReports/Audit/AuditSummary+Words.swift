import StoreAudit
import StoreCoreData
import StoreDiagnosis
import StoreFindings
import StoreWords

// Words shared by text and page.

extension AuditSummary {
  /// A verdict, or a status without one, and its number of stores.
  struct StoresOutcome {
    var name: String
    var stores: Int64
    /// The style, which decides the colour.
    var style: String

    /// All verdicts, best first; those that migrate and lose data apart from those that lose none.
    fileprivate static func list(losing: Int64, _ stores: (Verdict) -> Int64) -> [Self] {
      Verdict.allCases.flatMap { verdict in
        let name = verdict.rawValue
        guard verdict == .migrates else { return [Self(name: name, stores: stores(verdict), style: name)] }
        return [
          Self(name: name, stores: max(stores(verdict) - losing, 0), style: name),
          Self(name: name + ", losing data", stores: losing, style: "losing"),
        ]
      }
    }
  }

  /// Verdicts, and statuses of stores without a verdict, best first.
  var outcomes: [StoresOutcome] {
    let verdicts = StoresOutcome.list(losing: losing) { self[$0] }
    let statuses = AuditStatus.allCases.filter { $0.isStore && $0 != .audited }.map {
      StoresOutcome(name: $0.rawValue, stores: self[$0], style: "unread")
    }
    return (verdicts + statuses).filter { $0.stores > 0 }
  }

  /// Whether models were given to judge the stores by.
  var hasCandidates: Bool {
    Verdict.allCases.contains { verdict in
      switch verdict {
      case .healthy, .findings, .damaged: false
      case .opens, .migrates, .blockedByData, .needsCustomStage, .unknownVersion, .foreignModel: self[verdict] > 0
      }
    }
  }

  /// Stores that could not be read, or not within the limits.
  var unread: Int64 {
    [AuditStatus.unreadable, .timedOut, .crashed, .overMemory].reduce(0) { $0 + self[$1] }
  }

  /// The title of what became of rehearsed migrations.
  static let rehearsalsTitle = "Migrations performed in private"

  /// The title of the list of rows at risk.
  static let risksTitle = "Lost by migrating, or worth a look"

  /// The result in a sentence.
  var answer: String {
    guard stores > 0 else { return "no store was looked at" }
    if hasCandidates {
      let words = openable == 1 ? "opens or migrates" : "open or migrate"
      return "\(grouped(openable)) of \(counted(stores, "store")) \(words) (\(rate(openable, of: stores)))"
    }
    let sound = stores - self[.error] - self[.warning]
    if known > 0 {
      let words = "\(sound == 1 ? "has" : "have") nothing but what is known"
      return "\(grouped(sound)) of \(counted(stores, "store")) \(words) (\(rate(sound, of: stores)))"
    }
    return
      "\(grouped(sound)) of \(counted(stores, "store")) \(sound == 1 ? "is" : "are") sound (\(rate(sound, of: stores)))"
  }

  /// Findings that are not in another section already.
  var findingsBesideCauses: [FoundAt] {
    findings.filter { finding in
      Check.traits(of: finding.check).isDisjoint(with: [.unreadable, .restatement])
        && !(Check.traits(of: finding.check).contains(.losses) && isAtRisk(finding))
        && storesInCauses(finding) != finding.stores
    }
  }

  /// In how many stores causes name it already, with one code or another.
  private func storesInCauses(_ finding: FoundAt) -> Int64 {
    causes.reduce(0) { $0 + ($1.check == finding.check && $1.place == finding.place ? $1.stores : 0) }
  }

  /// Whether a loss stands in the list of rows at risk.
  private func isAtRisk(_ finding: FoundAt) -> Bool {
    atRisk.contains { $0.isLoss && $0.owner == finding.owner && $0.property == finding.property }
  }

  /// Further remarks on the result.
  var remarks: [String] {
    let found = Severity.allCases.reversed().compactMap { severity in
      self[severity] > 0 ? "\(grouped(self[severity])) with \(severity.rawValue)s at worst" : nil
    }
    let hidden = [(known, "known"), (muted, "muted"), (leftOut, "of other entities")]
      .filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    return [
      losing > 0 ? "\(grouped(losing)) of them \(losing == 1 ? "loses" : "lose") rows or values by it" : nil,
      found.isEmpty ? nil : "stores by severity: \(found.joined(separator: ", "))",
      unread > 0 ? "\(counted(unread, "store")) could not be read" : nil,
      savable.stores > 0 ? savable.words : nil,
      hidden.isEmpty ? nil : "findings not shown: \(hidden.joined(separator: ", "))",
      configs.isEmpty ? nil : "settings of \(configs.map { quoted($0) }.joined(separator: ", "))",
      incomplete > 0
        ? "\(grouped(incomplete)) of \(counted(stores, "store")) not looked at for everything: 'skipped' in "
          + "\(incomplete == 1 ? "its line" : "their lines") says what and why" : nil,
      notWhole > 0
        ? "of \(grouped(notWhole)) of \(counted(stores, "store")) what was saved last may be missing: no -wal beside "
          + "\(notWhole == 1 ? "it" : "them"), or one that was not read" : nil,
      touched > 0
        ? "of \(grouped(touched)) of \(counted(stores, "store")) the \(Reading.accessTimesClause)" : nil,
      self[.noStore] > 0
        ? "\(counted(self[.noStore], "thing")) looked at \(self[.noStore] == 1 ? "holds" : "hold") no store" : nil,
      self[.notFollowed] > 0
        ? "\(counted(self[.notFollowed], "link or nested archive", "links or nested archives")) not followed" : nil,
      runs.count > 1
        ? "the lines are of \(runs.count) different runs: models, checks or options were not the same for all" : nil,
    ].compactMap(\.self)
  }
}

extension SavableCount {
  /// "of 2 damaged stores 'storedoctor salvage' would save 340 objects; 20 keys of objects are lost".
  fileprivate var words: String {
    let open = mayLoseMore > 0 ? "of \(counted(mayLoseMore, "store")) it is not known how many are lost" : nil
    let known = lostKeys > 0 ? "lost are up to \(counted(lostKeys, "object"))" : nil
    let lost = [known, open].compactMap(\.self).map { "; " + $0 }.joined()
    return "of \(counted(stores, "damaged store")) 'storedoctor salvage' would save \(counted(objects, "object"))"
      + (doubtful > 0 ? " and leave out \(counted(doubtful, "doubtful row"))" : "") + lost
  }
}

extension AuditLine.Rehearsal {
  /// The limits of every rehearsal.
  static let notProved =
    "no Apple framework has run: what Core Data writes is known from real stores, and the app's own code (custom stages, "
    + "mapping policies, what it does after opening) was not run"
}

extension AuditSummary.Rehearsals {
  /// Outcomes with their number of stores, best first; those that lose something apart.
  var rows: [(name: String, stores: Int64)] {
    let losses = min(losing, outcomes[.performed] ?? 0)
    return AuditLine.Rehearsal.Outcome.allCases.flatMap { outcome -> [(name: String, stores: Int64)] in
      let stores = outcomes[outcome] ?? 0
      guard outcome == .performed else { return [(outcome.rawValue, stores)] }
      return [(outcome.rawValue, stores - losses), (outcome.rawValue + ", losing data", losses)]
    }.filter { $0.stores > 0 }
  }

  /// "1,204 objects kept; 3 objects and 18 values lost".
  var objects: String {
    let lost = [(self.lost, "object"), (lostValues, "value")].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
    return "\(counted(kept, "object")) kept; \(lost.isEmpty ? "nothing" : lost.joined(separator: " and ")) lost"
  }
}

extension AuditSummary.Rehearsals.Obstacle {
  /// "not-rehearsed: the stage is code of the app, 3 stores".
  var words: String {
    [outcome.rawValue, reason].filter { !$0.isEmpty }.joined(separator: ": ") + ", " + counted(stores, "store")
  }
}

extension AuditSummary.VersionUse {
  /// The outcomes for the stores of the version, best first.
  var outcomes: [AuditSummary.StoresOutcome] {
    AuditSummary.StoresOutcome.list(losing: losing) { verdicts[$0] ?? 0 }.filter { $0.stores > 0 }
  }

  /// "1,200 opens, 3 migrates, losing data".
  var outcomeWords: String { outcomes.map { "\(grouped($0.stores)) \($0.name)" }.joined(separator: "; ") }
}
