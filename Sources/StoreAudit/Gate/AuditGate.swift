import StoreFindings
import StoreWords

/// The requirements that the stores of an audit have to meet.
package struct AuditGate: Sendable, Equatable {
  /// The severity from which on a store fails.
  package var failOn: Gate
  /// The version that every store has to have.
  package var expectedVersion: String?
  /// The least share of stores that must open or migrate.
  package var minimumMigrates: Percentage?
  /// Whether the migration of every store has to be rehearsed; lines that were rehearsed ask for it by themselves.
  package var rehearses: Bool
  /// Whether a store fails that loses something in its rehearsed migration; lines need the detail `facts` for it.
  package var failsOnLoss: Bool
  /// Whether a store fails that may hold more than what was read.
  package var requiresComplete: Bool

  private var stores: Int64 = 0
  private var openable: Int64 = 0
  private var atGate: Int64 = 0
  private var atGateExamples = AuditExamples()
  private var otherVersion: Int64 = 0
  private var otherVersionExamples = AuditExamples()
  private var blockedExamples = AuditExamples()
  private var notWhole: Int64 = 0
  private var notWholeExamples = AuditExamples()
  private var copies: Int64 = 0
  private var failedCopies: Int64 = 0
  /// What asked for the copies.
  private var copyOption = "--apply"
  private var failedCopyExamples = AuditExamples()
  private var rehearsed: Int64 = 0
  private var losing: Int64 = 0
  private var notPassed: Int64 = 0
  private var notPassedExamples = AuditExamples()

  /// A gate that no store has been checked against yet.
  ///
  /// - Parameter failOn: nil for errors, or for never if a rate is required.
  package init(
    failOn: Gate? = nil, expectedVersion: String? = nil, minimumMigrates: Percentage? = nil, rehearses: Bool = false,
    failsOnLoss: Bool = false, requiresComplete: Bool = false
  ) {
    self.failOn = failOn ?? (minimumMigrates == nil ? .error : .never)
    self.expectedVersion = expectedVersion
    self.minimumMigrates = minimumMigrates
    self.rehearses = rehearses
    self.failsOnLoss = failsOnLoss
    self.requiresComplete = requiresComplete
  }

  /// Checks a line; the order of lines does not matter.
  package mutating func add(_ line: AuditLine) {
    guard line.status.isStore else { return }
    stores.count(1)
    if line.severity.map(failOn.holds) == true {
      atGate.count(1)
      atGateExamples.add(line)
    }
    if line.store?.isWhole != true {
      notWhole.count(1)
      notWholeExamples.add(line)
    }
    if line.verdict == .opens || line.verdict == .migrates { openable.count(1) } else { blockedExamples.add(line) }
    if let output = line.output, output.outcome != "nothing-to-do" {
      copies.count(1)
      if output.outcome == "failed" {
        failedCopies.count(1)
        failedCopyExamples.add(line)
        copyOption = output.isAnonymized ? "--anonymize" : "--apply"
      }
    }
    if line.rehearsal != nil { rehearsed.count(1) }
    if line.losesInRehearsal { losing.count(1) }
    if !line.passesRehearsal(failsOnLoss: failsOnLoss) {
      notPassed.count(1)
      notPassedExamples.add(line)
    }
    if let expectedVersion, line.version.map(ExactText.init) != ExactText(expectedVersion) {
      otherVersion.count(1)
      otherVersionExamples.add(line)
    }
  }

  /// The requirements, and whether they are met.
  package struct Outcome: Sendable, Equatable {
    /// In the order of the options.
    package var demands: [Demand]
    /// Whether every requirement is met; nil where there was no store to decide that.
    package var isPassed: Bool? {
      if demands.contains(where: { $0.isMet == false }) { return false }
      return demands.contains { $0.isMet == nil } ? nil : true
    }

    /// One requirement.
    package struct Demand: Sendable, Equatable {
      /// The option it comes from: "--fail-on error".
      package var option: String
      /// Whether it is met; nil where there was no store.
      package var isMet: Bool?
      /// The result in a sentence: "3 of 1204 stores have an error".
      package var sentence: String
      /// Stores that fail it, the first few in byte order.
      package var examples: [AuditExample]
    }
  }

  /// The result so far.
  package var outcome: Outcome {
    Outcome(
      demands: [failOnDemand, versionDemand, rateDemand, completeDemand, rehearsalDemand, copyDemand].compactMap(\.self)
    )
  }

  /// "1,204 stores".
  private var whole: String { stores == 1 ? "1 store" : "\(grouped(stores)) stores" }

  private var failOnDemand: Outcome.Demand? {
    let what: String
    switch failOn {
    case .error: what = "an error"
    case .warning: what = "an error or a warning"
    case .note: what = "an error, a warning or a note"
    case .never: return nil
    }
    let isMet = atGate == 0
    let who = isMet ? "none of \(whole)" : "\(grouped(atGate)) of \(whole)"
    let sentence = stores == 0 ? "no store was looked at" : "\(who) \(atGate <= 1 ? "has" : "have") \(what)"
    return .init(
      option: "--fail-on \(failOn.rawValue)", isMet: stores == 0 ? nil : isMet, sentence: sentence,
      examples: atGateExamples.first)
  }

  private var versionDemand: Outcome.Demand? {
    guard let expectedVersion else { return nil }
    let isMet = otherVersion == 0
    let sentence =
      if stores == 0 {
        "no store was looked at"
      } else if isMet {
        stores == 1 ? "the store has this version" : "all \(whole) have this version"
      } else {
        "\(grouped(otherVersion)) of \(whole) \(otherVersion == 1 ? "has" : "have") another version or none"
      }
    return .init(
      option: "--expect-version \(expectedVersion)", isMet: stores == 0 ? nil : isMet, sentence: sentence,
      examples: otherVersionExamples.first)
  }

  /// A store that was not read far enough to tell does not meet it either.
  private var completeDemand: Outcome.Demand? {
    guard requiresComplete else { return nil }
    let sentence =
      stores == 0
      ? "no store was looked at"
      : notWhole == 0
        ? "\(stores == 1 ? "the store was" : "all \(whole) were") read with all that was saved"
        : "of \(grouped(notWhole)) of \(whole) what was saved last may be missing"
    return .init(
      option: "--require-complete", isMet: stores == 0 ? nil : notWhole == 0, sentence: sentence,
      examples: notWholeExamples.first)
  }

  private var rehearsalDemand: Outcome.Demand? {
    guard rehearses || failsOnLoss || rehearsed > 0 else { return nil }
    let passed = stores - notPassed
    let sentence =
      stores == 0
      ? "no store was looked at"
      : rehearsalSentence(passed: passed, of: stores, losing: losing)
    return .init(
      option: failsOnLoss ? "--rehearse --fail-on-loss" : "--rehearse", isMet: stores == 0 ? nil : notPassed == 0,
      sentence: sentence, examples: notPassedExamples.first)
  }

  /// A copy that could not be written is a failure in any case; if all were written, it is not mentioned.
  private var copyDemand: Outcome.Demand? {
    guard failedCopies > 0 else { return nil }
    let whole = copies == 1 ? "1 copy" : "\(grouped(copies)) copies"
    return .init(
      option: copyOption, isMet: false, sentence: "\(grouped(failedCopies)) of \(whole) could not be written",
      examples: failedCopyExamples.first)
  }

  private var rateDemand: Outcome.Demand? {
    guard let minimumMigrates else { return nil }
    let isMet = minimumMigrates.isReached(by: openable, of: stores)
    let sentence =
      stores == 0
      ? "no store was looked at"
      : "\(grouped(openable)) of \(whole) \(openable == 1 ? "opens or migrates" : "open or migrate"), "
        + rate(openable, of: stores, roundsUp: isMet)
    return .init(
      option: "--min-migrates \(minimumMigrates)", isMet: stores == 0 ? nil : isMet, sentence: sentence,
      examples: isMet ? [] : blockedExamples.first)
  }
}

