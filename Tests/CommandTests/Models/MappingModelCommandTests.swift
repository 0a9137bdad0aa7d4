import Foundation
import StoreDataModel
import TestSupport
import Testing

/// Mapping models on the command line: those found beside models, and those given by `--mapping`.
@Suite struct MappingModelCommandTests {
  private let folder: TemporaryFolder
  private let bundle: String
  private let store: String
  private let mapping: XcodeMappingFile

  /// Two versions with a change that cannot be inferred, and a store of the first.
  init() throws {
    folder = try TemporaryFolder()
    let versions = ["String", "Integer 64"].map { type in
      XcodeFiles.contents(
        #"<entity name="Note"><attribute name="title" optional="YES" attributeType="\#(type)"/></entity>"#)
    }
    try FileManager.default.createDirectory(atPath: folder("project"), withIntermediateDirectories: true)
    let project = try TemporaryFolder()
    let made = try XcodeFiles.bundle(versions, in: project)
    bundle = folder("project/Notes.xcdatamodeld")
    try FileManager.default.copyItem(atPath: made, toPath: bundle)
    store = try XcodeFiles.store(versions[0], in: folder)
    let models = try ModelSource.read(bundle).versions.map(\.model)
    var mapping = XcodeMappingFile(from: models[0], to: models[1])
    mapping.policies = ["Note": "App.NotePolicy"]
    self.mapping = mapping
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(arguments, environment: ["COLUMNS": "400"])
  }

  @Test func diagnoseAndAuditTakeWhatIsGiven() throws {
    let refused = try run("diagnose", store, "--model", bundle)
    #expect(refused.status == 1)
    #expect(refused.output.hasPrefix("needs-custom-stage: automatic migration to 'Notes 2' fails with 134140"))

    let given = try mapping.write(to: folder("1to2.xcmappingmodel"))
    let before = FolderState(of: folder.path)
    let outcome = try run("diagnose", store, "--model", bundle, "--mapping", given)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.output.hasPrefix(
        """
        migrates: automatic migration to 'Notes 2' goes by the mapping model '1to2.xcmappingmodel'
          ? Core Data looks for a mapping model before it infers one, and finds '\(given)': what its code \
        ('App.NotePolicy') and its expressions make of the rows is not known

        """))
    let audited = try run("audit", store, "--model", bundle, "--mapping", given)
    #expect(audited.status == 0)
    #expect(audited.output.contains(#"{"verdict": "migrates","version": "Notes 2"}"#))
    let diff = try run("model", "diff", bundle + "#Notes", bundle + "#Notes 2", "--mapping", given)
    #expect(diff.output.contains("Core Data finds the mapping model '\(given)' before it infers one"))
    #expect(FolderState(of: folder.path) == before)
  }

  @Test func oneBesideTheBundleIsFound() throws {
    let found = try mapping.write(to: folder("project/1to2.xcmappingmodel"))
    #expect(try run("diagnose", store, "--model", bundle).status == 0)
    #expect(try run("audit", store, "--model", bundle, "--fail-on", "warning").status == 0)
    let match = try run("model", "match", store, bundle)
    #expect(match.output.contains("'\(found)' leads from 'Notes' (the store's version) to 'Notes 2'"))
  }

  /// An unreadable mapping model is reported where it might have been used.
  @Test func oneThatCannotBeReadIsSaid() throws {
    try folder.write(Array("bplist00".utf8), to: "project/1to2.cdm")
    let outcome = try run("diagnose", store, "--model", bundle)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("? a mapping model is left out: cannot read '\(folder("project/1to2.cdm"))'"))
    #expect(try run("audit", store, "--model", bundle).errors.contains("a mapping model is left out"))
    #expect(try run("diagnose", store, "--model", bundle, "--mapping", folder("project/1to2.cdm")).status == 2)
    #expect(try run("diagnose", store, "--mapping", folder("project/1to2.cdm")).status == 64)
  }
}
