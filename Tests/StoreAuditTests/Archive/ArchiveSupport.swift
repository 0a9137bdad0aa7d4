@testable import StoreAudit
@testable import StoreSystem
import StoreCoreData
import Foundation
import StoreSQLite
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips where there is no bsdtar, or no Python to make archives with.
  static var needsArchivers: Self {
    .enabled(
      if: isInstalled("bsdtar") && isInstalled("bsdcat") && Python.isPresent,
      "bsdtar and bsdcat (libarchive-tools) or python3 are not installed; run scripts/setup test")
  }
}

private func isInstalled(_ program: String) -> Bool {
  (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
  }
}

/// An archive made by Python, and what came out of it.
struct TriedArchive {
  let place: TemporaryFolder
  let path: String

  /// Runs a script that has `add(name, data, ...)` and `out`, the path of the archive:
  ///
  /// - tar, tgz: further arguments of `add` are fields of `TarInfo`
  /// - raw: the script writes the archive itself
  init(_ kind: String, _ arguments: [String] = [], _ script: String) throws {
    place = try TemporaryFolder()
    path = place("archive.\(kind)")
    _ = try Python.run(Self.prelude + script + "\nclose()\n", [path, kind] + arguments)
    try FileManager.default.createDirectory(
      atPath: place("private"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  /// Unpacks the archive, and checks that the folder has only the files of the result.
  func unpacked(limits: ArchiveLimits = .standard) throws -> UnpackedArchive {
    let result = try unpackArchive(PosixPath(path), into: PosixPath(place("private")), limits: limits)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
        == [
          (path as NSString).lastPathComponent, "private",
        ].sorted())
    #expect(try written().keys.sorted() == result.files.map { shown($0.name) }.sorted())
    return result
  }

  /// The result of unpacking, a line for each entry.
  func lines(limits: ArchiveLimits = .standard) throws -> [String] {
    let result = try unpacked(limits: limits)
    return result.files.map { "file \(shown($0.name)) \($0.size)" + ($0.written < $0.size ? " \($0.written)" : "") }
      + result.refused.map { "refused \(shown($0.name)): \($0.reason)" }
      + result.nested.map { "nested \(shown($0))" }
      + result.links.map { "link \(shown($0))" }
  }

  /// The files in the private folder.
  func written() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    func walk(_ folder: PosixPath, _ prefix: [UInt8]) throws {
      for name in try #require(FileSystem.names(in: folder)) {
        let path = folder.appending(component: name)
        if FileSystem.kind(of: path, followingLinks: false) == .folder {
          try walk(path, prefix + name + Array("/".utf8))
        } else {
          let file = try EvidenceFile(path)
          files[shown(prefix + name)] = try file.read(at: 0, count: Int(file.size))
        }
      }
    }
    try walk(PosixPath(place("private")), [])
    return files
  }

  private static let prelude = """
    import gzip, io, os, random, struct, sys, tarfile, zlib
    out, kind = sys.argv[1:3]
    random.seed(1)
    STORE = b"SQLite format 3\\0" + random.randbytes(20000)
    tar = kind in ("tar", "tgz") and tarfile.open(out, "w:gz" if kind == "tgz" else "w")
    def add(name, data=STORE, **fields):
      info = tarfile.TarInfo(name)
      info.size = len(data)
      for field, value in fields.items(): setattr(info, field, value)
      tar.addfile(info, io.BytesIO(data))
    def close():
      if tar: tar.close()
    def change(edit):
      close()
      data = bytearray(open(out, "rb").read())
      data = edit(data) or data
      open(out, "wb").write(data)

    """
}

/// A name as text; bytes that are not UTF-8 as two digits.
func shown(_ name: [UInt8]) -> String {
  String(validating: name, as: UTF8.self) ?? name.map { $0 < 0x80 ? String(UnicodeScalar($0)) : hex($0) }.joined()
}

private func hex(_ byte: UInt8) -> String { "<" + String(byte, radix: 16) + ">" }
