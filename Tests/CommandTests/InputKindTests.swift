import Foundation
import StorePlatform
import StorePropertyLists
import StoreSQLite
import TestSupport
import Testing

/// An input that is not a store, and the message for it; PATH stands for the path that was given.
struct InputKind: CustomTestStringConvertible, Sendable {
  var name: String
  /// Makes the input in an empty folder and returns what to give as STORE.
  var make: @Sendable (TemporaryFolder) throws -> String
  var sentence: String

  var testDescription: String { name }

  init(_ name: String, _ sentence: String, _ make: @escaping @Sendable (TemporaryFolder) throws -> String) {
    self.name = name
    self.sentence = sentence
    self.make = make
  }

  /// A file of these bytes.
  init(_ name: String, file: String, _ sentence: String, _ bytes: @escaping @Sendable () throws -> [UInt8]) {
    self.init(name, sentence) { try $0.write(try bytes(), to: file) }
  }

  static let all: [InputKind] = [
    .init("missing", "cannot read 'PATH': no such file or folder") { $0("Gone.sqlite") },
    .init("a file taken for a folder", "cannot read 'PATH': no such file or folder") {
      try $0.write([1], to: "File") + "/Notes.sqlite"
    },
    .init("a link to nowhere", "cannot read 'PATH': no such file or folder") { folder in
      try FileManager.default.createSymbolicLink(atPath: folder("Link"), withDestinationPath: folder("Gone"))
      return folder("Link")
    },
    .init(
      "FIFO", "cannot read 'PATH': it is a FIFO, not a regular file; copy the store into a file first"
    ) { folder in
      mkfifo(folder("Pipe"), 0o644)
      return folder("Pipe")
    },
    .init(
      "character device",
      "cannot read 'PATH': it is a character device, not a regular file; copy the store into a file first"
    ) { _ in "/dev/null" },
    .init(
      "socket", "cannot read 'PATH': it is a socket, not a regular file; copy the store into a file first"
    ) { try $0.makeSocket("Socket") },
    .init("empty folder", "found no Core Data store in 'PATH' (0 files looked at)") { $0.path },
    .init("folder without a store", "found no Core Data store in 'PATH' (2 files looked at)") { folder in
      try folder.write(Array("hello".utf8), to: "Read me.txt")
      let other = try Connection(writing: folder("other.db"), create: true)
      try other.execute("CREATE TABLE t (a)")
      return folder.path
    },
    .init(
      "compiled bundle",
      "cannot read 'PATH': it is a compiled model (.mom), not a store; 'storedoctor model show' takes models"
    ) { try $0.makeFolder("Notes.momd") },
    .init(
      "Xcode's bundle",
      "cannot read 'PATH': it is an Xcode model, not a store; 'storedoctor model show' takes models"
    ) { try $0.makeFolder("Notes.xcdatamodeld") },
    .init(
      "empty file", file: "Notes.sqlite",
      "cannot read 'PATH': the file is empty (0 bytes); was it copied without its content, or is its '-wal' elsewhere?"
    ) { [] },
    .init("text", file: "Notes.sqlite", "cannot read 'PATH': it is a text file, not a store") {
      Array("Dear diary,\nnothing happened.\n".utf8)
    },
    .init(
      "XML store", file: "Notes.xml",
      "cannot read 'PATH': it is a Core Data store of type XML; storedoctor reads SQLite stores "
        + "(migrate it once with the app, to NSSQLiteStoreType)"
    ) {
      Array(
        """
        <?xml version="1.0"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
            <databaseInfo>
                <version>134481920</version>
                <UUID>C1C9D6AA-0000-4000-8000-000000000000</UUID>
            </databaseInfo>
        </database>
        """.utf8)
    },
    .init("other XML", file: "page.xhtml", "cannot read 'PATH': it is an XML file, not a store") {
      Array("<?xml version=\"1.0\"?>\n<html><body/></html>\n".utf8)
    },
    .init("XML property list", file: "Info.plist", "cannot read 'PATH': it is a property list, not a store") {
      PropertyListValue.dictionary(["CFBundleName": .string("Notes")]).xmlPropertyList()
    },
    .init("binary property list", file: "Info.plist", "cannot read 'PATH': it is a property list, not a store") {
      PropertyListValue.dictionary(["CFBundleName": .string("Notes")]).binaryPropertyList()
    },
    .init("damaged property list", file: "Info.plist", "cannot read 'PATH': it is a property list, not a store") {
      Array("bplist00".utf8) + [0xD1, 0x01]
    },
    .init(
      "compiled model", file: "Notes.mom",
      "cannot read 'PATH': it is a compiled model (.mom), not a store; 'storedoctor model show' takes models"
    ) { notesArchive },
    .init(
      "optimised model", file: "Notes.omo",
      "cannot read 'PATH': it is an optimised model (.omo), not a store; "
        + "'storedoctor model show' takes the .mom beside it"
    ) { Array("momv2$".utf8) + [0, 0, 0, 1] },
    .init(
      "VersionInfo.plist", file: "VersionInfo.plist",
      "cannot read 'PATH': it is a VersionInfo.plist; give the whole .momd folder to 'storedoctor model show'"
    ) {
      PropertyListValue.dictionary([
        "NSManagedObjectModel_CurrentVersionName": .string("Notes 2"),
        "NSManagedObjectModel_VersionHashes": .dictionary(["Notes 2": .dictionary([:])]),
      ]).binaryPropertyList()
    },
    .init(
      "Xcode's contents", file: "contents",
      "cannot read 'PATH': it is an Xcode model, not a store; 'storedoctor model show' takes models"
    ) {
      Array(
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"></model>
        """.utf8)
    },
    .init(
      "binary store", file: "Notes.bin",
      "cannot read 'PATH': it is a Core Data store of type Binary; storedoctor reads SQLite stores "
        + "(migrate it once with the app, to NSSQLiteStoreType)"
    ) {
      var builder = KeyedArchiveBuilder()
      let uuid = builder.string("C1C9D6AA-0000-4000-8000-000000000000")
      let root = builder.object(["NSBinaryObjectStoreFile", "NSObject"], fields: [("NSStoreUUID", .reference(uuid))])
      return builder.binary(root: root)
    },
    .init(
      "zip", file: "Notes.zip",
      "cannot read 'PATH': it is a zip archive; unpack it first, with the store's side files"
    ) { Array("PK".utf8) + [3, 4, 20, 0, 0, 0, 8, 0] },
    .init(
      "gzip", file: "Notes.gz",
      "cannot read 'PATH': it is a gzip archive; unpack it first, with the store's side files"
    ) { [0x1F, 0x8B, 8, 0, 0, 0, 0, 0] },
    .init(
      "tar", file: "Notes.tar",
      "cannot read 'PATH': it is a tar archive; unpack it first, with the store's side files"
    ) {
      Array("Notes.sqlite".utf8) + [UInt8](repeating: 0, count: 245) + Array("ustar".utf8)
        + [UInt8](repeating: 0, count: 250)
    },
    .init(
      "another SQLite database",
      "cannot inspect 'PATH': a SQLite database, but not a Core Data store "
        + "(no tables Z_METADATA and Z_PRIMARYKEY); its tables: 'author', 'book', 'shelf'"
    ) { folder in
      let other = try Connection(writing: folder("books.db"), create: true)
      try other.execute("CREATE TABLE book (a); CREATE TABLE author (a); CREATE VIEW shelf AS SELECT * FROM book")
      return folder("books.db")
    },
    .init(
      "a SQLite database without tables",
      "cannot inspect 'PATH': a SQLite database, but not a Core Data store "
        + "(no tables Z_METADATA and Z_PRIMARYKEY); it has no tables"
    ) { folder in
      let other = try Connection(writing: folder("empty.db"), create: true)
      try other.execute("PRAGMA user_version = 1")
      return folder("empty.db")
    },
    .init(
      "random bytes", file: "Notes.sqlite",
      "cannot read 'PATH': its bytes are without any pattern: an encrypted database looks so (it is a whole number of pages "
        + "of 4096 bytes), such as SQLCipher's; its key is with the app: decrypt it with that first"
    ) { random(8192) },
    .init(
      "random bytes that are no pages", file: "Notes.sqlite",
      "cannot read 'PATH': its bytes are without any pattern: it is encrypted or compressed, or was overwritten"
    ) { random(8200) },
    .init(
      "encrypted behind a header", file: "Notes.sqlite",
      "cannot read 'PATH': it begins as a SQLite database does, and all behind that is without any pattern: an encrypted "
        + "database looks so (it is a whole number of pages of 4096 bytes), such as SQLCipher's; its key is with the app: "
        + "decrypt it with that first"
    ) {
      Array("SQLite format 3\0".utf8) + [0x10, 0, 1, 1, 80, 0x40, 0x20, 0x20] + [UInt8](repeating: 0, count: 8)
        + random(8160)
    },
    .init(
      "zeros", file: "Notes.sqlite",
      "cannot read 'PATH': all its 8192 bytes are zeros: its place was reserved and nothing was written, or the copy failed; "
        + "look for another copy, and for its '-wal'"
    ) { [UInt8](repeating: 0, count: 8192) },
    .init(
      "zeros in front", file: "Notes.sqlite",
      "cannot read 'PATH': its first 5000 of 8192 bytes are zeros: the start of the file was overwritten, or the copy failed; "
        + "look for another copy, and for its '-wal'"
    ) { [UInt8](repeating: 0, count: 5000) + [UInt8](repeating: 7, count: 3192) },
    .init(
      "a first page of zeros",
      "cannot read 'PATH': its first 4096 bytes are zeros, and 28 pages in it are of a SQLite database with pages of 4096 bytes, "
        + "and has Core Data's metadata in it: its header is lost; 'storedoctor salvage' writes a new store with the rows in it; look "
        + "for another copy, too, and for its '-wal'"
    ) { folder in
      let whole = try contents(of: Project.path("corpus/Notes.sqlite"))
      return try folder.write([UInt8](repeating: 0, count: 4096) + whole[4096...], to: "Notes.sqlite")
    },
    .init(
      "a first page of another kind",
      "cannot read 'PATH': its first bytes are not those of a database, and 28 pages in it are of a SQLite database with pages "
        + "of 4096 bytes, and has Core Data's metadata in it: its header is lost; 'storedoctor salvage' writes a new store with the "
        + "rows in it; look for another copy, too, and for its '-wal'"
    ) { folder in
      let whole = try contents(of: Project.path("corpus/Notes.sqlite"))
      return try folder.write([UInt8](repeating: 7, count: 4096) + whole[4096...], to: "Notes.sqlite")
    },
    .init(
      "bytes of no kind", file: "Notes.sqlite",
      "cannot read 'PATH': not a SQLite database, and of no kind that is known here"
    ) { [UInt8](repeating: 7, count: 3000) },
    .init(
      "Realm", file: "Notes.realm",
      "cannot read 'PATH': it is a Realm database, and no store of Core Data; storedoctor reads SQLite stores of Core Data and "
        + "SwiftData"
    ) { [UInt8](repeating: 0, count: 16) + Array("T-DB".utf8) + [UInt8](repeating: 9, count: 4076) },
    .init(
      "EnCase image", file: "disk.E01",
      "cannot read 'PATH': it is an EnCase image (EVF, .E01), and files in images are not read; mount it, or export its "
        + "files, and name their folder"
    ) { Array("EVF".utf8) + [9, 0x0d, 0x0a, 0xff, 0] + random(4096) },
    .init(
      "AFF4 image", file: "disk.aff4",
      "cannot read 'PATH': it is an AFF4 image, and files in images are not read; mount it, or export its files, and name "
        + "their folder"
    ) {
      Array("PK".utf8) + [3, 4] + [UInt8](repeating: 0, count: 26) + Array("container.description".utf8) + random(600)
    },
    .init(
      "raw image", file: "disk.dd",
      "cannot read 'PATH': it is a raw disk image (boot sector), and files in images are not read; mount it, or export its "
        + "files, and name their folder; a database begins at byte 8192 of it"
    ) { random(510) + [0x55, 0xaa] + random(7680) + Array("SQLite format 3\0".utf8) + random(4080) },
    .init(
      "picture", file: "alert.png",
      "cannot read 'PATH': it is a PNG file, not a store; what an alert or a log says can be given as text, to "
        + "'storedoctor explain'"
    ) { [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + random(600) },
    .init(
      "7-Zip", file: "Notes.7z",
      "cannot read 'PATH': it is a 7-Zip archive; unpack it first, with the store's side files"
    ) { [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] + random(600) },
    .init(
      "XML store with a property list in it", file: "Notes.xml",
      "cannot read 'PATH': it is a Core Data store of type XML; storedoctor reads SQLite stores "
        + "(migrate it once with the app, to NSSQLiteStoreType)"
    ) {
      Array(
        """
        <?xml version="1.0"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
        <database><databaseInfo><metadata><plist version="1.0"><dict></dict></plist></metadata></databaseInfo></database>
        """.utf8)
    },
    .init(
      "truncated beyond reading",
      "cannot read 'PATH': truncated, 4096 bytes of 49152; look for a complete copy, or save what is there with "
        + "'storedoctor salvage'"
    ) { folder in
      try folder.write(Array(try contents(of: makeStore(folder("Whole.sqlite")))[..<4096]), to: "Notes.sqlite")
    },
    .init(
      "damaged header",
      "cannot read 'PATH': a SQLite database with a damaged header: page size 3, which is not a power of two "
        + "from 512 to 65536; 'storedoctor salvage STORE --output NEW' makes a sound store from what can be read"
    ) { folder in
      var bytes = try contents(of: makeStore(folder("Whole.sqlite")))
      bytes.replaceSubrange(16..<18, with: [0, 3])
      return try folder.write(bytes, to: "Notes.sqlite")
    },
    .init(
      "WAL",
      "cannot read 'PATH': it is the write-ahead log (-wal) of a store; "
        + "give the store itself ('FOLDER/Notes.sqlite'), its side files are found beside it"
    ) { try LivingStore(in: $0).mainPath + "-wal" },
    .init(
      "WAL index",
      "cannot read 'PATH': it is the WAL index (-shm) of a store; "
        + "give the store itself ('FOLDER/Notes.sqlite'), its side files are found beside it"
    ) { try $0.write([0x18, 0xE2, 0x2D, 0] + [UInt8](repeating: 0, count: 32764), to: "Notes.sqlite-shm") },
    .init(
      "journal",
      "cannot read 'PATH': it is the rollback journal (-journal) of a store; "
        + "give the store itself ('FOLDER/Notes.sqlite'), its side files are found beside it"
    ) {
      try $0.write(
        [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] + [UInt8](repeating: 0, count: 504), to: "Notes.sqlite-journal"
      )
    },
    .init(
      "a WAL under another name",
      "cannot read 'PATH': it is the write-ahead log (-wal) of a store; "
        + "give the store itself, its side files are found beside it"
    ) { folder in
      try folder.write(try contents(of: LivingStore(in: folder).mainPath + "-wal"), to: "evidence-17.bin")
    },
    .init(
      "a name that acts on the terminal", "cannot read 'FOLDER/\\u{1b}[31m\\u{202e}.sqlite': no such file or folder"
    ) { $0("\u{1B}[31m\u{202E}.sqlite") },
  ]
}

/// Bytes without a pattern.
private func random(_ count: Int) -> [UInt8] {
  var generator = SeededGenerator(seed: 7)
  return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}

extension TemporaryFolder {
  fileprivate func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: self(name), withIntermediateDirectories: true)
    return self(name)
  }

  fileprivate func makeSocket(_ name: String) throws -> String {
    let descriptor = socket(AF_UNIX, Platform.streamSocket, 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      for (position, byte) in self(name).utf8.prefix(buffer.count - 1).enumerated() { buffer[position] = byte }
    }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(code == 0)
    return self(name)
  }
}

/// Every kind of input that is no store ends with status 2 and one sentence that says what it is and what to do.
@Suite struct InputKindTests {
  /// Stores without their header or first page, which `inspect` shows all the same.
  private static let shown: Set<String> = ["a first page of zeros", "a first page of another kind", "damaged header"]

  @Test(arguments: InputKind.all)
  func everyKindHasItsOwnSentence(_ kind: InputKind) throws {
    let folder = try TemporaryFolder()
    let path = try kind.make(folder)
    let before = FolderState(of: folder.path)
    for format in ["text", "json"] {
      let command =
        Self.shown.contains(kind.name)
        ? ["merge", path, "--into", Project.path("corpus/Notes.sqlite")] : ["inspect", path]
      let outcome = try Program.run(command + ["--format", format])
      #expect(outcome.status == 2)
      #expect(outcome.output == "")
      let sentence = kind.sentence.replacing("PATH", with: path).replacing("FOLDER", with: folder.path)
      #expect(outcome.errors == "storedoctor: \(sentence)\n")
    }
    #expect(FolderState(of: folder.path) == before)
  }

  @Test func aFolderWithSeveralStoresListsThem() throws {
    let folder = try TemporaryFolder()
    for (name, notes) in [("B.store", 4), ("A.sqlite", 400)] { try makeStore(folder(name), notes: notes) }
    try makeStore(folder("Gone.sqlite"))
    for name in ["A.sqlite", "B.store"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: folder(name))
    }
    try FileManager.default.removeItem(atPath: folder("Gone.sqlite"))
    let sizes = try ["A.sqlite", "B.store"].map { try contents(of: folder($0)).count }
    let outcome = try Program.run(["inspect", folder.path])
    #expect(outcome.status == 2)
    #expect(
      outcome.errors.hasPrefix(
        """
        storedoctor: '\(folder.path)' holds 2 stores; name one of them, or have all looked at by 'storedoctor audit':
          \(folder("A.sqlite"))  \(sizes[0]) bytes, 2023-11-14, framework 1344, 3 entities
          \(folder("B.store"))  \(sizes[1]) bytes, 2023-11-14, framework 1344, 3 entities

        """))
    // The maker gives both the same UUID.
    #expect(outcome.errors.contains("'\(folder("B.store"))' are states of one store (the same UUID); "))
    #expect(outcome.errors.split(separator: "\n").count == 4)
  }

  @Test func ofManyStoresInAFolderTheFirstTenAreListed() throws {
    let folder = try TemporaryFolder()
    try makeStore(folder("00.sqlite"))
    for number in 1...12 {
      let name = (number < 10 ? "0" : "") + "\(number).sqlite"
      try FileManager.default.copyItem(atPath: folder("00.sqlite"), toPath: folder(name))
    }
    for command in ["inspect", "diagnose"] {
      let outcome = try Program.run([command, folder.path])
      #expect(outcome.status == 2 && outcome.output == "")
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 13 && lines[10].hasPrefix("  \(folder("09.sqlite"))  "))
      #expect(lines[0].hasSuffix("holds 13 stores; name one of them, or have all looked at by 'storedoctor audit':"))
      #expect(lines[11] == "  and 3 more")
      #expect(
        lines.last?.hasSuffix(
          " and 9 more are states of one store (the same UUID); which is the newest their counters do not tell") == true
      )
    }
  }

  @Test func aFolderWithOneStoreIsThatStore() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder("Photos.bundle/database"), withIntermediateDirectories: true)
    try makeStore(folder("Photos.bundle/database/Photos.data"))
    let outcome = try Program.run(["inspect", folder("Photos.bundle")])
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("Core Data store, framework 1344, 3 entities, 7 objects\n"))
  }

  @Test func aLinkLeadsToTheStoreAndItsSideFiles() throws {
    let (folder, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
    let store = try LivingStore(in: folder, committed: 4, inWAL: 3).mainPath
    try FileManager.default.createSymbolicLink(atPath: elsewhere("Link.sqlite"), withDestinationPath: store)
    #expect(try Answer(elsewhere("Link.sqlite")).rows["Note"] == 7)
  }

  @Test(.needsOrdinaryUser, arguments: [(0o000, 0o755), (0o644, 0o000)])
  func notPermittedSaysSo(_ file: Int, _ parent: Int) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder("private"), withIntermediateDirectories: true)
    let store = try makeStore(folder("private/Notes.sqlite"))
    chmod(store, mode_t(file))
    chmod(folder("private"), mode_t(parent))
    defer { chmod(folder("private"), 0o755) }
    let outcome = try Program.run(["inspect", store], as: .ordinary)
    #expect(outcome.status == 2)
    #expect(
      outcome.errors == "storedoctor: cannot read '\(store)': permission denied; "
        + "copy it with its -wal as a user who may, or run as its owner\n")
  }

  @Test(.needsOrdinaryUser) func aWALThatMayNotBeReadIsNotSilentlyLeftOut() throws {
    let folder = try TemporaryFolder()
    let store = try LivingStore(in: folder).mainPath
    chmod(store + "-wal", 0o000)
    let outcome = try Program.run(["inspect", store], as: .ordinary)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("'\(store)-wal': permission denied"))
    let alone = try Program.run(["inspect", store, "--without-wal"], as: .ordinary)
    #expect(alone.status == 0)
    let answer = try Answer(store, ["--without-wal"], as: .ordinary)
    #expect(answer.problems == ["cannot read '\(store)-wal': permission denied"])
  }

  /// Opening a FIFO for reading would let its writer go on, and what it writes would be lost.
  @Test func aFIFOIsNotOpened() throws {
    let folder = try TemporaryFolder()
    mkfifo(folder("Pipe"), 0o644)
    for arguments in [["inspect", folder("Pipe")], ["inspect", folder.path]] {
      #expect(try Program.run(arguments).status == 2)
      // Opening for writing without blocking fails unless somebody has the other end open.
      let writer = open(folder("Pipe"), O_WRONLY | O_NONBLOCK)
      #expect(writer == -1 && errno == ENXIO)
      if writer >= 0 { close(writer) }
    }
  }

  @Test(arguments: [
    [], ["inspect"], ["inspect", "a", "b"], ["inspect", "--no-such-option", "a"], ["nonsense"],
    ["inspect", "a", "--format", "csv"], ["inspect", "a", "--format"],
  ])
  func wrongUsageIs64(_ arguments: [String]) throws {
    let outcome = try Program.run(arguments)
    // Without arguments the help is printed.
    #expect(outcome.status == (arguments.isEmpty ? 0 : 64))
    #expect((arguments.isEmpty ? outcome.output : outcome.errors).contains("storedoctor"))
  }

  @Test(arguments: [["--help"], ["inspect", "--help"], ["help", "inspect"], ["--version"]])
  func helpAndVersionWork(_ arguments: [String]) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 0)
    #expect(!outcome.output.isEmpty && outcome.errors.isEmpty)
    if arguments != ["--version"] { #expect(outcome.output.contains("USAGE: storedoctor")) }
  }
}
