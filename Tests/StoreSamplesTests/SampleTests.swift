import Foundation
import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreFindings
import StoreInspection
import StoreModels
import StorePublishing
import StoreSQLite
import TestSupport
import Testing

@testable import StoreSamples

/// Sample stores of all models here, and of random ones.
@Suite struct SampleTests {
  /// Every version of every model in `corpus/` and `examples/`, by path.
  private static let sources: [String] = ["corpus", "examples"].flatMap { folder -> [String] in
    let names = FileManager.default.enumerator(atPath: Project.path(folder))?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      name.hasSuffix(".xcdatamodeld") || !name.contains("/") && name.hasSuffix(".sqlite")
    }.sorted().map { "\(folder)/\($0)" }
  }

  @Test(arguments: sources)
  func aModelOfTheProject(_ path: String) throws {
    let source = try readModel(PosixPath(Project.path(path)))
    #expect(!source.versions.isEmpty)
    for version in source.versions {
      for kind in SampleKind.allCases {
        let made = try hold(version, in: source, kind)
        #expect(made.findings.map(\.message) == [], "\(path) \(version.name) \(kind)")
      }
    }
  }

  @Test func thereAreSuchModels() {
    #expect(Self.sources.count > 15)
    #expect(Self.sources.contains("corpus/Shapes.sqlite"))
  }

  @Test(arguments: LongRuns.seeds(40, whole: 500))
  func aRandomModel(_ seed: UInt64) throws {
    let source = ModelSource(
      path: "Random.json", format: .json, version: "Random", model: try RandomSampleModel.make(seed: seed))
    for kind in SampleKind.allCases {
      let made = try hold(source.versions[0], in: source, kind)
      // What a model asks for in vain, as two children of each object; values are always as the model wants them.
      let found = Set(made.findings.map(\.id))
      #expect(found.isSubset(of: ["SD407", "SD408", "SD411"]), "seed \(seed) \(kind): \(made.findings.map(\.message))")
    }
  }

  /// Models of real apps, all in the long run.
  @Test(.needsSharedData) func realModels() throws {
    let files = try VersionHashVector.files()
    for (position, file) in files.enumerated() where LongRuns.areWanted || position % 16 == 0 {
      let model = try VersionHashVector(file: file).makeModel()
      let source = ModelSource(path: file, format: .json, version: "Real", model: model)
      for kind in SampleKind.allCases where LongRuns.areWanted || kind == .typical {
        let made = try hold(source.versions[0], in: source, kind)
        #expect(made.findings.map(\.message) == [], "\(file) \(kind)")
      }
    }
  }

  /// Makes a sample twice, and once with another seed, and holds it against the commands that read stores.
  private func hold(
    _ version: ModelSource.Version, in source: ModelSource, _ kind: SampleKind
  ) throws -> MadeSample {
    let folder = try TemporaryFolder.inMemory()
    func make(_ name: String, seed: UInt64) throws -> (path: String, sample: MadeSample) {
      let path = folder(name)
      return try (
        path,
        makeSample(of: version, in: source, to: OutputTarget(PosixPath(path)), SampleOptions(kind: kind, seed: seed))
      )
    }
    let (one, two, other) = try (make("1.sqlite", seed: 7), make("2.sqlite", seed: 7), make("3.sqlite", seed: 8))
    try expectSameBytes(contents(of: one.path), as: contents(of: two.path))
    #expect(try contents(of: one.path) != contents(of: other.path))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["1.sqlite", "2.sqlite", "3.sqlite"])
    let model = ModelSource(path: version.path, format: .json, version: version.name, model: version.model)
    var options = DiagnosisOptions()
    options.candidates = CandidateOptions(models: [model])
    let diagnosis = try diagnose(Examination(store: Store(path: one.path), options: options))
    #expect(diagnosis.verdict == .opens)
    #expect(diagnosis.findings.filter { $0.severity == .error } == [])
    let inspection = try inspect(path: one.path)
    #expect(inspection.unexplained.isEmpty && inspection.problems.isEmpty)
    #expect(try matchModel(store: PosixPath(one.path), candidates: [model]).isFound)
    return one.sample
  }
}
