import StoreFindings
import StoreDiagnosis
import StoreText

/// The result of `storedoctor explain`: `storedoctor.explanation/2`.
public struct Explanation: Sendable, Equatable {
  /// Checks that were asked for.
  package var checks: [CheckWords] = []
  /// If the words asked for occur in several check names: those checks, to choose from.
  package var choices: [CheckWords] = []
  /// Error numbers that were asked for or occur in the log.
  package var errors: [KnownError] = []
  /// Error numbers in the log that are not known.
  package var unknown: [LogFacts.Code] = []
  /// What is known of statements that were asked about.
  package var claims: [KnownReason] = []
  /// The facts of the log; nil without one.
  package var log: LogFacts?
  /// The facts of the store about the log; nil without a store.
  package var store: LogInStore?

  /// Checks that look for the cause, each once, the most likely first: those of a reason come before those of a
  /// number.
  package var suggestedChecks: [String] {
    let reasons = log?.reasons ?? []
    let named =
      reasons.filter { !$0.isWrapper }.flatMap(\.checks) + errors.flatMap(\.checks)
      + reasons.filter(\.isWrapper).flatMap(\.checks)
    var seen: Set<String> = []
    return named.filter { seen.insert($0).inserted }
  }
}

extension Explanation {
  /// All checks and all error numbers.
  package static let everything = Explanation(checks: CheckWords.all, errors: KnownError.all)
}

/// Why something cannot be explained.
public enum ExplainError: Error, CustomStringConvertible, Equatable {
  /// It is neither a check nor a known number, symbol or text.
  case unknown(String)

  /// The problem, and a next step to try.
  public var description: String {
    switch self {
    case .unknown(let text):
      "nothing is known of '\(text)'; ask for a check (SD401, dangling-reference, or a word of its name), an error number "
        + "(134110, sqlite:11), its symbol or its text, or give a log with --log"
    }
  }
}

/// Explains checks, error numbers, symbols and the texts that apps print.
///
/// - Parameter topics: "SD401", "dangling-reference", "134110", "sqlite:11", "NSMigrationError", "Duplicate version
///   checksums detected."
/// - Throws: `ExplainError` for a topic that is not known.
public func explain(_ topics: [String]) throws(ExplainError) -> Explanation {
  var explanation = Explanation()
  var texts: [String] = []
  var claims: [KnownReason] = []
  for topic in topics {
    if let check = CheckWords.named(topic) ?? CheckWords.named(topic.uppercased()) {
      explanation.checks.append(check)
      continue
    }
    let errors = knownErrors(topic)
    explanation.errors += errors.filter { !explanation.errors.contains($0) }
    guard errors.isEmpty else { continue }
    let checks = CheckWords.named(with: topic)
    // People leave the full stop of a sentence out.
    if let text = [topic, topic + "."].first(where: isKnownText) {
      texts.append(text)
    } else if let check = checks.first {
      if checks.count == 1 { explanation.checks.append(check) } else { explanation.choices += checks }
    } else {
      let sentences = KnownReason.all.filter { $0.contains(topic) }
      let claim = KnownReason.claims.first { topic.lowercased().contains($0.words) }
      guard !sentences.isEmpty || claim != nil else { throw .unknown(topic) }
      if let claim, sentences.isEmpty { claims.append(claim) }
      texts += sentences.map(\.words)
    }
  }
  if !texts.isEmpty { explanation.add(explain(log: Array(texts.joined(separator: "\n").utf8))) }
  explanation.claims = claims
  return explanation
}

/// Whether a text contains something known and is not just a mistyped number or name.
private func isKnownText(_ text: String) -> Bool {
  text.contains { $0 == " " || $0 == "=" } && !LogReader.facts(in: Array(text.utf8)).isEmpty
}

extension CheckWords {
  /// The checks whose names contain these words in sequence: "dangling", "required value".
  fileprivate static func named(with words: String) -> [CheckWords] {
    let words = words.lowercased().split { $0 == " " || $0 == "-" || $0 == "_" }.joined(separator: "-")
    return words.isEmpty ? [] : all.filter { "-\($0.name)-".contains("-\(words)-") }
  }
}

extension KnownReason {
  /// Whether the sentence contains a quoted part of at least two words.
  fileprivate func contains(_ part: String) -> Bool {
    let part = part.lowercased().replacing("\u{2019}", with: "'").replacing("...", with: "").replacing(
      "\u{2026}", with: ""
    )
    .split(separator: " ").joined(separator: " ")
    // A name alone, as "loadIssueModelContainer".
    if part == words { return true }
    guard part.contains(" "), part.utf8.count >= 12 else { return false }
    return " \(words) ".contains(" \(part) ") || " \(words.filter { $0 != "." }) ".contains(" \(part) ")
  }
}

extension Explanation {
  /// Adds what a log says.
  package mutating func add(_ log: Explanation) {
    errors += log.errors.filter { !errors.contains($0) }
    unknown = log.unknown
    self.log = log.log
  }
}

/// Explains a log.
package func explain(log: [UInt8]) -> Explanation {
  var explanation = Explanation()
  let facts = LogReader.facts(in: log)
  for code in facts.codes {
    if let known = KnownError.numbered(code.number, in: code.domain) {
      explanation.errors.append(known)
    } else {
      explanation.unknown.append(code)
    }
  }
  for code in facts.reasons.compactMap(\.code) {
    guard let known = KnownError.numbered(code, in: .cocoa), !explanation.errors.contains(known) else { continue }
    explanation.errors.append(known)
  }
  explanation.log = facts
  return explanation
}

private func knownErrors(_ topic: String) -> [KnownError] {
  let lower = topic.lowercased()
  for (prefix, domain) in [("sqlite:", KnownError.Domain.sqlite), ("cocoa:", .cocoa)] where lower.hasPrefix(prefix) {
    return Int(topic.dropFirst(prefix.count)).flatMap { KnownError.numbered($0, in: domain) }.map { [$0] } ?? []
  }
  return Int(topic).map(KnownError.numbered) ?? KnownError.named(topic)
}
