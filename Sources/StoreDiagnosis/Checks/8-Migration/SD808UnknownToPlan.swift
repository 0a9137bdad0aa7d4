import StoreWords
import StoreFindings
import StoreMigration

extension Check {
  static let unknownToPlan = Check(
    .unknownToPlan, "unknown-to-plan", .error, traits: [.candidates],
    summary: "The plan does not know the store's version, or the one it is to be opened with.",
    explanation: """
      ## What it looks for
      A checksum in the store's metadata that no version of the plan has, a version to open with that is in no stage, or
      a store so old that its metadata holds no checksum. It is an error where the app opens with a plan. Where systems make
      different models of the same classes, and the plan knows the store on its own system and not on others, it is a
      warning.

      ## Why it matters
      A staged migration answers 134504, "Cannot use staged migration with an unknown model version", also where inference
      alone would have managed: every change has to be in the plan, even an added optional attribute. Without a checksum
      it is 134505.

      ## Example
      The first release had no `VersionedSchema`; the plan's first version has a field more than what was shipped.

      ## What can be done
      Make the first version of the plan exactly what was shipped: nest the shipped types, unchanged, in a
      `VersionedSchema`. `storedoctor model convert STORE --to swift` writes it from the store. A store without a
      checksum has to be opened and saved once by a newer system without a plan.
      """,
    ofCandidates: { view in
      guard view.candidates.hasPlan else { return [] }
      let found = view.findings({ view.unknownToPlan($0) }, at: { $0.failure?.reason ?? "" }) { staged, verdict in
        let codes = staged.failure?.code.map { [$0] } ?? []
        return view.check.finding(nil, message: .unknown(staged, verdict: verdict), blocks: codes, basis: staged.basis)
          .asNote(unless: verdict.way == .staged)
      }
      return found + (view.deciding?.verdict.isError == true ? [] : view.unknownOnOtherSystems)
    })
}

extension CandidateView {
  /// A warning for each system on which the same plan does not know the store.
  fileprivate var unknownOnOtherSystems: [Finding] {
    candidates.otherSystems.filter(\.isUnknownToPlan).map { system in
      let codes = system.opening.failure?.code.map { [$0] } ?? []
      var finding = check.finding(nil, message: system.message, blocks: codes, basis: system.opening.basis)
      finding.severity = .warning
      return finding
    }
  }

  /// The staged opening of a version, if the plan does not know it or the store. An unknown store is only reported
  /// with the deciding version.
  fileprivate func unknownToPlan(_ verdict: ModelVerdict) -> [OpeningVerdict] {
    let isSaid: (OpeningVerdict) -> Bool = { staged in
      !verdict.isDeciding && staged.failure != StagePlan.unknownTarget
        && deciding?.unknownToPlan.contains { $0.failure == staged.failure } == true
    }
    return verdict.unknownToPlan.filter { !isSaid($0) }
  }
}

extension ModelVerdict {
  /// The staged opening, if the plan lacks the version of the store or the opened one.
  fileprivate var unknownToPlan: [OpeningVerdict] {
    openings[.staged].map { $0.verdict == .unknownVersion ? [$0] : [] } ?? []
  }
}

extension String {
  fileprivate static func unknown(_ staged: OpeningVerdict, verdict: ModelVerdict) -> String {
    switch staged.failure {
    case StagePlan.unknownTarget: "the plan has no stage with \(quoted(verdict.name))"
    case StagePlan.noChecksum: "the store's metadata holds no checksum, which a plan compares"
    case .some, nil: "the plan has no version with the store's checksum"
    }
  }
}
