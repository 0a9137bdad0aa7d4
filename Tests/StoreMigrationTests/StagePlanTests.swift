import StoreMigration
import StoreDataModel
import StoreTestSupport
import TestSupport
import Testing

@Suite struct StagePlanTests {
  private static let versions = [
    "V1": "Item: v String?", "V2": "Item: w I64?", "V3": "Item: v I64?", "V4": "Item: v I64?; x I16=0",
    "V1b": "Item: v String?=\"x\"",
  ]

  private func staged(_ stages: [String], from: String = "V1", to: String, hasChecksum: Bool = true) throws -> String {
    let versions = try Self.versions.keys.sorted().map {
      StagePlan.Version(name: $0, model: try ModelNotation.model([Self.versions[$0] ?? ""]))
    }
    let model = try ModelNotation.model([Self.versions[from] ?? from])
    let outcome = Openings(
      store: StoreState(model: model, hasChecksum: hasChecksum),
      target: try ModelNotation.model([Self.versions[to] ?? to]),
      plan: try StagePlan(notation: stages, versions: versions), rows: ShownRows(model: model, rows: [:])
    ).staged
    let steps = outcome.steps.map(\.description).joined(separator: " ")
    return [outcome.verdict.rawValue, outcome.failure.map { "\($0.code ?? 0)" }, steps.isEmpty ? nil : steps]
      .compactMap { $0 }.joined(separator: " ")
  }

  /// The open question is about a step between; the difference from the first version to the last does not show it.
  @Test func whatIsNotKnownOfAStepIsTold() throws {
    let models = try ["Note: at ->Folder", "Note: at ->Tag", "Note: text String?"].map {
      try ModelNotation.model(["Folder: name String?", "Tag: name String?", $0])
    }
    let versions = zip(["V1", "V2", "V3"], models).map { StagePlan.Version(name: $0, model: $1) }
    let openings = Openings(
      store: StoreState(model: models[0]), target: models[2],
      plan: try StagePlan(notation: ["custom:V1>V2", "custom:V2>V3"], versions: versions), rows: nil)
    #expect(openings.staged.unknown.map(\.change.kind) == [.destination(from: "Folder", to: "Tag")])
    #expect(openings.staged.verdict == .migrates && openings.automatic.unknown.isEmpty)
  }

  @Test func aRunOfLightweightStagesIsOneInference() throws {
    #expect(try staged(["light:V1,V2,V3"], to: "V3") == "needs-custom-stage 134140 V1>V3")
    #expect(try staged(["light:V1", "light:V2", "light:V3"], to: "V3") == "needs-custom-stage 134140 V1>V3")
    #expect(try staged(["custom:V1>V2", "light:V3"], to: "V3") == "migrates V1>V2 V2>V3")
    #expect(try staged(["light:V1", "custom:V2>V3"], to: "V3") == "migrates V1>V2 V2>V3")
    #expect(try staged(["custom:V1>V2", "custom:V2>V3", "light:V4"], to: "V4") == "migrates V1>V2 V2>V3 V3>V4")
    #expect(try staged(["custom:V1>V2", "custom:V2>V3"], from: "V2", to: "V3") == "migrates V2>V3")
    #expect(try staged(["custom:V1>V2", "light:V3,V4"], to: "V2") == "migrates V1>V2")
  }

  @Test func theOrderOfStagesDecides() throws {
    #expect(try staged(["light:V3,V4", "custom:V1>V2"], to: "V4") == "needs-custom-stage 134506")
    #expect(try staged(["custom:V2>V3", "light:V1,V4"], to: "V4") == "needs-custom-stage 134140 V1>V4")
  }

  @Test func bothEndsHaveToBeInThePlan() throws {
    #expect(try staged(["light:V1,V2"], from: "Item: z Bool?", to: "V2") == "unknown-version 134504")
    #expect(try staged(["light:V1,V2"], to: "Item: z Bool?") == "unknown-version 134504")
    #expect(try staged(["light:V1,V2"], to: "V2", hasChecksum: false) == "unknown-version 134505")
    #expect(try staged(["light:V1,V2"], to: "V1", hasChecksum: false) == "opens")
  }

  @Test func equalChecksumsRaiseAnExceptionWithoutCode() throws {
    #expect(try staged(["light:V1,V1b,V2"], to: "V2") == "needs-custom-stage 0")
    let all = try Self.versions.map { StagePlan.Version(name: $0, model: try ModelNotation.model([$1])) }
    let reasons = try [["light:V1,V1b,V2"], ["light:V1,V2", "light:V1b,V3"], ["custom:V1>V1b"], ["light:V1,V2"]].map {
      try StagePlan(notation: $0, versions: all).exception?.reason
    }
    #expect(
      reasons == [
        "Duplicate version checksums detected.", "Duplicate version checksums across stages detected.",
        "The current model reference and the next model reference cannot be equal.", nil,
      ])
    let versions = try ["V1", "V1b"].map {
      StagePlan.Version(name: $0, model: try ModelNotation.model([Self.versions[$0] ?? ""]))
    }
    #expect(StagePlan(lightweight: versions).duplicateVersions == [["V1", "V1b"]])
  }

  @Test(arguments: [
    "light:", "heavy:V1", "custom:V1", "custom:V1>", "custom:V1>V2>V3", "light:V1,V9", "custom:V1>V2 fills x",
  ])
  func refusesWhatItCannotRead(_ notation: String) throws {
    let versions = try ["V1", "V2"].map {
      StagePlan.Version(name: $0, model: try ModelNotation.model([Self.versions[$0] ?? ""]))
    }
    #expect(throws: StagePlanError.self) { try StagePlan(notation: [notation], versions: versions) }
  }

  @Test func manualOpeningNeedsTheSourceModel() throws {
    let (old, new) = (try ModelNotation.model(["N: a String"]), try ModelNotation.model(["N: a String?"]))
    func openings(_ store: StoreState) -> Openings {
      Openings(store: store, target: new, plan: StagePlan(lightweight: []), rows: nil)
    }
    let known = openings(StoreState(model: old))
    #expect(known.manual.failure?.code == 134140)
    #expect(known.none.failure?.code == 134100)
    let unknown = openings(StoreState(model: old, isModelInApp: false, hasModelCache: false))
    #expect([unknown.manual, unknown.automatic].map(\.failure?.code) == [134130, 134130])
    #expect(openings(StoreState(model: old, isModelInApp: false)).automatic.basis == .assumed)
  }
}
