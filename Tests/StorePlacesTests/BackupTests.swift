import Foundation
import StoreDigests
import StoreSQLite
import StoreSystem
import TestSupport
import Testing

@testable import StorePlaces

/// A backup, made from what is known of them: files under hashes, and a list of their names.
struct BackupMaker {
  let folder: TemporaryFolder
  let root: String
  private(set) var rows: [(domain: String, path: String)] = []
  var isFlat = false

  init() throws {
    folder = try TemporaryFolder()
    root = folder("00008030-001A2B3C4D5E6F70")
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    try write(
      Array("<plist><dict><key>Product Version</key><string>17.4</string></dict></plist>".utf8), to: "Info.plist")
    try write(
      Array("<plist><dict><key>IsEncrypted</key><false/><key>Version</key><string>10.0</string></dict></plist>".utf8),
      to: "Manifest.plist")
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: root + "/" + name))
  }

  static func fileID(_ domain: String, _ path: String) -> String {
    hexadecimal(Digests.sha1(Array("\(domain)-\(path)".utf8)))
  }

  mutating func add(_ domain: String, _ path: String, _ content: [UInt8]?, isListed: Bool = true) throws {
    let name = Self.fileID(domain, path)
    if isListed { rows.append((domain, path)) }
    guard let content else { return }
    if isFlat { return try write(content, to: name) }
    try FileManager.default.createDirectory(atPath: root + "/" + name.prefix(2), withIntermediateDirectories: true)
    try write(content, to: name.prefix(2) + "/" + name)
  }

  /// Writes `Manifest.db`.
  func list() throws {
    let connection = try Connection(writing: root + "/Manifest.db", create: true)
    for sql in [
      "CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB)",
      "CREATE TABLE Properties (key TEXT PRIMARY KEY, value BLOB)",
    ] { _ = try connection.prepare(sql).step() }
    for row in rows {
      let statement = try connection.prepare("INSERT INTO Files VALUES (?, ?, ?, 1, NULL)")
      try statement.bind(Self.fileID(row.domain, row.path), at: 1)
      try statement.bind(row.domain, at: 2)
      try statement.bind(row.path, at: 3)
      _ = try statement.step()
    }
  }

  /// Writes `Manifest.mbdb`.
  func oldList() throws {
    var bytes = Array("mbdb".utf8) + [5, 0]
    func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 255)] + text.utf8 }
    for row in rows {
      bytes += text(row.domain) + text(row.path) + [UInt8](repeating: 0xFF, count: 6)
      bytes += [0x81, 0xA4] + [UInt8](repeating: 0, count: 37) + [1] + text("name") + text("value")
    }
    try write(bytes, to: "Manifest.mbdb")
  }
}

@Suite struct BackupTests {
  private let domain = "AppDomain-com.example.notes"
  private let path = "Library/Application Support/Notes.sqlite"
  private let external =
    "Library/Application Support/.Notes_SUPPORT/_EXTERNAL_DATA/0F1E2D3C-0000-4000-8000-000000000001"
  private var shown: String { "\(domain)/\(path)" }

  private func made() throws -> BackupMaker {
    var backup = try BackupMaker()
    try backup.add(domain, path, database())
    try backup.add(domain, path + "-wal", log)
    try backup.add(domain, external, [1, 2, 3])
    try backup.add("HomeDomain", path, database(seed: 2))
    return backup
  }

  private var expected: [String] {
    ["\(shown) + \(shown)-wal + \(domain)/\(external)", "HomeDomain/\(path)"]
  }

  @Test func storesAreNamedByTheList() throws {
    let backup = try made()
    try backup.list()
    let place = try TriedPlace(path: backup.root, in: backup.folder)
    #expect(place.lines == expected)
    #expect(try place.bytes(shown, ending: "-wal") == log)
    #expect(place.contents.sets.map(\.container) == ["com.example.notes", nil])
    #expect(place.contents.backups.first?.facts.system == "17.4")
    #expect(place.contents.filesSeen == 4)
  }

  @Test(arguments: [false, true]) func anOldListIsReadToo(isFlat: Bool) throws {
    var backup = try BackupMaker()
    backup.isFlat = isFlat
    try backup.add(domain, path, database())
    // A log is found by its name, whether the list has it or not.
    try backup.add(domain, path + "-wal", log, isListed: false)
    try backup.oldList()
    #expect(try TriedPlace(path: backup.root, in: backup.folder).lines == ["\(shown) + \(shown)-wal"])
  }

