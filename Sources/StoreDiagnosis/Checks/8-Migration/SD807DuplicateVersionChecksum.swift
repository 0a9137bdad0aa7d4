import StoreWords
import StoreFindings
import StoreMigration

extension Check {
  static let duplicateVersionChecksum = Check(
    .duplicateVersionChecksum, "duplicate-version-checksum", .error, traits: [.candidates],
    summary: "Two versions of the plan have one checksum.",
    explanation: """
      ## What it looks for
      Versions of the plan that are equal in everything that is hashed. It is an error where the app opens with a plan.

      ## Why it matters
      Such a plan raises an Objective-C exception before it looks at any store, "Duplicate version checksums across stages
      detected.", which Swift's `do` and `catch` do not see: the app ends.

      ## Example
      `V1` and `V2` list the same live classes, so both are what the classes are today.

      ## What can be done
      Nest in each `VersionedSchema` the classes as they were then. A version that changed nothing that is hashed (a
      default, a delete rule, a class name, an index) needs none: leave it out.
      """,
    ofCandidates: { view in
      let pairs = view.candidates.plan.duplicateVersions
      guard !pairs.isEmpty, view.candidates.hasPlan else { return [] }
      let shown = pairs.prefix(3).map { $0.map(quoted).joined(separator: " and ") }.joined(separator: ", ")
      return [
        view.check.finding(
          nil, count: Int64(pairs.count),
          message: "\(shown)\(pairs.count > 3 ? ", ..." : ""): equal in all that is hashed"
        ).asNote(unless: view.deciding?.way == .staged)
      ]
    })
}
