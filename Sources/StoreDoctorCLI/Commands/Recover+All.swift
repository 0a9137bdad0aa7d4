import ArgumentParser
import StoreRecovery
import StoreReports
import StoreSQLite
import StoreWords

/// `storedoctor recover PLACE --all`.
extension Recover {
  /// Throws for options that are about one store.
  func checkAll() throws {
    let others: [(String, Bool)] = [
      ("--wal", scope.logPath != nil), ("--verify", scope.verify != nil), ("--models", choice.models),
      ("--any-sqlite", scope.anySQLite),
      ("--entity", !choice.entities.isEmpty), ("--case", output.caseName != nil),
      ("--examiner", output.examiner != nil),
    ]
    if let option = others.first(where: \.1)?.0 {
      throw ValidationError("\(option) is about one store; omit --all, or name the store")
    }
    switch output.format {
    case .text, .jsonl, .csv: break
    case .json, .html, .caseUCO:
      throw ValidationError(
        "--all writes text, jsonl or csv; --format \(output.format.rawValue) is a report of one store, so name that")
    }
  }

  /// Searches every store of the place.
  func runAll() throws {
    let all = try EveryStore(PosixPath(argument: store))
    let models = try readFormerModels()
    let file = try output.path.map {
      try StreamedFile(creating: PosixPath(argument: $0), keepsParts: false, mode: 0o600)
    }
    func put(_ text: String) throws {
      if let file {
        var text = text
        try text.withUTF8 { try file.write(UnsafeRawBufferPointer($0)) }
      } else {
        try standardOutput(text)
      }
    }
    if output.format == .csv { try put(Recovery.csvHeaderForSeveral) }
    try all.forEach(nil) { path, shown in
      var recovery = try recoverPastDamage(
        path, log: nil, formerModels: models, describedBy: storeModel.source(of: path.description))
      if recovery.reading?.isOfStandIn == true { all.noteDamaged() }
      try choose(from: &recovery, models.map(\.name))
      switch output.format {
      case .jsonl:
        for note in recovery.notes { all.tell("\(shown): note: \(note)") }
        for row in recovery.rows { try put(Recovery.line(row, of: shown)) }
      case .csv:
        for note in recovery.notes { all.tell("\(shown): note: \(note)") }
        for row in recovery.rows { try put(Recovery.csvLine(row, of: shown)) }
      default:
        try put("== \(escapedForTerminal(shown))\n")
        try recovery.writeText(
          width: output.width, isStyled: output.isStyled && file == nil, isSummary: choice.summary, to: put)
        try put("\n")
      }
      try recovery.checkUnchanged()
    }
    try file?.finish()
    try all.finish()
  }
}
