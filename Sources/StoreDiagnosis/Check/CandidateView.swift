import StoreWords
import StoreFindings
import StoreMigration
import StoreScanning
import StoreCoreData

/// The input of the migration checks after the tables were read.
struct CandidateView {
  let check: Check
  let candidates: Candidates
  let scan: Scan

  /// The verdict of the deciding version.
  var deciding: ModelVerdict? { candidates.deciding }
  /// The store's metadata.
  var metadata: StoreMetadata { scan.store.metadata }
}

extension Finding {
  /// The finding, turned into a note unless `holds`.
  func asNote(unless holds: Bool) -> Finding {
    var finding = self
    if !holds { finding.severity = .note }
    return finding
  }
}

extension CandidateView {
  /// One finding for each place, at full severity for the deciding version; for other versions only a note. If
  /// several versions have the same place, one finding names the others. More than three notes about versions that are all
  /// older than the store's are one: nobody goes back to them.
  func findings<Item>(
    _ items: (ModelVerdict) -> [Item], at place: (Item) -> String, finding: (Item, ModelVerdict) -> Finding
  ) -> [Finding] {
    let ordered = candidates.verdicts.filter(\.isDeciding) + candidates.verdicts.filter { !$0.isDeciding }
    var found: [Found] = []
    var positions: [String: Int] = [:]
    for verdict in ordered {
      for item in items(verdict) {
        let place = place(item)
        if !verdict.isDeciding, let known = positions[place] {
          if found[known].others.last != verdict.name { found[known].others.append(verdict.name) }
        } else {
          positions[place] = positions[place] ?? found.count
          found.append((finding(item, verdict).asNote(unless: verdict.isDeciding), verdict.name, []))
        }
      }
    }
    let older = olderVersions(among: Set(found.flatMap { [$0.version] + $0.others }))
    let back = found.filter { $0.finding.severity == .note && older.isSuperset(of: [$0.version] + $0.others) }
    let isFolded = back.count > Self.mostNotesBack
    let told =
      isFolded
      ? found.filter { !older.isSuperset(of: [$0.version] + $0.others) || $0.finding.severity != .note } : found
    return told.map { finding, _, others in
      var finding = finding
      if !others.isEmpty { finding.message += "; with \(namedVersions(others)) too" }
      return finding
    } + (isFolded ? [wayBack(back)] : [])
  }

  private typealias Found = (finding: Finding, version: String, others: [String])

  /// The most notes about versions older than the store's that are told one by one.
  private static var mostNotesBack: Int { 3 }

  /// Those of the versions that come before the store's.
  private func olderVersions(among names: Set<String>) -> Set<String> {
    let verdicts = candidates.verdicts
    guard let own = verdicts.lastIndex(where: { $0.comparison?.isEqual == true }) else { return [] }
    let older = verdicts.indices.filter { position in
      guard names.contains(verdicts[position].name), position != own else { return false }
      return switch candidates.order(of: own, after: position) {
      case .proved(let isLater), .assumed(let isLater): isLater
      case .unknown: false
      }
    }
    return Set(older.map { verdicts[$0].name })
  }

  /// One note for all that is found on the way back to older versions.
  private func wayBack(_ found: [Found]) -> Finding {
    let names = found.flatMap { [$0.version] + $0.others }
    let versions = candidates.verdicts.map(\.name).filter(names.contains)
    let places = found.map { [$0.finding.entity, $0.finding.property].compactMap(\.self).joined(separator: ".") }
    let shown = places.prefix(3).joined(separator: ", ") + (places.count > 3 ? " and \(places.count - 3) more" : "")
    var finding = check.finding(
      nil, count: Int64(found.count),
      message:
        "\(found.count) notes on going back to \(namedVersions(versions)), which the store's version comes after: "
        + "\(shown); --to-version names one of them")
    finding.severity = .note
    return finding
  }

  /// The name of an entity in `Z_PRIMARYKEY`.
  func storeName(_ entity: String?) -> String? {
    entity.map { scan.map.entity(named: $0)?.name ?? $0 }
  }

  func table(of entity: String?) -> String? { entity.flatMap { scan.map.entity(named: $0)?.table } }
}

extension ModelVerdict {
  /// "automatic migration to 'Notes 3' stops with 134110".
  var stops: String {
    "\(migration) \(quoted(name)) stops" + (failure?.codeWords.map { " with \($0)" } ?? "")
  }

  /// "automatic migration to".
  var migration: String {
    switch way {
    case .none: "opening with"
    case .automatic: "automatic migration to"
    case .staged: "staged migration to"
    case .manual: "migration by a mapping model to"
    }
  }
}

/// "'V1'", "'V1' and 'V2'", "'V1', 'V2' and 7 more".
func namedVersions(_ names: [String]) -> String {
  let shown = names.prefix(names.count > 3 ? 2 : 3).map(quoted)
  if names.count > 3 { return shown.joined(separator: ", ") + " and \(names.count - 2) more" }
  guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
  return shown.dropLast().joined(separator: ", ") + " and " + last
}
