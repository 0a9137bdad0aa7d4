@testable import StoreDiagnosis
@testable import StoreFindings
@testable import StoreModels
import StoreSQLite
import TestSupport
import Testing

/// Every finding is shown, muted with a reason, or counted as left out.
@Suite struct SelectionTests {
  private let path = PosixPath(".storedoctor.yaml")

  @Test func mutesByCheckEntityAndProperty() throws {
    for (mute, muted) in [
      (Configuration.Mute(check: "SD404", reason: "x"), 1), (.init(check: "SD404", entity: "Note", reason: "x"), 1),
      (.init(check: "SD404", entity: "Note", property: "tags", reason: "x"), 1),
      (.init(check: "SD404", entity: "Note", property: "folder", reason: "x"), 0),
      (.init(check: "SD404", entity: "Tag", reason: "x"), 0), (.init(check: "SD405", reason: "x"), 0),
    ] {
      let diagnosis = try diagnosed { $0.configuration = Configuration(path: path, mutes: [mute]) }
      #expect(diagnosis.config?.muted.map(\.findings.count) == [muted], "\(mute)")
      #expect(diagnosis.findings.map(\.id) == ["SD207", "SD208"] + (muted == 0 ? ["SD404"] : []), "\(mute)")
    }
  }

  @Test func aFindingIsMutedOnceByTheFirstThatFits() throws {
    let mutes = ["a", "b"].map { Configuration.Mute(check: "SD404", reason: $0) }
    let diagnosis = try diagnosed { $0.configuration = Configuration(path: path, mutes: mutes) }
    #expect(diagnosis.config?.muted.map(\.findings.count) == [1, 0])
  }

  /// A check that was not run is not reported as having found nothing.
  @Test func saysNothingOfChecksThatWereNotRun() throws {
    var configuration = Configuration(path: path, severities: ["SD404": .note, "SD207": .note])
    configuration.mutes = ["SD404", "SD208"].map { .init(check: $0, reason: "x") }
    let diagnosis = try diagnosed(with: [.danglingReference, .highWaterOnSubentity]) {
      $0.configuration = configuration
    }
    #expect(diagnosis.config?.muted.map(\.mute.check) == ["SD208"] && diagnosis.config?.severities == [])
  }

  @Test func movesSeveritiesAndTheVerdictWithThem() throws {
    let severities: [String: Severity] = ["SD404": .note, "SD207": .note, "SD208": .note]
    let diagnosis = try diagnosed { $0.configuration = Configuration(path: path, severities: severities) }
    #expect(diagnosis.findings.allSatisfy { $0.severity == .note } && diagnosis.verdict == .healthy)
    #expect(diagnosis.config?.severities.map(\.findings) == [1, 0, 1])
    #expect(try diagnosed { _ in }.verdict == .findings)
  }

  /// SD801 is an error if the model stops the app, and a note if the store migrates; the configuration does not raise
  /// the note.
  @Test(arguments: [("Notes 3", Severity.warning, true), ("Notes", .note, false)])
  func whatACheckTakesLessSeriouslyDoesNotRise(version: String, severity: Severity, isStopped: Bool) throws {
    let model = try readModel(PosixPath(Project.path("corpus/Notes.xcdatamodeld#" + version)))
    let diagnosis = try diagnosed {
      $0.candidates = CandidateOptions(models: [model])
      $0.configuration = Configuration(path: path, severities: ["SD801": .warning])
    }
    #expect(diagnosis.findings.filter { $0.id == "SD801" }.map(\.severity) == [severity])
    // The verdict says whether the app opens the store; a severity in the configuration does not change it.
    #expect(diagnosis.verdict.isError == isStopped)
  }

  @Test func noConfigurationMakesADamagedStoreWhole() throws {
    let diagnosis = try diagnosed(injury: "DROP TABLE ZATTACHMENT") {
      $0.configuration = Configuration(path: path, mutes: [.init(check: "SD301", reason: "gone")])
    }
    #expect(diagnosis.verdict == .damaged && !diagnosis.findings.contains { $0.id == "SD301" })
  }

  @Test(arguments: [
    (["Folder"], ["SD207"], 2), (["Note"], ["SD404"], 2), (["Checklist"], ["SD208", "SD404"], 1), (["Tag"], [], 3),
    (["Folder", "Note"], ["SD207", "SD404"], 1),
  ])
  func showsWhatWasAskedForWithWhatItInherits(entities: [String], ids: [String], leftOut: Int) throws {
    let diagnosis = try diagnosed { $0.entities = entities }
    #expect(diagnosis.findings.map(\.id) == ids && diagnosis.scope?.leftOut.count == leftOut)
    // The verdict counts the findings that were left out, too.
    #expect(diagnosis.verdict == .findings)
  }

  @Test func findingsOfTheStoreAsAWholeAreShown() throws {
    let diagnosis = try diagnosed(injury: "DELETE FROM Z_METADATA") { $0.entities = ["Tag"] }
    #expect(diagnosis.findings.contains { $0.id == "SD201" && $0.entity == nil })
  }

  @Test func anUnknownEntityIsNamedWithThoseNearIt() throws {
    let error = #expect(throws: UnknownEntity.self) { try diagnosed { $0.entities = ["Nota"] } }
    #expect(error?.description.hasSuffix("'Tag'; did you mean 'Note'?") == true)
    // An entity that only a model has can be named as well.
    let model = try readModel(PosixPath(Project.path("corpus/Notes.xcdatamodeld")))
    let names = Set(model.versions.flatMap(\.model.entities).map(\.name))
    let new = try #require(names.subtracting(["Attachment", "Checklist", "Folder", "Note", "Tag"]).first)
    _ = try diagnosed {
      $0.candidates = CandidateOptions(models: [model])
      $0.entities = [new]
    }
  }

  /// The notes store with links to a tag that does not exist, and two wrong numbers in `Z_PRIMARYKEY`.
  private func diagnosed(
    injury: String = "", with checks: [Check] = Check.all, _ change: (inout DiagnosisOptions) -> Void
  ) throws -> Diagnosis {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: store, create: false)
    try connection.execute(
      """
      INSERT INTO Z_3TAGS (Z_3NOTES, Z_5TAGS) VALUES (1, 99), (2, 99);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Folder';
      UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_NAME = 'Checklist';
      \(injury)
      """)
    connection.close()
    var options = DiagnosisOptions()
    change(&options)
    return try diagnose(path: store, options: options, with: checks)
  }
}
