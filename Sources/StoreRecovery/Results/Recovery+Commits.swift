import StoreCoreData

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
