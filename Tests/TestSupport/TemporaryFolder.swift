import Foundation
import StorePlatform

/// A folder that is removed when the value goes away.
package final class TemporaryFolder {
  /// Its path, without a slash at the end.
  package let path: String

  /// Makes a new, empty folder.
  package convenience init() throws { try self.init(in: FileManager.default.temporaryDirectory) }

  /// Makes one in a file system in memory, if there is one with room, for tests that write and sync a store hundreds of
  /// times; each sync to a disk takes milliseconds.
  package static func inMemory() throws -> TemporaryFolder {
    let memory = "/dev/shm"
    let room = (try? FileManager.default.attributesOfFileSystem(forPath: memory))?[.systemFreeSize] as? NSNumber
    let isRoomy = (room?.int64Value ?? 0) > 1 << 30 && FileManager.default.isWritableFile(atPath: memory)
    return try isRoomy ? TemporaryFolder(in: URL(fileURLWithPath: memory)) : TemporaryFolder()
  }

  private init(in place: URL) throws {
    let url = place.appendingPathComponent("storedoctor-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    // On macOS the folder for temporary files lies under a link, which the programs that are tested resolve.
    let resolved = realpath(url.path, nil)
    defer { free(resolved) }
    path = resolved.map { String(cString: $0) } ?? url.path
  }

  deinit {
    _ = try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of something in it.
  package func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Writes a file in it and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: self(name)))
    return self(name)
  }

  private struct ProgramNotWritten: Error {
    let name: String
  }

  /// Copies a program into it, to be run there, and returns its path. Another process writes it: a child that a test starts
  /// meanwhile would else hold it open for writing, and a file that somebody writes cannot be run.
  package func copyProgram(_ program: String, to name: String) throws -> String {
    guard Shell.run("cp '\(program)' '\(self(name))' && chmod 755 '\(self(name))'")?.status == 0 else {
      throw ProgramNotWritten(name: name)
    }
    return self(name)
  }

  /// Writes a shell script in it and returns its path.
  package func writeScript(_ text: String, to name: String) throws -> String {
    let draft = try write(Array("#!/bin/sh\n\(text)\n".utf8), to: name + ".draft")
    defer { try? FileManager.default.removeItem(atPath: draft) }
    return try copyProgram(draft, to: name)
  }

  /// Copies a store with its side files into it and returns the new path of the main file.
  package func copyStore(_ main: String, as name: String? = nil) throws -> String {
    let target = self(name ?? (main as NSString).lastPathComponent)
    for suffix in ["", "-wal", "-shm", "-journal"] where FileManager.default.fileExists(atPath: main + suffix) {
      try FileManager.default.copyItem(atPath: main + suffix, toPath: target + suffix)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: target + suffix)
    }
    return target
  }
}

/// The bytes of a file.
package func contents(of path: String) throws -> [UInt8] {
  Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}
