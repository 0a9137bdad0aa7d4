import StoreInspection
import StoreRecovery

extension Recovery {
  /// What commits of the log, and changes that were trimmed from the history, prove besides the history that is kept.
  package var provedByPages: [Timeline.ProvedEnd] {
    rows.filter { $0.grade == .proved }.compactMap { row in
      guard let key = row.key, let name = row.entity ?? row.table else { return nil }
      let absences = row.witnesses.filter { $0.shows == .absent }
      // The history that is kept has an event of its own.
      guard absences.allSatisfy({ $0.commit != nil || $0.isTrimmed }) else { return nil }
      if let trimmed = absences.first(where: \.isTrimmed) {
        let time: Timeline.Time = trimmed.time.map { .exact($0) } ?? .between(row.bracket.after, row.bracket.before)
        return Timeline.ProvedEnd(
          entity: name, key: key, isDeletion: row.kind == .deleted, proof: .trimmedChange(trimmed.what), time: time)
      }
      guard let present = row.witnesses.first(where: { $0.shows == .present && $0.commit != nil })?.commit,
        let absent = absences.first?.commit
      else { return nil }
      return Timeline.ProvedEnd(
        entity: name, key: key, isDeletion: row.kind == .deleted, proof: .commits(present: present, absent: absent),
        time: row.bracket.time)
    }
  }
}

extension Bracket {
  /// As a timeline has it.
  var time: Timeline.Time {
    after == before ? after.map { .exact($0) } ?? .between(nil, nil) : .between(after, before)
  }
}
