/// When a commit of the log was written, by the history transactions that commits wrote.
struct CommitTime {
  /// Its own; nil where it wrote no transaction.
  var own: Double?
  /// That of the last commit before it that has one, and which one that is.
  var earlier: (commit: Int, time: Double)?
  /// That of the first commit after it that has one.
  var later: (commit: Int, time: Double)?
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
