import Foundation
import StoreDataModel
import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

/// Models that contradict themselves, unreadable versions, unreadable defaults: each makes only the part concerned
/// unknown.
@Suite struct FaultyModelCommandTests {
  private let folder: TemporaryFolder
  private let sound = XcodeFiles.contents(
    """
    <entity name="Image">
      <relationship name="artist" optional="YES" maxCount="1" destinationEntity="Artist" inverseName="images"/>
    </entity>
    <entity name="Artist">
      <relationship name="images" optional="YES" toMany="YES" destinationEntity="Image" inverseName="artist"/>
    </entity>
    """, identifier: "1")
  /// The inverse of `Image.artist` is the thumbnail, which has another inverse; `Image.cover` has no inverse.
  private let faulty = XcodeFiles.contents(
    """
    <entity name="Image">
      <attribute name="size" optional="YES" attributeType="Integer 16" defaultValueString="big"/>
      <relationship name="artist" optional="YES" maxCount="1" destinationEntity="Artist" inverseName="thumbnail"/>
      <relationship name="cover" optional="YES" maxCount="1" destinationEntity="Artist"/>
      <relationship name="thumbnail" optional="YES" maxCount="1" destinationEntity="Artist" inverseName="thumbnail"/>
    </entity>
    <entity name="Artist">
      <relationship name="thumbnail" optional="YES" maxCount="1" destinationEntity="Image" inverseName="thumbnail"/>
    </entity>
    """, identifier: "3")

  init() throws { folder = try TemporaryFolder() }

  /// "Notes" is valid, "Notes 2" cannot be read, "Notes 3" is faulty and the current version.
  private func bundle() throws -> String { try XcodeFiles.bundle([sound, "<model><entity", faulty], in: folder) }

