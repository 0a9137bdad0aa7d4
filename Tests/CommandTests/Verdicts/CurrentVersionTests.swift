import Foundation
import StoreDataModel
import TestSupport
import Testing

/// Which version of a bundle is current, and which comes after which, where only names tell.
@Suite struct CurrentVersionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(arguments, environment: ["COLUMNS": "200"])
  }

  /// A bundle whose current version is the last one given, and a store of the first.
  private func bundle(_ versions: [(name: String, model: [String])]) throws -> (bundle: String, store: String) {
    // Mapping models are looked for from the folder above that of the bundle on, where other tests' must not lie.
    let path = folder("App/Shop.xcdatamodeld")
    try ModelBundle.write(versions, to: path)
    let store = try XcodeFiles.store(ModelNotation.model(versions[0].model), in: folder)
    return (path, store)
  }

  /// The past is numbered and the current version is not, so a store of the past fails no gate.
  @Test func theNumberedVersionsAreThePast() throws {
    let (bundle, store) = try bundle([
      ("Shop 1", ["Item: name String?"]), ("Shop 2", ["Item: name String?; price Double?"]),
      ("Shop", ["Item: name String?; price Double?; note String?"]),
    ])
    let outcome = try run("diagnose", store, "--model", bundle)
    #expect(!outcome.output.contains("SD802"))
    #expect(outcome.output.contains("  staged     migrates\n"))
    #expect(outcome.output.contains("'Shop 1' > 'Shop 2'"))
    #expect(outcome.output.contains("'Shop 2' > 'Shop'"))
    #expect(outcome.status == 0)
  }

  /// Where both names have a number the order is assumed, said, and a note.
  @Test func theOrderOfNumbersIsAssumed() throws {
    let (bundle, store) = try bundle([
      ("Shop 3", ["Item: name String?"]), ("Shop 2", ["Item: name String?; n Double?"]),
    ])
    let outcome = try run("diagnose", store, "--model", bundle)
    #expect(outcome.status == 0)
    #expect(
      outcome.output.contains("N SD802 the store is at 'Shop 3', which by its name comes after 'Shop 2' (assumed)"))
    #expect(outcome.output.contains("  staged     needs-custom-stage 134506 (assumed)\n"))
    let ordered = try run("diagnose", store, "--model", bundle, "--plan-order", "Shop 2,Shop 3")
    #expect(ordered.status == 1)
    #expect(ordered.output.contains("E SD802 the store is at 'Shop 3', which comes after 'Shop 2'\n"))
  }

  /// A mapping model that leads from the current version to the store's proves that the store is newer.
  @Test func aMappingModelProvesTheOrder() throws {
    let (bundle, store) = try bundle([("Next", ["Item: name String?"]), ("Shop", ["Item: name String?; n Double?"])])
    #expect(!(try run("diagnose", store, "--model", bundle)).output.contains("SD802"))
    let models = try ModelSource.read(bundle).versions.map(\.model)
    try XcodeMappingFile(from: models[1], to: models[0]).write(to: folder("up.xcmappingmodel"))
    let outcome = try run("diagnose", store, "--model", bundle)
    #expect(outcome.output.contains("E SD802 the store is at 'Next', which comes after 'Shop'\n"))
    #expect(outcome.status == 1)
  }

  /// The commits of the versions prove the order too, whatever their names say.
  @Test(.needs("git")) func theHistoryProvesTheOrder() throws {
    var repository = try Repository(in: folder)
    let bundle = repository.path + "/Shop.xcdatamodeld"
    let versions = [("Shop 2", ["Item: name String?; n Double?"]), ("Shop 3", ["Item: name String?"])]
    try ModelBundle.write(Array(versions[1...]), to: bundle)
    _ = try repository.commit([:], message: "The older one, with the greater number")
    repository.date = "2002-01-01T12:00:00Z"
    try ModelBundle.write(versions.reversed(), to: bundle)
    _ = try repository.commit([:], message: "The newer one")
    let store = try XcodeFiles.store(ModelNotation.model(versions[1].1), in: folder)
    #expect(try run("diagnose", store, "--model", bundle).output.contains("N SD802"))
    let outcome = try run("diagnose", store, "--model", bundle, "--git", repository.path)
    #expect(!outcome.output.contains("SD802"))
    // Which came first is not known where a commit before may have had the other: nothing is proved, and that is said.
    try repository.loseObject(of: "Shop.xcdatamodeld/Shop 2.xcdatamodel/contents")
    let partial = try run("diagnose", store, "--model", bundle, "--git", repository.path)
    #expect(
      partial.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "N SD802 the store is at 'Shop 3', which by its name comes after 'Shop 2'; of the git repository "
          + "'\(repository.path)' not all could be read (1 model: "), "\(partial.output)")
  }

  /// A bundle that does not say which version is current: the last one is taken, and that is said.
  @Test func anUnstatedCurrentVersionIsSaid() throws {
    let (bundle, store) = try bundle([("Shop", ["Item: name String?"]), ("Shop 2", ["Item: name String?; n Double?"])])
    try FileManager.default.removeItem(atPath: bundle + "/.xccurrentversion")
    let outcome = try run("diagnose", store, "--model", bundle)
    #expect(outcome.output.hasPrefix("migrates: automatic migration to 'Shop 2' succeeds"))
    #expect(
      outcome.output.contains(
        "? '\(bundle)' does not say which of its versions is current: the last of them, 'Shop 2', is taken"))
  }

  @Test(.needsSharedData) func theStoreOfThePastPassesTheGate() throws {
    let files = SharedData.path("field-cases/verdicts/current-version-without-number/")
    let outcome = try run("diagnose", files + "old.sqlite", "--model", files + "Shop.xcdatamodeld")
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("SD802"))
  }
}
