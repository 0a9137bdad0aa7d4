import StoreFindings
import StoreMigration
import StoreModels
import StoreWords

extension Check {
  static let foreignModel = Check(
    .foreignModel, "foreign-model", .error, traits: [.candidates],
    summary: "The model given has none of the store's entities.",
    explanation: """
      ## What it looks for
      A version none of whose entities is one of the store's, by name or renaming identifier, whether the store has rows
      or not. The verdict is then `foreign-model`, whatever inference would make of it.

      ## Why it matters
      Core Data does not notice. To inference everything was removed and something else added: an app that asks for
      migration opens the store without a word, and it is empty. More often the wrong file or bundle was given here; then
      nothing that is said about opening means anything.

      ## Example
      A bookshop's store, and the model of a notes app.

      ## What can be done
      Give the model of the app that made the store; `storedoctor model match STORE MODEL...` says which one fits. If every
      entity was renamed, give each its renaming identifier. If the app merges several models, give all of them, with the
      one that has the store's entities last.
      """,
    ofCandidates: { view in
      view.findings({ $0.isForeign ? [$0] : [] }, at: { _ in "" }) { foreign, _ in view.finding(foreign) }
    })
}

extension CandidateView {
  fileprivate func finding(_ foreign: ModelVerdict) -> Finding {
    let names = metadata.hashes?.names.sorted(by: codeUnitsPrecede) ?? []
    let shown = names.prefix(5).map(quoted).joined(separator: ", ") + (names.count > 5 ? ", ..." : "")
    let entities =
      names.count == 1 ? "the store's entity \(shown)" : "any of the store's \(names.count) entities (\(shown))"
    let rename = foreign.likelyRenames.first { $0.place.sourceProperty == nil }
    return check.finding(
      nil,
      message: "\(quoted(foreign.name)) does not have \(entities), by name or renaming identifier" + rows(foreign)
        + (rename.map { "; \($0.words(inSwift: foreign.isSwiftSource))" } ?? ""),
      blocks: [foreign.failure?.code].compactMap(\.self), basis: foreign.basis)
  }

  /// The fate of the rows, if inference alone would allow the migration.
  private func rows(_ foreign: ModelVerdict) -> String {
    guard let automatic = foreign.openings[.automatic], automatic.verdict == .foreignModel, automatic.failure == nil
    else { return "" }
    let rows = foreign.losses.filter { $0.loss.kind == .rows }.map(\.rows)
    guard foreign.way == .automatic || foreign.way == .none, !rows.isEmpty, rows.allSatisfy({ $0 != nil }) else {
      return ": automatic migration would pass and keep no row"
    }
    return ": automatic migration would pass and keep none of \(counted(rows.reduce(0) { $0 + ($1 ?? 0) }, "row"))"
  }
}
