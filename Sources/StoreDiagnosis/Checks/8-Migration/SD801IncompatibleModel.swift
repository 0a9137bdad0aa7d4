import StoreWords
import StoreFindings
import StoreMigration
import StoreModels

extension Check {
  static let incompatibleModel = Check(
    .incompatibleModel, "incompatible-model", .error, traits: [.candidates, .restatement],
    summary: "The store was made with another version of the model than the one it is to be opened with.",
    explanation: """
      ## What it looks for
      Version hashes in the store's metadata that are not those of the version given with `--model`. It is a note when
      the version opens the store all the same, by a migration, and an error when it does not. Each version that was
      given is judged under `models`; there is one finding.

      ## Why it matters
      A coordinator that was not asked to migrate prints 134100, "The model used to open the store is incompatible with
      the one used to create the store", for whatever differs. What really stands in the way is SD805 or SD806.

      ## Example
      `Note` has another hash in `Notes 3` than in the store, because `modifiedAt` was added.

      ## What can be done
      Where the verdict is `migrates`, ask for migration (`NSPersistentContainer` and SwiftData do). Else see the finding
      that names the change or the rows, and the stage that `--stage-skeleton` writes.
      """,
    ofCandidates: { view in
      let differing = view.candidates.verdicts.filter { $0.verdict != .opens }
      guard let deciding = view.deciding, !differing.isEmpty else { return [] }
      guard deciding.verdict != .opens else {
        return [
          view.check.finding(nil, message: "\(namedVersions(differing.map(\.name))): not the version of this store")
            .asNote(unless: false)
        ]
      }
      return [
        view.check.finding(
          nil, message: .differs(deciding),
          blocks: [134100] + [deciding.failure?.code].compactMap(\.self).filter { $0 != 134100 },
          basis: deciding.basis
        ).asNote(unless: deciding.verdict.isError)
      ]
    })
}

extension String {
  /// "'Notes 3' has other hashes than the store for 2 of 5 entities (Note, Tag): migrates".
  fileprivate static func differs(_ verdict: ModelVerdict) -> String {
    guard let comparison = verdict.comparison else { return "the store has no hashes to compare with" }
    let differing = comparison.different + comparison.onlyInStore + comparison.onlyInModel
    guard !differing.isEmpty else { return "\(quoted(verdict.name)): \(verdict.verdict.rawValue)" }
    let shown = differing.prefix(5).map(quoted).joined(separator: ", ") + (differing.count > 5 ? ", ..." : "")
    return "\(quoted(verdict.name)) has other hashes than the store for \(differing.count) of "
      + "\(differing.count + comparison.equal.count) entities (\(shown)): \(verdict.verdict.rawValue)"
  }
}
