import StoreAudit
import StoreReports

/// Suggested commands after an audit, made from its own arguments.
struct AuditNextCommands {
  let input: AuditInputArguments
  let work: AuditWork
  let looks: AuditLooks
  let output: AuditOutput

  var value: AuditSummary.NextCommands {
    AuditSummary.NextCommands(
      diagnosis: looks.words, knowsModels: output.merged.isEmpty,
      audit: audit.map { $0 + looks.gate.words + (looks.rehearsal.failOnLoss ? ["--fail-on-loss"] : []) })
  }

  /// The arguments that give the same summary: from lines if there are some, else from the stores, unless they were
  /// listed on standard input.
  private var audit: [String]? {
    if !output.merged.isEmpty { return ["--merge"] + output.merged }
    if let lines = output.resume { return ["--merge", lines] }
    return input.words.map {
      $0 + looks.words + looks.recipe.words + looks.rehearsal.words + work.words
        + optionWords("--baseline", value: looks.gate.baseline)
    }
  }
}

private func optionWords(_ name: String, value: String?) -> [String] { value.map { [name, $0] } ?? [] }

extension AuditInputArguments {
  /// Nil where standard input was read, which cannot be repeated.
  fileprivate var words: [String]? {
    guard !lists.contains("-") else { return nil }
    return path.map { $0.hasPrefix("-") ? "./" + $0 : $0 } + lists.flatMap { ["--from", $0] }
      + (isNULSeparated ? ["-0"] : [])
      + optionWords("--shard", value: shard) + optionWords("--wal", value: logPath)
  }
}

extension AuditGateArguments {
  /// The options without those of what is known already.
  fileprivate var words: [String] {
    optionWords("--fail-on", value: failOn?.rawValue) + optionWords("--expect-version", value: expectVersion)
      + optionWords("--min-migrates", value: minMigrates?.description) + (requireComplete ? ["--require-complete"] : [])
  }
}

extension AuditRecipeArguments {
  /// The option for the same plans.
  fileprivate var words: [String] { optionWords("--recipe", value: recipeFile) }
}

extension AuditRehearsalArguments {
  /// The options for the same rehearsals.
  fileprivate var words: [String] {
    stages.performed.flatMap { ["--perform", $0] } + names.filter { $0 != "--perform" }
  }
}

extension AuditWork {
  /// The options that may change lines.
  fileprivate var words: [String] {
    optionWords("--timeout", value: timeout == Self.usualTimeout ? nil : "\(timeout)")
      + optionWords("--memory", value: memory == Self.usualMemory ? nil : "\(memory)")
  }
}

extension AuditLooks {
  /// All options as given.
  fileprivate var words: [String] {
    ownWords + settingsWords
  }

  /// The options for the page about one store, which is about all of it.
  var pageWords: [String] { words(without: ["--entity", "--check", "--skip"]) + settingsWords }

  private var settingsWords: [String] {
    optionWords("--config", value: configuration.config) + (configuration.ignoresConfiguration ? ["--no-config"] : [])
  }

  /// The names of options that only matter when lines are made, and not for existing ones.
  var names: [String] {
    let carriedOut = [
      (recipe.recipeFile != nil, "--recipe"), (recipe.apply, "--apply"), (recipe.allowLossy, "--allow-lossy"),
      (recipe.allowMetadata, "--allow-metadata"), (recipe.allowMirrored, "--allow-mirrored"),
      (recipe.allowInvalid, "--allow-invalid"),
    ]
    return ownWords.filter { $0.hasPrefix("--") } + rehearsal.names + anonymizing.names
      + carriedOut.filter(\.0).map(\.1)
  }

  private var ownWords: [String] { words(without: []) }

  private func words(without others: Set<String>) -> [String] {
    let repeated = [
      ("--model", candidates.models), ("--define", candidates.define), ("--assume", candidates.assume.map(\.text)),
      ("--stages", candidates.stages),
      ("--unique", diagnosis.unique),
      ("--entity", diagnosis.entities),
      ("--check", checks.only), ("--skip", checks.skipped),
    ]
    let single = [
      ("--store-model", diagnosis.storeModel), ("--opening", candidates.opening?.rawValue),
      ("--plan-order", candidates.planOrder), ("--to-version", candidates.toVersion),
      ("--examples", diagnosis.examples.map { "\($0)" }),
    ]
    let flags = [
      (diagnosis.judgesAsMirrored.map { $0 ? "--cloudkit" : "--no-cloudkit" }),
      (diagnosis.integrity.map { $0 ? "--integrity" : "--no-integrity" }), files.withoutWAL ? "--without-wal" : nil,
    ]
    return repeated.filter { !others.contains($0.0) }.flatMap { name, values in values.flatMap { [name, $0] } }
      + single.flatMap { name, value in optionWords(name, value: value) } + flags.compactMap(\.self)
  }
}
