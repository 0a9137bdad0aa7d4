import StoreFindings
@testable import StoreAudit
@testable import StoreDiagnosis
@testable import StoreInspection
@testable import StoreModels
import StorePublishing
@testable import StoreRepair
import StoreDataModel
import StoreCoreData
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// After an answer, nothing keeps the store open or in memory, since an audit examines thousands of stores in one
/// process.
///
/// Only descriptors within the test's own folder are counted, so other tests do not matter.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "skipped: no /proc"))
struct LifetimeTests {
  /// A task with a store, as a user of the library calls it.
  enum Question: String, CaseIterable, CustomTestStringConvertible, Codable {
    case inspect, match, diagnose, diagnoseWithModels, diagnoseStaged, diagnoseUnknownEntity, diagnoseUntilDeadline
    case plan, repairToOutput, repairInPlaceAndUndo, audit, auditWithCopies

    var testDescription: String { rawValue }
  }

  @Test(arguments: Question.allCases, RepairedStore.Mode.allCases)
  func nothingIsOpenAfterTheAnswer(_ question: Question, _ mode: RepairedStore.Mode) throws {
    let stand = try Stand(mode)
    for _ in 0..<3 { try stand.ask(question) }
    #expect(stand.openFiles == [])
  }

  /// After 2,000 questions a process uses as much memory as after 100. It is a process of its own, in which no other
  /// test uses memory.
  @Test(arguments: LongRuns.areWanted ? Question.allCases : [.diagnoseWithModels])
  func memoryStaysFlat(_ question: Question) async throws {
    let count = LongRuns.areWanted ? 2000 : 300
    await #expect(processExitsWith: .success) { [question = question as Question, count = count as Int] in
      let stand = try Stand(.rollback)
      for _ in 0..<100 { try stand.ask(question) }
      let (files, memory) = (stand.countOfDescriptors, stand.residentBytes)
      for _ in 100..<count { try stand.ask(question) }
      #expect(stand.countOfDescriptors <= files + 1)
      #expect(stand.residentBytes - memory < 5 << 20)
    }
  }
}

/// A store, the models of its app, and questions about it.
private struct Stand {
  let sample: RepairedStore
  let models: ModelSource
  let auditor: StoreAuditor
  let copier: StoreAuditor

  init(_ mode: RepairedStore.Mode) throws {
    sample = try RepairedStore(mode, injury: "DELETE FROM ZFOLDER WHERE Z_PK = 3")
    models = try readModel(PosixPath(Project.path("corpus/Notes.xcdatamodeld")))
    var options = DiagnosisOptions()
    options.candidates.models = [models]
    auditor = StoreAuditor(AuditSettings(diagnosis: options, toolVersion: "1"))
    try FileManager.default.createDirectory(atPath: sample.folder("copies"), withIntermediateDirectories: true)
    let recipe = AuditRecipe(.safe, outputFolder: PosixPath(sample.folder("copies")), replaces: true)
    copier = StoreAuditor(AuditSettings(diagnosis: options, recipe: recipe, toolVersion: "1"))
  }

  func ask(_ question: LifetimeTests.Question) throws {
    let place = PosixPath(sample.path)
    var options = DiagnosisOptions()
    switch question {
    case .inspect: _ = try inspect(place)
    case .match: _ = try matchModel(store: place, candidates: [models])
    case .diagnose: _ = try diagnose(place)
    case .diagnoseWithModels:
      options.candidates.models = [models]
      _ = try diagnose(place, options: options)
    case .diagnoseStaged:
      options.candidates = CandidateOptions(models: [models], stages: ["light:Notes,Notes 2,Notes 3"])
      _ = try diagnose(place, options: options)
    case .diagnoseUnknownEntity:
      options.entities = ["Nobody"]
      #expect(throws: UnknownEntity.self) { try diagnose(place, options: options) }
    case .diagnoseUntilDeadline:
      options.candidates.models = [models]
      // A fast machine is done before the first of them.
      let isStopped = [0.002, 0.001, 0.000_3, 0.000_1].contains { seconds in
        (try? diagnose(place, opening: Store.Options(deadline: seconds), options: options)) == nil
      }
      #expect(isStopped)
    case .plan: _ = try planRepair(.safe, of: Store(place))
    case .repairToOutput:
      let store = try Store(place)
      let output = PosixPath(sample.folder("Repaired.sqlite"))
      _ = try apply(planRepair(.safe, of: store), to: store, destination: .output(OutputTarget(output, replaces: true)))
    case .repairInPlaceAndUndo:
      let journal = PosixPath(sample.folder("journal"))
      let store = try Store(place)
      _ = try apply(planRepair(.safe, of: store), to: store, destination: .inPlace(journal: journal))
      let undone = try undo(journal)
      for folder in [journal, undone.paths?.journal].compactMap(\.self) {
        try FileManager.default.removeItem(atPath: folder.description)
      }
    case .audit: #expect(try auditor.audit(AuditItem(place, .store(wasNamed: true))).status == .audited)
    case .auditWithCopies:
      #expect(try copier.audit(AuditItem(place, .store(wasNamed: true))).repair?.output != nil)
    }
  }

  private var descriptors: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
  }

  /// Files of the folder that this process has open.
  var openFiles: [String] { descriptors.filter { $0.hasPrefix(sample.folder.path) } }

  var countOfDescriptors: Int { descriptors.count }

  /// "VmRSS:     12345 kB"
  var residentBytes: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
  }
}
