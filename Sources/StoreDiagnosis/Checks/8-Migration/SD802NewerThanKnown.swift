import StoreWords
import StoreFindings
import StoreModels
import StoreCoreData

extension Check {
  static let newerThanKnown = Check(
    .newerThanKnown, "newer-than-known", .error, traits: [.candidates],
    summary: "The store was made with a later version than the one it is to be opened with.",
    explanation: """
      ## What it looks for
      A store whose version is among those given and comes after the one that decides. A plan, `--plan-order`, the order
      of the models given, identifiers that are numbers, mapping models that lead from the deciding version to the
      store's, or with `--git` the commits they came with, prove that. The numbers at the end of equal names do not: from
      them the order is assumed, and the finding is a note. Where the bundle says that a version without a number is
      current, the numbered ones are its past. Where the store's version is not among those given: a version identifier
      that is a number greater than that of every version given.

      ## Why it matters
      An older app, or an older backup of one, meets a store that a newer one has migrated. A staged migration refuses
      with 134506, "cannot be migrated backwards"; an automatic one may well succeed, and drops what the older version
      does not know.

      ## Example
      The store is at `Notes 3`, and the current version of the bundle is `Notes 2`.

      ## What can be done
      Open it with the newer app. Keep older versions from opening stores of newer ones: compare the hashes of the
      metadata before anything is loaded.
      """,
    ofCandidates: { view in
      // The identifier of a foreign model says nothing about this store.
      guard let deciding = view.deciding, deciding.verdict != .opens, !deciding.isForeign else { return [] }
      if let later = view.laterVersion {
        let name = quoted(later.verdict.name)
        return [
          later.isProved
            ? view.check.finding(
              nil, message: "the store is at \(name), which comes after \(quoted(deciding.name))", blocks: [134506])
            : view.check.finding(
              nil,
              message: "the store is at \(name), which by its name comes after \(quoted(deciding.name))"
                + (view.candidates.options.history?.problem.map { "; \($0)" } ?? ""),
              blocks: [134506], basis: .assumed
            ).asNote(unless: false)
        ]
      }
      guard let own = view.newerIdentifier else { return [] }
      return [
        view.check.finding(
          nil, message: "the store's version identifier \(quoted(own)) is greater than that of every version given",
          blocks: [134504, 134506], basis: .assumed)
      ]
    })
}

extension CandidateView {
  /// The store's version, if it comes after the deciding one, and whether that is proved.
  fileprivate var laterVersion: (verdict: ModelVerdict, isProved: Bool)? {
    let verdicts = candidates.verdicts
    guard let deciding = verdicts.firstIndex(where: \.isDeciding),
      let own = verdicts.lastIndex(where: { $0.comparison?.isEqual == true }), own != deciding
    else { return nil }
    switch candidates.order(of: own, after: deciding) {
    case .proved(let isLater): return isLater ? (verdicts[own], true) : nil
    case .assumed(let isLater): return isLater ? (verdicts[own], false) : nil
    case .unknown: return nil
    }
  }

  /// The store's identifier, if all identifiers are numbers and it is greater than all others.
  fileprivate var newerIdentifier: String? {
    guard !candidates.isStoreKnown, let own = metadata.versionIdentifiers.first,
      metadata.versionIdentifiers.count == 1, let number = versionNumber(own)
    else { return nil }
    let others = candidates.verdicts.filter { !$0.isForeign }.flatMap(\.identifiers)
    let numbers = others.compactMap(versionNumber)
    guard !others.isEmpty, numbers.count == others.count, numbers.allSatisfy({ $0.lexicographicallyPrecedes(number) })
    else { return nil }
    return own
  }
}