  @Test func whatTheListAndTheFilesDoNotShareIsSaid() throws {
    var backup = try made()
    try backup.add(domain, "Documents/gone.sqlite", nil)
    try backup.add(domain, "Documents/unlisted.sqlite", database(), isListed: false)
    try backup.add(domain, "Documents/lonely.sqlite-wal", log)
    try backup.list()
    let nameless = BackupMaker.fileID(domain, "Documents/unlisted.sqlite")
    let place = try TriedPlace(path: backup.root, in: backup.folder)
    #expect(place.lines.prefix(3).sorted() == (expected + [nameless]).sorted())
    #expect(
      place.leftOut.map { "\(String(decoding: $0.name, as: UTF8.self)) \($0.kind)" }.sorted() == [
        " whole", "\(domain)/Documents/gone.sqlite refused", "\(domain)/Documents/lonely.sqlite-wal orphanLog",
      ])
  }

  /// Where the list has the log, and the folder does not, the store is not one without a log.
  @Test func aLogThatIsListedAndNotThereIsNoMissingOne() throws {
    var backup = try BackupMaker()
    try backup.add(domain, path, database())
    try backup.add(domain, path + "-wal", nil)
    try backup.list()
    let place = try TriedPlace(path: backup.root, in: backup.folder)
    #expect(place.lines == [shown])
    #expect(place.sets.map { $0.unreadable.map(\.name) } == [[Array((shown + "-wal").utf8)]])
  }

  /// A list that is made to be slow, and one that is damaged behind its first pages, cost names and no stores.
  @Test(arguments: ["endless", "damaged"]) func aListThatCannotBeReadToItsEndIsUsedSoFar(kind: String) throws {
    var backup = try made()
    for number in 0..<2000 { try backup.add("HomeDomain", "Library/\(number)", nil) }
    try backup.list()
    let manifest = backup.root + "/Manifest.db"
    if kind == "damaged" {
      var bytes = try contents(of: manifest)
      bytes.replaceSubrange(
        bytes.count / 2..<bytes.count, with: [UInt8](repeating: 0xA7, count: bytes.count - bytes.count / 2))
      try backup.write(bytes, to: "Manifest.db")
    } else {
      let connection = try Connection(writing: manifest, create: false)
      for sql in [
        "ALTER TABLE Files RENAME TO Old",
        "CREATE VIEW Files AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
          + "SELECT fileID || i AS fileID, domain, relativePath, 1 AS flags FROM n, Old",
      ] { _ = try connection.prepare(sql).step() }
    }
    let place = try TriedPlace(path: backup.root, in: backup.folder)
    #expect(place.sets.filter(\.isDatabase).count == 2)
    #expect(place.leftOut.contains { $0.kind == .whole })
  }

  /// Unpacked backups have their files under their own names beside the list.
  @Test func whatIsNoPartOfTheBackupIsLeftToTheSearch() {
    for name in [
      "Manifest.db", "Manifest.db-wal", "Info.plist", "Snapshot", "3d/3d0d7e5fb2ce288813306e4d4636395e047a3d28",
    ] {
      #expect(isPartOfBackup(Array(name.utf8)))
    }
    for name in ["HomeDomain", "Notes.sqlite", "3d", "3d/Notes.sqlite", "ab/3d0d7e5fb2ce288813306e4d4636395e047a3d28"] {
      #expect(!isPartOfBackup(Array(name.utf8)))
    }
  }

  @Test func anEncryptedBackupIsCalledOne() throws {
    let backup = try BackupMaker()
    try backup.write([UInt8](repeating: 0xA7, count: 4096), to: "Manifest.db")
    let place = try TriedPlace(path: backup.root, in: backup.folder)
    #expect(place.sets.isEmpty)
    #expect(place.leftOut.map(\.kind) == [.encrypted])
    #expect(place.leftOut.first?.reason.hasPrefix("an encrypted backup") == true)
  }

  /// Without a list there are no names; the logs lie beside each store, to be held against it.
  @Test(arguments: ["none", "empty", "cut", "other"]) func withoutAListContentTells(list: String) throws {
    let backup = try made()
    if list == "cut" || list == "other" { try backup.list() }
    let manifest = backup.root + "/Manifest.db"
    switch list {
    case "empty": try backup.write([], to: "Manifest.db")
    case "cut": try backup.write(Array(contents(of: manifest).prefix(3000)), to: "Manifest.db")
    case "other": _ = try Connection(writing: manifest, create: false).prepare("DROP TABLE Files").step()
    default: break
    }
    let place = try TriedPlace(path: backup.root, in: backup.folder)
    let stores = [domain, "HomeDomain"].map { BackupMaker.fileID($0, path) }.sorted()
    #expect(place.sets.map { String(decoding: $0.shown, as: UTF8.self) } == stores)
    #expect(place.sets.allSatisfy { $0.files.count == 2 })
    #expect(place.leftOut.contains { $0.kind == .orphanLog })
    #expect(list == "none" || place.leftOut.contains { $0.kind == .whole })
  }

  @Test func aBackupThatWasNotFinishedIsSaid() throws {
    let backup = try made()
    try backup.list()
    for (state, isFinished) in [("new", false), ("finished", true)] {
      try backup.write(
        Array("<plist><dict><key>SnapshotState</key><string>\(state)</string></dict></plist>".utf8), to: "Status.plist")
      let place = try readPlace(
        PosixPath(backup.root),
        spool: { Spool(in: PosixPath("/tmp"), isNamed: false, limits: .standard, archiveSize: $0) })
      #expect(place?.backups.first?.facts.isComplete == isFinished)
      #expect(place?.leftOut.contains { $0.kind == .whole } == !isFinished)
    }
  }

  @Test(arguments: ["a.zip", "a.tar", "a.tgz"]) func aBackupInAnArchiveIsOneToo(name: String) throws {
    let backup = try made()
    try backup.list()
    let names = try FileManager.default.subpathsOfDirectory(atPath: backup.root).filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: backup.root + "/" + name, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    var (zip, tar) = (ZipMaker(), TarMaker())
    for name in names.sorted() {
      let bytes = try contents(of: backup.root + "/" + name)
      try zip.add("iPhone/ID/\(name)", bytes)
      tar.add("iPhone/ID/\(name)", bytes)
    }
    let bytes = name == "a.zip" ? zip.archive() : name == "a.tar" ? tar.archive : try gzip(tar.archive)
    let place = try TriedPlace(bytes, named: name)
    let archived = expected.map { line in
      let parts = line.split(separator: " + ", maxSplits: 1)
      return (["iPhone/ID!" + parts[0]] + parts.dropFirst()).joined(separator: " + ")
    }
    #expect(place.lines == archived)
    #expect(try place.bytes("iPhone/ID!" + shown, ending: "-wal") == log)
  }
}
