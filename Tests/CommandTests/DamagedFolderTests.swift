import Foundation
import StoreSQLite
import TestSupport
import Testing

/// A folder of stores that have lost their header: every search finds the same files, and what is left of them is read as of one
/// that is named.
@Suite struct DamagedFolderTests {
  private let folder: TemporaryFolder
  private static let notes = Project.path("corpus/Notes.sqlite")

  /// Stores that have lost their beginning, a sound one, and files that are none.
  init() throws {
    folder = try TemporaryFolder()
    let sound = try contents(of: Self.notes)
    func headless(_ header: [UInt8]) -> [UInt8] { header + sound[header.count...] }
    let zeros = [UInt8](repeating: 0, count: 4096)
    try FileManager.default.createDirectory(atPath: folder("app"), withIntermediateDirectories: true)
    var other = [UInt8](sound[..<100])
    other.replaceSubrange(16..<24, with: [0x20, 0, 1, 1, 0, 64, 32, 32])
    let files: [(name: String, bytes: [UInt8])] = [
      ("app/another.sqlite", headless(other)), ("app/lost.bin", headless(Array(zeros[..<100]))),
      ("app/overwritten", headless([UInt8](repeating: 0xaa, count: 100))), ("app/page.sqlite", headless(zeros)),
      ("app/page-of-no-name", headless(zeros)), ("app/sound.sqlite", sound),
      ("app/zeroed.sqlite", headless(Array(zeros[..<100]))),
    ]
    for file in files { try folder.write(file.bytes, to: file.name) }
    try makeOthers(headless: zeros)
  }

  /// Files that are no stores, in both folders; one is a database of another kind without its header.
  private func makeOthers(headless zeros: [UInt8]) throws {
    try FileManager.default.createDirectory(atPath: folder("none"), withIntermediateDirectories: true)
    let connection = try Connection(writing: folder("database"), create: true)
    try connection.execute("CREATE TABLE t (a); CREATE TABLE u (b)")
    for number in 0..<200 { try connection.execute("INSERT INTO t VALUES ('row \(number)'); INSERT INTO u VALUES (1)") }
    connection.close()
    var random = SeededGenerator(seed: 8)
    let noise = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    // A byte that the page of a table has, and nothing else of one.
    var likely = noise
    likely[100] = 13
    let picture: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + noise
    for place in ["app", "none"] {
      try folder.write(Array(zeros[..<100]) + contents(of: folder("database"))[100...], to: "\(place)/other.bin")
      try folder.write(noise, to: "\(place)/noise.bin")
      try folder.write(likely, to: "\(place)/likely.bin")
      try folder.write([UInt8](repeating: 0, count: 65_536), to: "\(place)/zeros.bin")
      try folder.write(picture, to: "\(place)/picture.png")
      try folder.write(Array("NSStoreModelVersionHashes\n".utf8), to: "\(place)/read.me")
    }
  }

  private static let stores = [
    "another.sqlite", "lost.bin", "overwritten", "page-of-no-name", "page.sqlite", "sound.sqlite", "zeroed.sqlite",
  ]

  @Test func recoverReadsEach() throws {
    let outcome = try Program.run(["recover", folder("app"), "--all", "--summary"])
    #expect(outcome.status == 2)
    let named = outcome.output.split(separator: "\n").filter { $0.hasPrefix("== ") }.map(String.init)
    #expect(named == Self.stores.map { "== " + folder("app/\($0)") }, "\(outcome.output) \(outcome.errors)")
    for name in Self.stores where name != "sound.sqlite" {
      let alone = try Program.run(["recover", folder("app/\(name)"), "--summary"]).output
      #expect(outcome.output.contains(alone) && alone.contains("Note"), "\(name): \(alone)")
      #expect(outcome.errors.contains("cannot read '\(folder("app/\(name)"))': "), "\(outcome.errors)")
    }
    for name in ["other.bin", "noise.bin", "likely.bin", "zeros.bin", "picture.png", "sound.sqlite"] {
      #expect(!outcome.errors.contains(name), "\(outcome.errors)")
    }
  }

  @Test func anAuditFindsTheSame() throws {
    let lines = try Program.run(["audit", folder("app")]).output.split(separator: "\n").map {
      try JSONTree(String($0))
    }
    let paths = lines.compactMap { $0["path"]?.string }.sorted()
    #expect(paths == Self.stores.map { folder("app/\($0)") })
    for line in lines where line["path"]?.string?.hasSuffix("sound.sqlite") == false {
      #expect(line["savable"]?["saved"]?.wholeNumber ?? 0 >= 32, "\(line)")
    }
  }