/// "11 of 12 stores open or were migrated as judged; 3 stores lose data".
package func rehearsalSentence(passed: Int64, of stores: Int64, losing: Int64) -> String {
  "\(grouped(passed)) of \(counted(stores, "store")) \(passed == 1 || stores == 1 ? "opens or was" : "open or were") migrated "
    + "as judged" + (losing > 0 ? "; \(counted(losing, "store")) \(losing == 1 ? "loses" : "lose") data" : "")
}

/// A part of a whole in percent with two digits, rounded; but only all is 100%, and only nothing is 0%.
///
/// - Parameter roundsUp: false for one that misses a bound, which must not look as if it reached it.
package func rate(_ part: Int64, of whole: Int64, roundsUp: Bool = true) -> String {
  guard whole > 0, part >= 0, part <= whole else { return "0%" }
  var (hundredths, rest) = whole.dividingFullWidth(part.multipliedFullWidth(by: 10_000))
  if roundsUp, rest >= whole - rest { hundredths += 1 }
  if part < whole { hundredths = min(max(hundredths, part > 0 ? 1 : 0), 9_999) }
  let fraction = hundredths % 100
  let digits = fraction < 10 ? "0\(fraction)" : "\(fraction)"
  return fraction == 0 ? "\(hundredths / 100)%" : "\(hundredths / 100).\(digits)%"
}
