import StoreCoreData

/// When a commit of the log was written, by the history transactions that commits wrote.
struct CommitTime {
  /// Its own; nil where it wrote no transaction.
  var own: Double?
  /// That of the last commit before it that has one, and which one that is.
  var earlier: (commit: Int, time: Double)?
  /// That of the first commit after it that has one.
  var later: (commit: Int, time: Double)?
}

extension Store {
  /// The times of the commits of the log, by number.
  ///
  /// - Throws: as `commits()`.
  func commitTimes(isNeeded: Bool) throws -> [Int: CommitTime] {
    guard isNeeded else { return [:] }
    let commits = try commits()
    var times: [Int: CommitTime] = [:]
    var known: (commit: Int, time: Double)?
    for commit in commits {
      let own = commit.changes?.times?.upperBound
      times[commit.number] = CommitTime(own: own, earlier: known)
      known = own.map { (commit.number, $0) } ?? known
    }
    known = nil
    for commit in commits.reversed() {
      times[commit.number]?.later = known
      known = commit.changes?.times.map { (commit.number, $0.upperBound) } ?? known
    }
    return times
  }
}

extension Recovery {
  /// Whether commits of the log are among the witnesses.
  var isSeenInLog: Bool { rows.contains(where: \.isSeenInLog) || models.contains(where: \.row.isSeenInLog) }
}

extension RecoveredRow.Witness {
  /// Gives a witness that is a commit a time: its own, or the next one that is certain.
  mutating func date(by times: CommitTime) {
    if let own = times.own {
      time = own
      return
    }
    switch shows {
    case .present:
      guard let earlier = times.earlier else { return }
      time = earlier.time
      what += ", not before commit \(earlier.commit)"
    case .absent:
      guard let later = times.later else { return }
      time = later.time
      what += ", not after commit \(later.commit)"
    }
  }
}
