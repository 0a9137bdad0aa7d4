import StoreCoreData
import StoreJSON
import StoreWords

extension Reading: JSONRepresentable {
  /// What the answer rests on, for scripts.
  var json: JSONValue {
    .object([
      ("complete", .string(complete.rawValue)), ("sound", .string(sound.rawValue)), ("log", .string(log.rawValue)),
      ("namedLog", .optional(namedLog)), ("fittingLogs", fittingLogs.isEmpty ? nil : .strings(fittingLogs)),
      ("unfinishedRepair", .optional(unfinishedRepair)), ("abandonedJournal", .optional(abandonedJournal)),
      ("journal", appliesJournal ? .string("applied") : nil),
      ("accessTimes", .string(keepsAccessTimes ? "kept" : "mayHaveChanged")),
      ("reasons", reasons.isEmpty ? nil : .strings(reasons)),
      ("unread", unread.isEmpty ? nil : .strings(unread)),
      ("damage", damage.isEmpty ? nil : .strings(damage)),
    ])
  }
}

extension Page {
  /// Writes what a person has to know of the files before the answer; nothing in the plain case.
  ///
  /// - Parameters:
  ///   - name: which of several stores it is about.
  ///   - saysJournal: whether to say that a journal was applied; not where the answer says it in another place.
  ///   - saysUnread: whether to say what could not be read of the store as a whole; not where the answer says that.
  mutating func write(
    _ reading: Reading, of name: String? = nil, saysJournal: Bool = true, saysUnread: Bool = true
  ) {
    var reading = reading
    reading.appliesJournal = reading.appliesJournal && saysJournal
    for clause in saysUnread ? reading.clauses : reading.clausesOfDiagnosis {
      paragraph(escapedForTerminal((name.map { "\($0): " } ?? "") + clause), first: "  ? ")
    }
  }
}