  @Test func withoutACommandTheSameAreFound() throws {
    let outcome = try Program.run([folder("app")], environment: ["COLUMNS": "300"])
    #expect(outcome.status == 1 && outcome.output.hasPrefix("7 stores: 6 with errors"), "\(outcome.output)")
    for name in Self.stores { #expect(outcome.output.contains(folder("app/\(name)")), "\(outcome.output)") }
    // A file that cannot be opened is the only one: it is what the folder stands for.
    try FileManager.default.createDirectory(atPath: folder("one"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: folder("app/lost.bin"), toPath: folder("one/lost.bin"))
    let (alone, place) = try (Program.run([folder("one/lost.bin")]), Program.run([folder("one")]))
    #expect(place.status == 2 && place.output.hasPrefix("damaged: 1 error"), "\(place.output) \(place.errors)")
    #expect(place.output.contains("What 'storedoctor salvage' would save") && alone.output.contains("32 objects"))
    let saved = try Program.run(["salvage", folder("one"), "--output", folder("Saved.sqlite")])
    #expect(saved.status == 1 || saved.status == 0, "\(saved.errors)")
    #expect(try Program.run(["rows", folder("one"), "Note", "--format", "jsonl"]).output.contains("Note 1"))
  }

  /// Beside a sound store a damaged one is said, and the sound one is read.
  @Test func besideASoundOneItIsSaid() throws {
    for name in Self.stores where !["sound.sqlite", "lost.bin"].contains(name) {
      try FileManager.default.removeItem(atPath: folder("app/\(name)"))
    }
    let outcome = try Program.run(["inspect", folder("app")])
    #expect(outcome.status == 0 && outcome.output.contains("Core Data store"), "\(outcome.errors)")
    #expect(outcome.errors.contains("may hold more stores than the one that is read: cannot read"))
    #expect(outcome.errors.contains("lost.bin"))
  }

  @Test func nothingElseIsCalledAStore() throws {
    for command in [["recover", "--all"], ["inspect"], ["diagnose"], []] {
      let outcome = try Program.run(command + [folder("none")])
      #expect(outcome.status == 2, "\(command)")
      #expect((outcome.output + outcome.errors).contains("found no Core Data store in"), "\(command) \(outcome.errors)")
    }
    let audit = try Program.run(["audit", folder("none")]).output.split(separator: "\n")
    #expect(audit.count == 1 && audit.first?.contains("no store was found in this folder") == true, "\(audit)")
  }

  /// One that has a store's name, and not a row of a store, is named with what it is.
  @Test func whatCannotBeReadIsNamed() throws {
    try FileManager.default.moveItem(atPath: folder("none/other.bin"), toPath: folder("none/Other.sqlite"))
    for command in [["recover", "--all"], []] {
      let outcome = try Program.run(command + [folder("none")])
      let words = outcome.output + outcome.errors
      #expect(outcome.status == 2 && words.contains("Other.sqlite"), "\(words)")
      #expect(words.contains("its header is lost") && !words.contains("has Core Data's metadata in it"), "\(words)")
    }
  }

  /// But for one whose first page is zeros, if it has no store's name either.
  @Test(.needs("python3"), arguments: [("zip", "zip"), ("gztar", "tar.gz")])
  func inAnArchiveTheSameAreFound(_ format: String, _ ending: String) throws {
    let script = "import shutil, sys; shutil.make_archive(sys.argv[1], sys.argv[2], sys.argv[3])"
    let made = try Program.launch(["python3", "-c", script, folder("all"), format, folder("app")])
    #expect(made.status == 0, "\(made.errors)")
    let archive = folder("all.\(ending)")
    func member(_ path: Substring) -> String { path.split { "!/".contains($0) }.last.map(String.init) ?? "" }
    let outcome = try Program.run(["recover", archive, "--all", "--summary"])
    let named = outcome.output.split(separator: "\n").filter { $0.hasPrefix("== ") }.map(member)
    let stores = Self.stores.filter { $0 != "page-of-no-name" }
    #expect(named == stores, "\(outcome.output) \(outcome.errors)")
    for name in stores where name != "sound.sqlite" {
      let alone = try Program.run(["recover", folder("app/\(name)"), "--summary"]).output
      #expect(outcome.output.contains(alone), "\(name): \(alone)")
    }
    let lines = try Program.run(["audit", archive]).output.split(separator: "\n").map { try JSONTree(String($0)) }
    #expect(lines.compactMap { $0["path"]?.string.map { member($0[...]) } }.sorted() == stores)
    for line in lines where line["path"]?.string?.hasSuffix("sound.sqlite") == false {
      #expect(line["savable"]?["saved"]?.wholeNumber ?? 0 >= 32, "\(line)")
    }
    let all = try Program.run([archive], environment: ["COLUMNS": "300"])
    #expect(all.status == 1 && all.output.hasPrefix("6 stores: 5 with errors"), "\(all.output)")
  }

  @Test(.needs("python3")) func inAnArchiveThoseWithAnotherHeaderAreFound() throws {
    let script =
      "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1], 'w'); [z.write(p, p.split('/')[-1]) for p in sys.argv[2:]]"
    let files = ["another.sqlite", "sound.sqlite", "noise.bin"].map { folder("app/\($0)") }
    let made = try Program.launch(["python3", "-c", script, folder("all.zip")] + files)
    #expect(made.status == 0, "\(made.errors)")
    let outcome = try Program.run(["recover", folder("all.zip"), "--all", "--summary"])
    let named = outcome.output.split(separator: "\n").filter { $0.hasPrefix("== ") }.map {
      $0.split(separator: "!").last
    }
    #expect(named == ["another.sqlite", "sound.sqlite"], "\(outcome.output) \(outcome.errors)")
    #expect(outcome.status == 2 && outcome.output.contains("Note"))
  }
}
