import StoreAudit
import StoreFindings

extension AuditSummary {
  /// What the commands need that are worth running next, in words as a program gets them.
  public struct NextCommands: Sendable {
    /// Options by which `diagnose` sees a store as the audit did.
    public var diagnosis: [String]
    /// Whether they name all models; lines do not say where those were read.
    public var knowsModels: Bool
    /// What makes `audit` come to the same summary; nil where nothing can.
    public var audit: [String]?

    /// Nothing but what the summary itself knows.
    public init(diagnosis: [String] = [], knowsModels: Bool = false, audit: [String]? = nil) {
      self.diagnosis = diagnosis
      self.knowsModels = knowsModels
      self.audit = audit
    }
  }

  func writeNext(_ next: NextCommands, to page: inout Page) {
    let lines = commands(next)
    guard !lines.isEmpty else { return }
    page.section("Next")
    for line in lines { page.line("  storedoctor " + line) }
  }

  private func commands(_ next: NextCommands) -> [String] {
    let cause = causes.first ?? findings.first { $0.severity == .error }
    // Of what lies in an archive there is no file that another command could take, and none takes archives.
    let example = cause?.examples.first {
      $0.pathBytes == nil && !$0.path.isEmpty && !$0.path.contains("!") && !isNamedArchive($0.path)
    }
    return [
      cause.map { "explain \(shellQuoted($0.check))" },
      example.map { example in
        shellWords(["diagnose", pathWord(example.path)] + next.diagnosis)
          + (hasCandidates && !next.knowsModels ? "   # with the --model of the audit" : "")
      },
      next.audit.map { words in
        shellWords(["audit"] + words + ["--summary", "--format", "html", "--report", "audit.html"])
          + "   # the same with charts"
      },
    ].compactMap(\.self)
  }
}

private func shellWords(_ words: [String]) -> String { words.map(shellQuoted).joined(separator: " ") }
