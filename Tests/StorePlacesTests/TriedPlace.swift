import Foundation
import StoreSQLite
import StoreSystem
import TestSupport
import Testing

@testable import StorePlaces

/// What begins as a database does.
func database(_ count: Int = 3000, seed: UInt8 = 7) -> [UInt8] {
  Array("SQLite format 3\0".utf8) + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ Int(seed)) }
}

/// What begins as a write-ahead log does.
let log: [UInt8] = [0x37, 0x7f, 0x06, 0x82] + [UInt8](repeating: 5, count: 200)

/// What is tried is no archive.
struct NoArchive: Error {}

/// A place that was read: what it holds, and what its files hold.
struct TriedPlace {
  let folder: TemporaryFolder
  let contents: PlaceContents
  let sets: [PreparedSet]
  let leftOut: [LeftOut]

  init(_ archive: [UInt8], named name: String = "a.zip", limits: PlaceLimits = .standard) throws {
    let folder = try TemporaryFolder()
    try self.init(path: folder.write(archive, to: name), in: folder, limits: limits)
  }

  init(path: String, in folder: TemporaryFolder, limits: PlaceLimits = .standard) throws {
    self.folder = folder
    let spooled = PosixPath(folder("private"))
    try FileManager.default.createDirectory(
      atPath: spooled.description, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    var spool = Spool(in: spooled, isNamed: true, limits: limits.archive, archiveSize: 0)
    let contents = try readPlace(
      PosixPath(path),
      spool: { size in
        spool = Spool(in: spooled, isNamed: true, limits: limits.archive, archiveSize: size)
        return spool
      }, limits: limits)
    guard let contents else { throw NoArchive() }
    self.contents = contents
    let prepared = try prepare(self.contents.sets.sorted { SetFinder.precedes($0.shown, $1.shown) }, spool: spool)
    sets = prepared.sets
    leftOut = self.contents.leftOut + prepared.leftOut
    let names = try FileManager.default.contentsOfDirectory(atPath: spooled.description)
    #expect(names.allSatisfy { $0.allSatisfy(\.isNumber) }, "private files are called by numbers")
  }

  /// A line for each set, with the names of its files behind that of the main file, and each that was left out.
  var lines: [String] {
    sets.map { set in
      let others = set.files.dropFirst().map { text($0.name) }
      return ([text(set.shown)] + others).joined(separator: " + ")
    } + leftOut.map { "\(text($0.name)): \($0.kind): \($0.reason)" }
  }

  /// The content of a file of a set.
  func bytes(_ shown: String, ending: String = "") throws -> [UInt8] {
    let set = try #require(sets.first { text($0.shown) == shown })
    let name = set.files[0].name + Array(ending.utf8)
    let file = try EvidenceFile(try #require(set.files.first { $0.name == name }).path)
    return try file.read(at: 0, count: Int(file.size))
  }

  private func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }
}
