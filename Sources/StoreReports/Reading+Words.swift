import StoreCoreData
import StoreJSON
import StoreWords

extension Reading: JSONRepresentable {
  /// What the answer rests on, for scripts.
  var json: JSONValue {
    .object([
      ("complete", .string(complete.rawValue)), ("log", .string(log.rawValue)),
      ("accessTimes", .string(keepsAccessTimes ? "kept" : "mayHaveChanged")),
      ("reasons", reasons.isEmpty ? nil : .strings(reasons)),
    ])
  }
}

extension Page {
  /// Writes what a person has to know of the files before the answer; nothing in the plain case.
  ///
  /// - Parameter name: which of several stores it is about.
  mutating func write(_ reading: Reading, of name: String? = nil) {
    for clause in reading.clauses {
      paragraph(escapedForTerminal((name.map { "\($0): " } ?? "") + clause), first: "  ? ")
    }
  }
}
