import StoreCoreData
import StoreDataModel
import StoreFindings
import StoreModels
import StoreWords

/// What happens to the store on systems that make another model of its source than its own system does.
struct SystemVerdict {
  /// The systems.
  let frameworks: FrameworkRange
  /// The systems that make the model of the verdict, in words; nil where that is not known.
  let own: String?
  /// The entities that are others there.
  let entities: [String]
  /// What makes the source one model, in words; nil where nothing is known to.
  let remedy: String?
  /// The way it is opened there, and what comes of it, as far as the rows do not decide.
  let way: OpeningWay
  let opening: OpeningVerdict

  /// Whether a plan of the app does not know the store there.
  var isUnknownToPlan: Bool { way == .staged && opening.verdict == .unknownVersion }

  /// - Throws: as `Candidates` does where the source cannot be judged as those systems read it.
  static func all(of candidates: Candidates, given: CandidateOptions, store: Store) throws -> [SystemVerdict] {
    let list = candidates.list
    guard list.versions.indices.contains(list.deciding) else { return [] }
    let version = list.versions[list.deciding]
    let own = candidates.judgedModels.hashes(of: version.model)
    let systems = version.original.systems
    return try systems.filter(\.isCertain).compactMap { system in
      if let framework = store.metadata.frameworkVersion.flatMap(Int.init(exactly:)),
        system.frameworks.contains(framework)
      {
        return nil
      }
      let there = try Candidates(
        of: store, options: given, judgedModels: candidates.judgedModels, framework: system.frameworks.example)
      guard there.list.versions.indices.contains(there.list.deciding) else { return nil }
      let other = candidates.judgedModels.hashes(of: there.list.versions[there.list.deciding].model)
      guard other != own, let verdict = there.withoutSystems, let opening = verdict.openings[verdict.way] else {
        return nil
      }
      let entities = Set(own.names + other.names).filter { own.byEntity[$0] != other.byEntity[$0] }
      return SystemVerdict(
        frameworks: system.frameworks, own: systems.systems(making: own),
        entities: entities.sorted(by: codeUnitsPrecede),
        remedy: systems.remedy, way: verdict.way, opening: opening)
    }
  }

  /// "opens on iOS 17 and 18; on iOS 26 (frameworks from 1522) the same classes are another model for Note and Page: 134504".
  func words(_ verdict: Verdict) -> String {
    let here = own.map { "\(verdict == .opens ? "opens" : "this holds") on \($0); " } ?? ""
    return here + message
  }

  /// The same without what happens on the store's own system.
  var message: String {
    "on \(frameworks.systems) (\(frameworks.numbers)) the same classes are another model for "
      + "\(names): \(outcome)"
      + (remedy.map { "; \($0)" } ?? "")
  }

  /// "'Note' and 'Page'"
  private var names: String {
    let shown = entities.prefix(6).map(quoted) + (entities.count > 6 ? ["\(entities.count - 6) more"] : [])
    return shown.count > 1
      ? shown.dropLast().joined(separator: ", ") + " and " + (shown.last ?? "") : shown.first ?? "no entity"
  }

  private var outcome: String {
    switch opening.verdict {
    case .opens: "the store opens as it is"
    case .migrates: "the store is migrated to it"
    case _ where isUnknownToPlan:
      "the plan does not know the store\(opening.failure?.codeWords.map { ": \($0)" } ?? "")"
    default: "\(opening.verdict.rawValue)\(opening.failure?.codeWords.map { ", \($0)" } ?? "")"
    }
  }
}
