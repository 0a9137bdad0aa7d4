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
      A store whose version is among those given and comes after the one that decides (in the order given, by identifiers
      that are numbers, or by the numbers at the end of equal names); or, where its version is not among
      them, a version identifier that is a number greater than that of every version given.

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
        return [
          view.check.finding(
            nil, message: "the store is at \(quoted(later)), which comes after \(quoted(deciding.name))",
            blocks: [134506])
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
  /// The store's version, if it comes after the deciding one.
  fileprivate var laterVersion: String? {
    let verdicts = candidates.verdicts
    guard let deciding = verdicts.firstIndex(where: \.isDeciding),
      let own = verdicts.lastIndex(where: { $0.comparison?.isEqual == true }), own > deciding,
      candidates.isOrderStated(own, deciding) || isLater(verdicts[own], than: verdicts[deciding])
    else { return nil }
    return verdicts[own].name
  }

  /// Whether one version of a bundle surely comes after another, although only their names give the order: by identifiers
  /// that are numbers, or else by the numbers that equal names end with. 'ArtsyPartner 5' is older than 'ArtsyFolio v2.7.0'.
  private func isLater(_ own: ModelVerdict, than other: ModelVerdict) -> Bool {
    let numbers = [own, other].map { verdict in
      verdict.identifiers.count == 1 ? versionNumber(verdict.identifiers[0]) : nil
    }
    if let own = numbers[0], let other = numbers[1], own != other { return other.lexicographicallyPrecedes(own) }
    return nameWithoutNumber(own.name) == nameWithoutNumber(other.name)
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

/// "Notes" of "Notes", "Notes 2" and "Notes2.1".
private func nameWithoutNumber(_ name: String) -> Substring {
  var name = name[...]
  while let last = name.last, last.isNumber || last == "." || last == " " { name.removeLast() }
  return name
}

/// "2.1.0" as numbers, without zeros at the end; nil for anything else.
private func versionNumber(_ text: String) -> [Int]? {
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  var numbers = parts.compactMap { Int($0) }
  guard numbers.count == parts.count else { return nil }
  while numbers.last == 0 { numbers.removeLast() }
  return numbers
}
