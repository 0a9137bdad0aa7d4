import Foundation
import StoreDataModel
import TestSupport
import Testing

/// Mapping models where projects keep them: in another folder than the bundle of models.
@Suite struct MappingModelPlacesTests {
  private let folder: TemporaryFolder
  private let store: String
  private let models: [Model]

  private static let versions: [(name: String, model: [String])] = [
    ("V1", ["Account: balance String?; note String?"]), ("V2", ["Account: balance Decimal?; note String?"]),
  ]

  /// A project with a bundle of two versions, between which no mapping is inferred, and a store of the first.
  init() throws {
    folder = try TemporaryFolder()
    try ModelBundle.write(Self.versions, to: folder("App/Model/Bank.xcdatamodeld"))
    models = try Self.versions.map { try ModelNotation.model($0.model) }
    try FileManager.default.createDirectory(atPath: folder("stores"), withIntermediateDirectories: true)
    store = try XcodeFiles.store(models[0], as: "stores/old.sqlite", in: folder)
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(arguments, environment: ["COLUMNS": "400"])
  }

  private func writeMapping(to name: String) throws -> String {
    try XcodeMappingFile(from: models[0], to: models[1]).write(to: folder(name))
  }

  @Test(arguments: [
    "App/Model/Migrations/1.xcmappingmodel", "App/Mappings/deep/er/1.xcmappingmodel", "Model Mappings/1.xcmappingmodel",
  ])
  func foundInTheRepository(name: String) throws {
    try FileManager.default.createDirectory(atPath: folder(".git"), withIntermediateDirectories: true)
    let mapping = try writeMapping(to: name)
    for model in [folder("App/Model/Bank.xcdatamodeld"), folder("App/Model/Bank.xcdatamodeld#V2"), folder.path] {
      let outcome = try run("diagnose", store, "--model", model)
      #expect(outcome.status == 0, "\(model)")
      #expect(outcome.output.contains("finds '\(mapping)'"), "\(model): \(outcome.output)")
    }
    let audited = try run("audit", store, "--model", folder("App/Model/Bank.xcdatamodeld"))
    #expect(audited.output.contains(#""verdict": "migrates""#))
    let bundle = folder("App/Model/Bank.xcdatamodeld")
    let diff = try run("model", "diff", bundle + "#V1", bundle + "#V2")
    #expect(diff.output.contains("Core Data finds the mapping model '\(mapping)'"))
  }

  /// Without a repository or a project file, the folder above that of the bundle is looked through.
  @Test func foundBesideTheFolderOfTheBundle() throws {
    let mapping = try writeMapping(to: "App/Migrations/1.xcmappingmodel")
    let outcome = try run("diagnose", store, "--model", folder("App/Model/Bank.xcdatamodeld"))
    #expect(outcome.output.contains("finds '\(mapping)'"))
  }

