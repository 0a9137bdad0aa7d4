import StoreDoctor
import StoreReports

/// The words of commands worth running after an audit, from those it was asked with.
struct AuditNextCommands {
  let input: AuditInputArguments
  let work: AuditWork
  let diagnosis: DiagnosisArguments
  let output: AuditOutput

  var value: AuditSummary.NextCommands {
    AuditSummary.NextCommands(
      diagnosis: diagnosis.words, knowsModels: output.merged.isEmpty || !diagnosis.candidates.models.isEmpty,
      audit: audit)
  }

  /// What gives the same summary: the lines where there are some, else the stores, where they can be named again.
  private var audit: [String]? {
    if !output.merged.isEmpty { return ["--merge"] + output.merged }
    if let lines = output.resume { return ["--merge", lines] }
    return input.words.map { $0 + diagnosis.words + work.words + optionWords("--baseline", output.baseline) }
  }
}

private func optionWords(_ name: String, _ value: String?) -> [String] { value.map { [name, $0] } ?? [] }

extension AuditInputArguments {
  /// Nil where standard input was read, which has no second time.
  fileprivate var words: [String]? {
    guard !lists.contains("-") else { return nil }
    return path + lists.flatMap { ["--from", $0] } + (isNULSeparated ? ["-0"] : [])
      + optionWords("--shard", shard)
  }
}

extension AuditWork {
  /// What may move a line.
  fileprivate var words: [String] {
    optionWords("--timeout", timeout == Self.usualTimeout ? nil : "\(timeout)")
      + optionWords("--memory", memory == Self.usualMemory ? nil : "\(memory)")
  }
}

extension DiagnosisArguments {
  /// The options as they were given, each name before its value.
  fileprivate var words: [String] {
    let repeated = [
      ("--model", candidates.models), ("--stages", candidates.stages), ("--unique", unique), ("--entity", entities),
      ("--check", checks.only), ("--skip", checks.skipped),
    ]
    let single = [
      ("--store-model", storeModel), ("--opening", candidates.opening?.rawValue),
      ("--plan-order", candidates.planOrder), ("--config", configuration.config),
      ("--examples", examples.map { "\($0)" }),
    ]
    let flags = [
      (judgesAsMirrored.map { $0 ? "--cloudkit" : "--no-cloudkit" }),
      (integrity.map { $0 ? "--integrity" : "--no-integrity" }), withoutWAL ? "--without-wal" : nil,
      configuration.ignoresConfiguration ? "--no-config" : nil,
    ]
    return repeated.flatMap { name, values in values.flatMap { [name, $0] } }
      + single.flatMap { name, value in optionWords(name, value) } + flags.compactMap(\.self)
  }
}