  @Test func checkNamesWhatIsWrong() throws {
    let bundle = try bundle()
    let outcome = try Program.run(["model", "check", bundle])
    #expect(outcome.status == 1)
    // The path may be too long for one line.
    let (answer, problems) = try outcome.output.parted(at: "\n\n")
    #expect(answer.replacing("\n", with: " ") == "\(bundle): 3 versions, 1 error, 3 warnings")
    #expect(
      problems == """
        Versions that cannot be read
          E line 1, column 8: unclosed token
              in 'Notes 2'

        One-sided inverse: Xcode's compiler warns; hashes do not depend on it
          W inverse of 'Image.artist' is 'Artist.thumbnail', whose inverse is 'Image.thumbnail'
              in 'Notes 3'

        No inverse: Xcode's compiler warns; Core Data then keeps no other side in step
          W 'Image.cover' has no inverse
              in 'Notes 3'

        Defaults that cannot be read: what rests on them is assumed
          W 'Image.size' has a default that is no Integer 16 that can be read: 'big'
              in 'Notes 3'

        """)
    #expect(try Program.run(["model", "check", bundle, "--fail-on", "never"]).status == 0)
    #expect(try Program.run(["model", "check", bundle + "#Notes 3"]).status == 0)
    #expect(try Program.run(["model", "check", bundle + "#Notes 3", "--fail-on", "warning"]).status == 1)
    #expect(try Program.run(["model", "check", bundle + "#Notes", "--fail-on", "note"]).status == 0)
    let json = try Program.run(["model", "check", bundle, "--format", "json"]).output
    #expect(try JSONSchema.of("model-check").violations(in: JSONTree(json)).isEmpty)
  }

  @Test func aStoreOfAFaultyVersionIsMatchedAndDiagnosed() throws {
    let bundle = try bundle()
    let store = try XcodeFiles.store(faulty, in: folder)
    let match = try Program.run(["model", "match", store, bundle])
    #expect(match.status == 0)
    let words = match.output.replacing("\n", with: " ").replacing("    ", with: "")
    #expect(words.contains("was made with 'Notes 3': all 2 entity hashes equal"))
    #expect(words.contains("'Notes 3' contradicts itself: inverse of 'Image.artist' is 'Artist.thumbnail'"))
    #expect(words.contains("'Notes 2' is not known whole: it cannot be read: line 1, column 8"))
    let diagnosis = try Program.run(["diagnose", store, "--model", bundle])
    #expect(diagnosis.status == 0)
    #expect(diagnosis.output.hasPrefix("opens: 'Notes 3' opens it as it is\n"))
    #expect(diagnosis.output.contains("? Notes 2 is left out, since it cannot be read: line 1, column 8"))
    let json = try Program.run(["diagnose", store, "--model", bundle, "--format", "json"]).output
    #expect(try JSONSchema.of("diagnosis").violations(in: JSONTree(json)).isEmpty)
    #expect(json.contains("\"faults\": ["))
  }

  /// Commands on all versions (hashes, JSON, pins) report the version that is left out, also by the exit status.
  @Test func whatIsOfAllVersionsSaysWhichIsOut() throws {
    let bundle = try bundle()
    let pins = folder("released.json")
    let reason = "Notes 2 is left out, since it cannot be read: line 1, column 8"
    for command in [["hash", bundle], ["hash", bundle, "--format", "json"]] {
      let outcome = try Program.run(["model"] + command)
      #expect(outcome.status == 2 && outcome.errors.contains(reason), "\(command)")
      #expect(outcome.output.contains("Notes 3"), "\(command)")
    }
    for command in [
      ["show", bundle, "--format", "json"], ["convert", bundle, "--to", "json"],
    ] {
      let outcome = try Program.run(["model"] + command)
      #expect(outcome.status == 2 && outcome.errors.contains("Notes 2 cannot be read: line 1, column 8"), "\(command)")
    }
    let pin = try Program.run(["model", "pin", bundle, "--output", pins])
    #expect(pin.status == 2 && pin.errors.contains("not pinned: " + reason), "\(pin.errors)")
    // Whether a pinned version that can no longer be read has changed is not known.
    try XcodeFiles.write(sound, to: bundle + "/Notes 2.xcdatamodel/contents")
    #expect(try Program.run(["model", "pin", bundle, "--output", pins, "--force"]).status == 0)
    try XcodeFiles.write("", to: bundle + "/Notes 2.xcdatamodel/contents")
    let check = try Program.run(["model", "check", bundle, "--pins", pins])
    #expect(check.status == 2 && check.output.contains("an empty file"))
  }

  /// If one version cannot be read, it is not known that the store is of none.
  @Test func aStoreOfNoneMayBeOfTheOneThatCannotBeRead() throws {
    let bundle = try bundle()
    let other = XcodeFiles.contents("<entity name=\"Image\"/>", identifier: "0")
    let store = try XcodeFiles.store(other, in: folder)
    let match = try Program.run(["model", "match", store, bundle])
    #expect(match.status == 2)
    #expect(match.output.replacing("\n", with: " ").contains("unless with 'Notes 2', which is not known whole"))
    let json = try Program.run(["diagnose", store, "--model", bundle, "--format", "json"]).output
    let staged = try JSONTree(json).at("models", 1, "opening", "staged")
    #expect(
      staged?.at("verdict") == .string("unknown-version") && staged?.at("basis") == .string("assumed"))
  }

  @Test func theCurrentVersionHasToBeReadable() throws {
    let bundle = try XcodeFiles.bundle([sound, faulty, "<model>"], in: folder)
    let store = try XcodeFiles.store(sound, in: folder)
    for command in [
      ["diagnose", store, "--model", bundle], ["model", "show", bundle], ["model", "diff", store, bundle],
    ] {
      let outcome = try Program.run(command)
      #expect(outcome.status == 2, "\(command)")
      #expect(outcome.errors.contains("it is the current version; name another one as"), "\(outcome.errors)")
    }
    #expect(try Program.run(["diagnose", store, "--model", bundle + "#Notes"]).status == 0)
  }

  /// The error does not recommend the command that was just used.
  @Test func anOldOrEmptyModelIsSaidToBeOne() throws {
    for (file, words) in [("elements", "a model as Xcode 3 kept it"), (".DS_Store", "an empty folder")] {
      let model = folder("\(words.count).xcdatamodel")
      try XcodeFiles.write("x", to: "\(model)/\(file)")
      for command in ["show", "hash", "check"] {
        let outcome = try Program.run(["model", command, model])
        #expect(outcome.status == 2 && outcome.errors.contains(words), "\(outcome.errors)")
        #expect(!outcome.errors.contains("model show"), "\(outcome.errors)")
      }
    }
  }

  // MARK: Defaults

  /// A note needs a value for the new attribute: with a default it gets it, without one the migration is blocked, and
  /// with an unreadable default success is only assumed.
  @Test(arguments: [
    ("defaultDateTimeInterval=\"0\"", "migrates", "documented", 0), ("", "blocked-by-data", "observed", 1),
    ("defaultValueString=\"today\"", "migrates", "assumed", 0),
    ("defaultDateTimeInterval=\"\"", "migrates", "assumed", 0),
  ])
  func aDefaultThatCannotBeReadIsNoneAndNoOther(
    _ field: String, _ verdict: String, _ basis: String, _ status: Int32
  ) throws {
    let old = XcodeFiles.contents("<entity name=\"Note\"><attribute name=\"title\" attributeType=\"String\"/></entity>")
    let new = old.replacing("</entity>", with: "<attribute name=\"due\" attributeType=\"Date\" \(field)/></entity>")
    let model = folder("New.xcdatamodel")
    try XcodeFiles.write(new, to: model + "/contents")
    try XcodeFiles.write(old, to: folder("Old.xcdatamodel/contents"))
    let store = try XcodeFiles.store(old, in: folder)
    let diagnose = ["diagnose", store, "--model", folder("Old.xcdatamodel"), "--model", model]
    let connection = try Connection(writing: store, create: false)
    try connection.execute(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a'); UPDATE Z_PRIMARYKEY SET Z_MAX = 1")
    connection.close()
    let outcome = try Program.run(diagnose + ["--format", "json"])
    #expect(outcome.status == status)
    let tree = try JSONTree(outcome.output)
    #expect(tree.at("verdict") == .string(verdict), "\(outcome.output)")
    #expect(tree.at("models", 1, "basis") == .string(basis), "\(outcome.output)")
    guard basis == "assumed" else { return }
    let text = try Program.run(diagnose).output
    #expect(text.hasPrefix("migrates: automatic migration to 'New' succeeds (assumed)\n"))
    #expect(
      text.replacing("\n", with: " ").contains("Note.due: 1 row (keys 1): filled with a default that cannot be read"))
    #expect(try Program.run(["model", "show", model]).output.contains("default unknown ("))
    #expect(
      try Program.run(["model", "diff", store, model]).output.contains("due: attribute added, Date, default unknown"))
  }

  // MARK: Differences that stores do not have

  @Test func aStoreAndTheVersionThatMadeItAreEqual() throws {
    let made = XcodeFiles.contents(
      """
      <entity name="Note" representedClassName="">
        <attribute name="title" optional="YES" attributeType="String"/>
        <attribute name="place" optional="YES" attributeType="String"/>
        <fetchIndex name="title"><fetchIndexElement property="title" type="Binary" order="ascending"/></fetchIndex>
        <fetchIndex name="title_place"><fetchIndexElement property="title" type="Binary" order="ascending"/>
          <fetchIndexElement property="place" type="Binary" order="ascending"/></fetchIndex>
      </entity>
      """)
    let written = XcodeFiles.contents(
      """
      <entity name="Note" representedClassName="Note">
        <attribute name="title" optional="YES" attributeType="String" indexed="YES"/>
        <attribute name="place" optional="YES" attributeType="String"/>
        <compoundIndexes><compoundIndex><index value="title"/><index value="place"/></compoundIndex></compoundIndexes>
      </entity>
      """)
    let store = try XcodeFiles.store(made, in: folder)
    let model = folder("New.xcdatamodel")
    try XcodeFiles.write(written, to: model + "/contents")
    let source = folder("Made.xcdatamodel")
    try XcodeFiles.write(made, to: source + "/contents")
    // The model of the store was compiled, which makes the compound index.
    for (sides, things, hasCompound) in [
      ([store, model], 4, false), ([model, store], 4, false), ([source, model], 5, true), ([model, source], 5, true),
    ] {
      let text = try Program.run(["model", "diff"] + sides).output
      #expect(text.hasPrefix("equal, but for \(things) things kept in another form\n"), "\(text)")
      #expect(!text.contains("Note\n") && text.contains("--all"))
      let all = try Program.run(["model", "diff"] + sides + ["--all"]).output
      #expect(all.contains("compound indexes changed") == hasCompound && all.contains("index title_place"), "\(all)")
    }
    // An index on something else is a change.
    try XcodeFiles.write(
      written.replacing("<index value=\"place\"/>", with: "").replacing("indexed=\"YES\"", with: ""),
      to: model + "/contents")
    let text = try Program.run(["model", "diff", store, model]).output
    #expect(text.contains("- index title_place removed"), "\(text)")
  }
}

extension String {
  /// The text before the first separator, and the text after it.
  fileprivate func parted(at separator: String) throws -> (String, String) {
    let place = try #require(firstRange(of: separator))
    return (String(self[..<place.lowerBound]), String(self[place.upperBound...]))
  }
}

extension JSONTree {
  /// The value at a path of names and positions; nil if there is none.
  fileprivate func at(_ path: any Sendable...) -> JSONTree? {
    path.reduce(Optional(self)) { tree, step in
      switch (tree, step) {
      case (.object(let members), let name as String): members[name]
      case (.array(let elements), let position as Int): elements.indices.contains(position) ? elements[position] : nil
      default: nil
      }
    }
  }
}