  /// In an archive, the whole app or project is looked through, and an archive can be given for its mapping models.
  @Test(.enabled(if: Python.isPresent, "needs python3")) func foundInAnArchive() throws {
    _ = try writeMapping(to: "App/Migrations/1.xcmappingmodel")
    let script = """
      import os, sys, zipfile
      folder, app, maps, bare = sys.argv[1:]
      def zipped(path, wanted):
        with zipfile.ZipFile(path, "w") as z:
          for root, _, names in os.walk(folder + "/App"):
            for name in names:
              inner = os.path.relpath(os.path.join(root, name), folder)
              if wanted in inner: z.write(os.path.join(root, name), "Payload/" + inner)
      zipped(app, "App"); zipped(maps, "Migrations"); zipped(bare, "Bank")
      """
    let (app, maps, bare) = (folder("Bank.zip"), folder("maps.zip"), folder("bare.zip"))
    #expect(try Program.launch(["python3", "-c", script, folder.path, app, maps, bare]).status == 0)
    let outcome = try run("diagnose", store, "--model", app)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("finds '\(app)!Payload/App/Migrations/1.xcmappingmodel'"), "\(outcome.output)")
    let without = try run("diagnose", store, "--model", bare)
    #expect(without.status == 1 && without.output.contains("no mapping model found"), "\(without.output)")
    let given = try run("diagnose", store, "--model", bare, "--mapping", maps)
    #expect(given.status == 0 && given.output.contains("'\(maps)!Payload/App/Migrations/1.xcmappingmodel'"))
    let front = try run(store, app)
    #expect(front.status == 0 && front.output.hasPrefix("migrates: "), "\(front.output)")
    let none = try run("diagnose", store, "--model", bare, "--mapping", bare)
    #expect(none.status == 2 && none.errors.contains("an archive without a mapping model in it"), "\(none.errors)")
  }

  /// What lies outside the repository is not the project's, and no link leads there.
  @Test func notFoundOutsideTheRepository() throws {
    try FileManager.default.createDirectory(atPath: folder("App/.git"), withIntermediateDirectories: true)
    let mapping = try writeMapping(to: "Other/1.xcmappingmodel")
    try FileManager.default.createSymbolicLink(
      atPath: folder("App/Migrations"), withDestinationPath: folder("Other"))
    let outcome = try run("diagnose", store, "--model", folder("App/Model/Bank.xcdatamodeld"))
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("  ? no mapping model found; if the app has one: --mapping\n"))
    let given = try run(
      "diagnose", store, "--model", folder("App/Model/Bank.xcdatamodeld"), "--mapping", folder("Other"))
    #expect(given.status == 0)
    #expect(given.output.contains("finds '\(mapping)'"))
    let migrated = try run("migrate", store, "--dry-run", "--model", folder("App"), "--mapping", folder("Other"))
    #expect((migrated.output + migrated.errors).contains("1.xcmappingmodel"))
  }

  /// Which steps mapping models are for that cannot be read is not known, and so no verdict beside them is certain.
  @Test func whatCannotBeReadIsOneRemark() throws {
    for number in 1...9 {
      try FileManager.default.createDirectory(
        atPath: folder("App/Model/V\(number).xcmappingmodel"), withIntermediateDirectories: true)
    }
    let outcome = try run("diagnose", store, "--model", folder("App/Model/Bank.xcdatamodeld"))
    #expect(outcome.output.hasPrefix("needs-custom-stage: automatic migration to 'V2' fails with 134140 (assumed)\n"))
    let remarks = outcome.output.split(separator: "\n").filter { $0.contains("left out") }
    #expect(
      remarks == [
        "  ? 9 mapping models are left out: cannot read '\(folder("App/Model/V1.xcmappingmodel"))': it has no file "
          + "'xcmapping.xml'; so are 'V2.xcmappingmodel', 'V3.xcmappingmodel' and 6 more"
      ])
  }

  /// A project with a bundle and `@Model` classes: the store tells which of them is its own.
  @Test func theStoreTellsABundleFromClasses() throws {
    let mapping = try writeMapping(to: "App/Migrations/1.xcmappingmodel")
    try folder.write(
      Array("import SwiftData\n@Model final class Task { var title: String = \"\" }\n".utf8), to: "App/Task.swift")
    let outcome = try run("diagnose", store, "--model", folder("App"))
    #expect(outcome.output.contains("finds '\(mapping)'"), "\(outcome.output)")
    #expect(outcome.output.contains("found below '\(folder("App"))'"))
    let other = try XcodeFiles.store(ModelNotation.model(["Task: title String"]), as: "stores/task.sqlite", in: folder)
    let opens = try run("diagnose", other, "--model", folder("App")).output
    #expect(opens.hasPrefix("opens") && opens.contains("Bank.xcdatamodeld' too"), "\(opens)")
  }

  @Test func aFolderWithoutMappingModelsIsRefused() throws {
    let outcome = try run(
      "diagnose", store, "--model", folder("App/Model/Bank.xcdatamodeld"), "--mapping", folder("stores"))
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("a folder without a mapping model in it or below it"))
  }

  @Test func theModelOfAProjectIsFoundAndNamed() throws {
    let bundle = folder("App/Model/Bank.xcdatamodeld")
    let outcome = try run("diagnose", store, "--model", folder("App"))
    #expect(outcome.output.contains("  ? the model is '\(bundle)', found below '\(folder("App"))'\n"))
    // A second bundle: the store's own is taken, and without a store both are named.
    try ModelBundle.write([("Other", ["Pet: name String?"])], to: folder("App/Other/Pets.xcdatamodeld"))
    #expect(try run("diagnose", store, "--model", folder("App")).output.contains("the model is '\(bundle)'"))
    let check = try run("model", "check", folder("App"))
    #expect(check.status == 2)
    #expect(check.errors.contains("several models lie in it: '\(bundle)', '\(folder("App/Other/Pets.xcdatamodeld"))'"))
  }

  /// Swift source with `@Model` classes stays the model of its folder.
  @Test func sourceWithModelClassesIsNotPassedOver() throws {
    try XcodeFiles.write(
      "import SwiftData\n@Model final class Note { var title: String? = nil }\n", to: folder("App/N.swift"))
    let outcome = try run("model", "show", folder("App"))
    #expect(!outcome.output.contains("Account"))
    let words = "'\(folder("App"))' has Swift source, which is read, and '\(folder("App/Model/Bank.xcdatamodeld"))' too"
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    try XcodeFiles.write("import CoreData\nlet a = 1\n", to: folder("App/N.swift"))
    #expect(try run("model", "show", folder("App")).output.contains("Account"))
  }

  // MARK: Out of date

  @Test func anOutdatedMappingModelIsNamedWithWhatMoved() throws {
    let mapping = folder("App/Model/1.xcmappingmodel")
    let old = try ModelNotation.model(["Account: balance Decimal?", "CgmEvent: at Date?"])
    try XcodeMappingFile(from: models[0], to: old).write(to: mapping)
    let words =
      "the mapping model '\(mapping)' is out of date: it leads to another 'V2': 'Account' has changed since, "
      + "'CgmEvent' is not in it"
    let outcome = try run("diagnose", store, "--model", folder("App/Model/Bank.xcdatamodeld"))
    #expect(outcome.output.contains("  ? \(words)\n"))
    #expect(
      outcome.output.contains("  ? the one mapping model found does not fit; if the app has another: --mapping\n"))
    let check = try run("model", "check", folder("App/Model/Bank.xcdatamodeld"))
    #expect(check.status == 0)
    #expect(
      check.output.contains(
        "W the mapping model '\(mapping)' is out of date, so that Core Data does not find it: it leads to another 'V2': "
          + "'Account' has changed since, 'CgmEvent' is not in it\n"))
    #expect(try run("model", "check", folder("App"), "--fail-on", "warning").status == 1)
  }

  @Test(.needs("git")) func theCommitThatMovedAVersionIsNamed() throws {
    let repository = try Repository(in: folder)
    let bundle = repository.path + "/App/Bank.xcdatamodeld"
    try ModelBundle.write(Self.versions, to: bundle)
    try XcodeMappingFile(from: models[0], to: models[1]).write(to: repository.path + "/Mappings/1.xcmappingmodel")
    _ = try repository.commit([:], message: "Add V2")
    let edited: (String, [String]) = ("V2", ["Account: balance Decimal?; note String?; extra String?"])
    try ModelBundle.write([edited], to: bundle)
    let id = try repository.commit([:], message: "Edit V2 in place").prefix(12)
    let outcome = try run("diagnose", store, "--model", bundle, "--git", repository.path)
    let words =
      "it leads to another 'V2': 'Account' has changed since; 'App/Bank.xcdatamodeld/V2.xcdatamodel/contents' was so until "
      + "commit \(id) of 2001-01-01 ('Edit V2 in place')\n"
    #expect(outcome.output.contains(words))
    #expect(try run("model", "check", bundle, "--git", repository.path).output.contains(words))
  }

  @Test func oneThatFitsNeitherSideIsSaid() throws {
    let mapping = folder("elsewhere.xcmappingmodel")
    try XcodeMappingFile(
      from: ModelNotation.model(["Pet: name String?"]), to: ModelNotation.model(["Pet: name String"])
    ).write(to: mapping)
    let bundle = folder("App/Model/Bank.xcdatamodeld")
    let outcome = try run("diagnose", store, "--model", bundle, "--mapping", mapping)
    #expect(
      outcome.output.contains(
        "  ? the mapping model '\(mapping)' fits neither the store nor a version given: it leads from no version"))
    let diff = try run("model", "diff", bundle + "#V1", bundle + "#V2", "--mapping", mapping)
    #expect(diff.errors.contains("the mapping model '\(mapping)' is not used"))
  }

  @Test(.needsSharedData, arguments: ["below", "beside"]) func theFieldCase(place: String) throws {
    let files = SharedData.path("field-cases/verdicts/mapping-models-below/")
    let outcome = try run("diagnose", files + "old.sqlite", "--model", files + place + "/Model/Bank.xcdatamodeld")
    #expect(outcome.status == 0)
    #expect(
      outcome.output.hasPrefix(
        "migrates: automatic migration to 'V2' goes by the mapping model 'V1 to V2.xcmappingmodel'"))
    let mappings = files + (place == "below" ? "below/Model/Migrations" : "beside/Migrations")
    let given = try run(
      "diagnose", files + "old.sqlite", "--model", files + "beside/Model/Bank.xcdatamodeld", "--mapping", mappings)
    #expect(given.status == 0)
    let project = try run("diagnose", files + "old.sqlite", "--model", files + place)
    #expect(project.status == 0)
  }
}
