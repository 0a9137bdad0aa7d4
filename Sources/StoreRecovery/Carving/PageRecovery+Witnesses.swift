extension PageRecovery.Judged {
  /// The commits that prove it.
  var witnesses: [RecoveredRow.Witness] {
    guard let proof else { return [] }
    func witness(_ shows: RecoveredRow.Witness.Shows, commit: Int) -> RecoveredRow.Witness {
      RecoveredRow.Witness(
        shows: shows, what: commit == 0 ? "the main file before commit 1 of the log" : "commit \(commit) of the log",
        time: nil, commit: commit)
    }
    return [witness(.present, commit: Int(proof.present)), witness(.absent, commit: Int(proof.absent))]
  }
}

extension RecoveredRow {
  /// A row that was found.
  init(_ judged: PageRecovery.Judged, _ layout: RowLayout) {
    self.init(kind: judged.kind, grade: judged.isProved ? .proved : .shown)
    (key, keySource) = (judged.key, judged.keySource)
    witnesses = judged.witnesses
    object = judged.key == nil ? judged.object : -1
    source = .found(layout, judged.index)
  }
}
