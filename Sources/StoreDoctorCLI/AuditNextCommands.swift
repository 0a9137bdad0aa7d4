import StoreDoctor
import StoreReports

/// The words of commands worth running after an audit, from those it was asked with.
struct AuditNextCommands {
  let input: AuditInputArguments
  let work: AuditWork
  let looks: AuditLooks
  let output: AuditOutput

  var value: AuditSummary.NextCommands {
    AuditSummary.NextCommands(
      diagnosis: looks.words, knowsModels: output.merged.isEmpty || !looks.candidates.models.isEmpty,
      audit: audit)
  }

  /// What gives the same summary: the lines where there are some, else the stores, where they can be named again.
  private var audit: [String]? {
    if !output.merged.isEmpty { return ["--merge"] + output.merged }
    if let lines = output.resume { return ["--merge", lines] }
    return input.words.map { $0 + looks.words + work.words + optionWords("--baseline", output.baseline) }
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

extension AuditLooks {
  /// The options as they were given, each name before its value.
  fileprivate var words: [String] {
    let repeated = [
      ("--model", candidates.models), ("--stages", candidates.stages), ("--unique", diagnosis.unique),
      ("--entity", diagnosis.entities),
      ("--check", checks.only), ("--skip", checks.skipped),
    ]
    let single = [
      ("--store-model", diagnosis.storeModel), ("--opening", candidates.opening?.rawValue),
      ("--plan-order", candidates.planOrder), ("--config", configuration.config),
      ("--examples", diagnosis.examples.map { "\($0)" }),
    ]
    let flags = [
      (diagnosis.judgesAsMirrored.map { $0 ? "--cloudkit" : "--no-cloudkit" }),
      (diagnosis.integrity.map { $0 ? "--integrity" : "--no-integrity" }), diagnosis.withoutWAL ? "--without-wal" : nil,
      configuration.ignoresConfiguration ? "--no-config" : nil,
    ]
    return repeated.flatMap { name, values in values.flatMap { [name, $0] } }
      + single.flatMap { name, value in optionWords(name, value) } + flags.compactMap(\.self)
  }
}
