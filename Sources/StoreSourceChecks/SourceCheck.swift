import StoreFindings

/// One kind of mistake that shows in SwiftData source: what it is called and what it means.
///
/// How it is found is in `SwiftDataLint`, which is part of the program `storedoctor-swiftdata`. The texts are here, so
/// that `explain`, configurations and reports need no Swift parser.
package struct SourceCheck: Sendable, Equatable {
  /// "SD903"; permanent and never used again.
  package let id: String
  /// "live-class-in-version": the problem, not the cure; permanent too.
  package let name: String
  /// How bad a finding is at most, unless somebody says otherwise.
  package let severity: Severity
  /// The needs of the check.
  package let needs: [Need]
  /// One sentence.
  package let summary: String
  /// Markdown under four headings: what it looks for, why it matters, an example, what can be done.
  package let explanation: String

  /// The things a check looks at.
  package enum Need: String, Sendable, CaseIterable {
    /// The source alone.
    case source
    /// A store that was shipped, or pins of versions.
    case storesOrPins = "stores or pins"
    /// A call that makes a container.
    case containers
    /// Code of tests.
    case tests
    /// The oldest systems the app runs on.
    case buildSettings = "build settings"
  }

  init(
    _ id: String, _ name: String, _ severity: Severity, needs: [Need] = [.source], summary: String, looksFor: String,
    matters: String, bad: String, good: String, remedy: String
  ) {
    self.id = id
    self.name = name
    self.severity = severity
    self.needs = needs
    self.summary = summary
    explanation = """
      ## What it looks for
      \(looksFor)

      ## Why it matters
      \(matters)

      ## Example
      ```swift
      // bad
      \(bad)

      // good
      \(good)
      ```

      ## What can be done
      \(remedy)
      A finding that is known and accepted is silenced where it stands: `// storedoctor:ignore \(id) reason`.
      """
  }
}

extension SourceCheck: NamedCheck {}

extension SourceCheck: CustomStringConvertible {
  /// "SD903 live-class-in-version".
  package var description: String { "\(id) \(name)" }
}

extension SourceCheck {
  /// The checks that compare versions with what was shipped. They are run here, where stores are read.
  package static let ofShippedVersions: [SourceCheck] = [unknownShippedVersion, editedShippedVersion]
}
