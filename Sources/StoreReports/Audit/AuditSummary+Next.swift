import StorePlaces
import StoreAudit
import StoreFindings
import StoreText

extension AuditSummary {
  /// The parts of suggested commands, as arguments.
  package struct NextCommands: Sendable {
    /// Options that make `diagnose` examine a store as the audit did.
    package var diagnosis: [String]
    /// Whether these include all models; lines do not say where models were read.
    package var knowsModels: Bool
    /// The arguments that make `audit` give the same summary; nil where that is not possible.
    package var audit: [String]?

    /// No options beyond what the summary itself contains.
    package init(diagnosis: [String] = [], knowsModels: Bool = false, audit: [String]? = nil) {
      self.diagnosis = diagnosis
      self.knowsModels = knowsModels
      self.audit = audit
    }
  }

  func writeNext(_ next: NextCommands, to page: inout Page) {
    let commands = commands(next)
    guard !commands.isEmpty else { return }
    page.section("Next")
    for command in commands { page.command("storedoctor " + command.words, note: command.note) }
  }

  /// A command without the program's name, and what it is for.
  typealias Command = (words: String, note: String?)

  private func commands(_ next: NextCommands) -> [Command] {
    let cause = causes.first ?? findings.first { $0.severity == .error }
    return (cause.map { looks(at: $0, next) } ?? [])
      + [
        next.audit.map { words in
          (
            shellWords(["audit"] + words + ["--summary", "--format", "html", "--report", "audit.html"]),
            "the same with charts"
          )
        }
      ].compactMap(\.self)
  }

  /// The commands that say more of what was found: what it is, and which rows of one store have it.
  func looks(at found: FoundAt, _ next: NextCommands) -> [Command] {
    // Other commands cannot open stores inside of archives.
    let example = found.examples.first {
      $0.pathBytes == nil && !$0.path.isEmpty && !$0.path.contains("!") && !isNamedArchive($0.path)
    }
    let diagnosis = example.map { example -> Command in
      (
        shellWords(["diagnose", pathWord(example.path)] + next.diagnosis),
        hasCandidates && !next.knowsModels ? "with the --model of the audit" : nil
      )
    }
    return [("explain \(shellQuoted(found.check))", nil)] + [diagnosis].compactMap(\.self)
  }
}

private func shellWords(_ words: [String]) -> String { words.map(shellQuoted).joined(separator: " ") }
