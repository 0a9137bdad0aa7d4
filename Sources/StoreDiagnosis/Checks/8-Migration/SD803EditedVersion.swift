import StoreWords
import StoreFindings
import StoreCoreData

extension Check {
  static let editedVersion = Check(
    .editedVersion, "edited-version", .error, traits: [.candidates],
    summary: "A version given has the store's identifier, and another shape.",
    explanation: """
      ## What it looks for
      A version with a non-empty identifier that the store has too, and with other hashes, while no version given has the
      store's. It is an error where the app opens with a plan or a mapping model, a note where inference manages without
      the old version, and for `1.0.0`, which every unversioned SwiftData schema has.

      ## Why it matters
      The version was changed after a build with it was out. A plan compares checksums, not identifiers: it answers
      134504, "Cannot use staged migration with an unknown model version", and a mapping model finds no source (134130).

      ## Example
      The store and `Notes 2` both say `2`, and `Note.mood` is in `Notes 2` alone.

      ## What can be done
      Put the version back to what was shipped, and make the change in a version of its own. `storedoctor model match`
      with `--git` finds the commit; `storedoctor model pin` keeps it from happening again.
      """,
    ofCandidates: { view in
      let shared = view.sharedIdentifiers
      guard let deciding = view.deciding, !view.candidates.isStoreKnown, !shared.isEmpty else { return [] }
      let identifiers = Set(shared.flatMap(\.identifiers)).sorted(by: codeUnitsPrecede)
      let isSerious =
        (deciding.way != .automatic || deciding.verdict.isError) && identifiers != ["1.0.0"]
        && deciding.verdict != .opens && deciding.verdict != .migrates
      return [
        view.check.finding(
          nil,
          message: "\(namedVersions(shared.map(\.name))) \(shared.count == 1 ? "has" : "have") the store's identifier "
            + "\(identifiers.map(quoted).joined(separator: ", ")) and another shape", blocks: [134504, 134130]
        ).asNote(unless: isSerious)
      ]
    })
}

extension CandidateView {
  /// The versions that share an identifier with the store, and which.
  fileprivate var sharedIdentifiers: [(name: String, identifiers: [String])] {
    let own = Set(metadata.versionIdentifiers.filter { !$0.isEmpty })
    return candidates.verdicts.compactMap { verdict in
      let shared = own.intersection(verdict.identifiers)
      return shared.isEmpty || verdict.isForeign ? nil : (verdict.name, shared.sorted(by: codeUnitsPrecede))
    }
  }
}
