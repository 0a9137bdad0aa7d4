import Foundation
import StorePropertyLists
import StoreSQLite
import TestSupport
import Testing

/// Archives that a secure transformer does not let through, and models that name none.
@Suite struct TransformerCommandTests {
  /// A model of parcels, of which "legacy" has no transformer; `legacy` names one for it in a second version.
  private func bundle(in folder: TemporaryFolder, legacy: String = "NSKeyedUnarchiveFromData") throws -> String {
    func contents(_ transformer: String) -> String {
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
        <entity name="Parcel" representedClassName="Parcel" syncable="YES">
          <attribute name="label" optional="YES" attributeType="String"/>
          <attribute name="marks" optional="YES" attributeType="Transformable" customClassName="[Int]"/>
          <attribute name="legacy" optional="YES" attributeType="Transformable" \(transformer)/>
          <attribute name="proof" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData" customClassName="Signature"/>
          <attribute name="stamp" optional="YES" attributeType="Transformable" valueTransformerName="StampTransformer"/>
        </entity>
      </model>
      """
    }
    let path = folder("Post.xcdatamodeld")
    let versions = [("Post", ""), ("Post 2", "valueTransformerName=\"\(legacy)\"")]
    for (name, transformer) in versions {
      let version = "\(path)/\(name).xcdatamodel"
      try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
      try Data(contents(transformer).utf8).write(to: URL(fileURLWithPath: version + "/contents"))
    }
    let current = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>Post 2.xcdatamodel</string></dict></plist>
      """
    try Data(current.utf8).write(to: URL(fileURLWithPath: path + "/.xccurrentversion"))
    return path
  }

  /// Rows 1 to 3 hold a signature in "proof"; rows 2 and 4 colours in "legacy", row 4 in an array.
  private func store(in folder: TemporaryFolder, bundle: String) throws -> String {
    let path = folder("post.sqlite")
    let made = try Program.run(
      ["model", "sample", bundle + "#Post", "--output", path, "--rows", "6", "--kind", "typical"])
    #expect(made.status == 0, "\(made)")
    let connection = try Connection(writing: path, create: false)
    func set(_ column: String, _ keys: String, _ make: (inout KeyedArchiveBuilder) -> KeyedArchiveBuilder.ID) throws {
      var builder = KeyedArchiveBuilder()
      let root = make(&builder)
      let bytes = builder.binary(root: root).map { String(format: "%02x", $0) }.joined()
      try connection.execute("UPDATE ZPARCEL SET \(column) = x'\(bytes)' WHERE Z_PK IN (\(keys))")
    }
    try connection.execute("UPDATE ZPARCEL SET ZPROOF = NULL, ZLEGACY = NULL, ZMARKS = NULL, ZSTAMP = NULL")
    try set("ZPROOF", "1, 2, 3") { $0.object(["Post.Signature", "NSObject"], fields: [("name", .integer(1))]) }
    try set("ZLEGACY", "2") { $0.object(["UIColor", "NSObject"], fields: []) }
    try set("ZLEGACY", "4") { $0.array([$0.object(["UIColor", "NSObject"], fields: [])]) }
    try connection.execute("UPDATE ZPARCEL SET ZSTAMP = x'0102' WHERE Z_PK = 5")
    return path
  }

  private func findings(_ arguments: [String]) throws -> [String] {
    let document = try JSONTree(Program.run(["diagnose"] + arguments + ["--format", "json"]).output)
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/diagnosis.json"), encoding: .utf8))
    #expect(schema.violations(in: document).isEmpty)
    return (document["findings"]?.list ?? []).map { finding in
      let words = ["id", "severity", "property"].map { finding[$0]?.string ?? "" }
      return (words + [(finding["count"]?.wholeNumber).map { "\($0)" } ?? ""]).joined(separator: " ")
    }
  }

  @Test func rowsOfARefusedClassAreFoundAndTheOwnTransformerIsNamed() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder, bundle: try bundle(in: folder))
    let outcome = try Program.run(["diagnose", store])
    #expect(outcome.status == 1)
    let text = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      text.contains(
        "3 rows of ZPARCEL hold an archive in ZPROOF of a class that NSSecureUnarchiveFromData does not let through: "
          + "'Post.Signature' (3 rows)"), "\(text)")
    #expect(text.contains("transformer 'StampTransformer' is the app's own"), "\(text)")
    #expect(try findings([store]) == ["SD509 error proof 3", "SD511 note legacy 2"])
  }

  @Test func whatIsAllowedIsNotRefused() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder, bundle: try bundle(in: folder))
    #expect(try findings([store, "--allow-class", "Signature"]) == ["SD511 note legacy 2"])
    #expect(try findings([store, "--allow-class", "Post.Signature", "--allow-class", "UIColor"]) == [])
    // With its list the own transformer is judged too, but not by bytes that may be right for it.
    let listed = try Program.run(["diagnose", store, "--allow-class", "StampTransformer=Stamp"])
    #expect(!listed.output.contains("StampTransformer"), "\(listed.output)")
    let wrong = try Program.run(["diagnose", store, "--allow-class", "=Stamp"])
    #expect(wrong.status == 64 && wrong.errors.contains("TRANSFORMER=CLASS"), "\(wrong)")
  }

  /// A project says it once; the command line replaces the list.
  @Test func theSettingsOfAProjectSayWhatIsAllowed() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder, bundle: try bundle(in: folder))
    let settings = folder("settings.yaml")
    try folder.write(Array("version: 1\ndefaults: {allow-class: [Signature]}\n".utf8), to: "settings.yaml")
    #expect(try findings([store, "--config", settings]) == ["SD511 note legacy 2"])
    #expect(
      try findings([store, "--config", settings, "--allow-class", "Other"]) == [
        "SD509 error proof 3", "SD511 note legacy 2",
      ])
    try folder.write(Array("version: 1\ndefaults: {allow-class: [\"=Signature\"]}\n".utf8), to: "settings.yaml")
    let wrong = try Program.run(["diagnose", store, "--config", settings])
    #expect(wrong.status == 2 && wrong.errors.contains("as in ColorTransformer=UIColor"), "\(wrong)")
  }

  /// The hashes are equal, so nothing migrates; the rows stay as they are, and the new transformer refuses them.
  @Test func anUpdateToTheSecureTransformerSaysWhichRowsItRefuses() throws {
    let folder = try TemporaryFolder()
    let bundle = try bundle(in: folder, legacy: "NSSecureUnarchiveFromData")
    let store = try store(in: folder, bundle: bundle)
    let outcome = try Program.run(["diagnose", store, "--model", bundle])
    #expect(outcome.status == 1 && outcome.output.hasPrefix("opens"), "\(outcome)")
    let text = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      text.contains(
        "1 row of ZPARCEL holds an archive in ZLEGACY of a class that NSSecureUnarchiveFromData of 'Post 2' does not let "
          + "through: 'UIColor' (1 row)"), "\(text)")
    let found = try findings([store, "--model", bundle])
    #expect(
      found == ["SD509 error legacy 1", "SD509 error proof 3", "SD510 warning legacy 1", "SD807 note  1"], "\(found)")
    #expect(try findings([store, "--model", bundle + "#Post"]) == ["SD509 error proof 3", "SD511 note legacy 2"])
  }

  @Test func aModelSaysOnceWhichTransformersAreInsecure() throws {
    let folder = try TemporaryFolder()
    let bundle = try bundle(in: folder)
    let check = try Program.run(["model", "check", bundle], environment: ["COLUMNS": "300"])
    #expect(check.status == 0)
    #expect(
      check.output == """
        \(bundle): 2 versions, 2 warnings

        Insecure transformers: Core Data warns at every start, and means to refuse them one day
          W 2 transformable attributes without a secure transformer: 'Parcel.legacy' (NSKeyedUnarchiveFromData), 'Parcel.marks'
              in every version

        Classes that a secure transformer refuses: saving such a value ends the app
          W 1 transformable attribute of a class that its secure transformer does not let through: 'Parcel.proof' (Signature)
              in every version

        """)
    let allowed = try Program.run(
      ["model", "check", bundle, "--allow-class", "Signature"], environment: ["COLUMNS": "300"])
    #expect(!allowed.output.contains("Signature") && allowed.output.contains("1 warning"), "\(allowed.output)")
    let document = try JSONTree(Program.run(["model", "check", bundle, "--format", "json"]).output)
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/model-check.json"), encoding: .utf8))
    #expect(schema.violations(in: document).isEmpty)
    let problems = document["versions"]?.list?.map { $0["problems"]?.list?.count ?? 0 }
    #expect(problems == [2, 2])
  }

  /// The case of the field.
  @Test(.needsSharedData) func theCaseOfTheFieldIsNoLongerHealthy() throws {
    let folder = SharedData.path("field-cases/verdicts/insecure-transformers")
    let model = try Program.run(["model", "check", folder + "/Post.xcdatamodeld"], environment: ["COLUMNS": "300"])
    #expect(model.output.contains("'Parcel.legacy' (NSKeyedUnarchiveFromData), 'Parcel.marks'"), "\(model.output)")
    #expect(try findings([folder + "/post.sqlite"]) == ["SD509 error proof 3"])
  }
}
