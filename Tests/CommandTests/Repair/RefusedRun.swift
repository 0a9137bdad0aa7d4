import Foundation
import TestSupport
import Testing

/// Names, kinds, modes and bytes of everything in a folder.
struct FolderBytes: Equatable {
  private var entries: [String: Data] = [:]

  init(of folder: String) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      let mode = (attributes[.posixPermissions] as? Int) ?? 0
      var entry = Data("\(attributes[.type] ?? "") \(mode) ".utf8)
      if attributes[.type] as? FileAttributeType == .typeRegular {
        entry += try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
      }
      entries[name] = entry
    }
  }

  /// What the folder holds.
  var names: [String] { entries.keys.sorted() }

  subscript(name: String) -> Data? { entries[name] }
}

/// Runs the program and expects it to refuse: with this status, one message that contains all of `words`, nothing on
/// standard output, and nothing written in `folder`.
func expectRefusal(
  _ arguments: [String], in folder: TemporaryFolder, saying words: [String], status: Int32 = 2,
  as user: User = .current,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let before = try FolderBytes(of: folder.path)
  let outcome = try Program.run(arguments, as: user)
  #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)", sourceLocation: sourceLocation)
  #expect(outcome.output == "", sourceLocation: sourceLocation)
  for word in words {
    #expect(outcome.errors.contains(word), "\(word) in \(outcome.errors)", sourceLocation: sourceLocation)
  }
  if status == 2 {
    #expect(outcome.errors.hasPrefix("storedoctor: "), "\(outcome.errors)", sourceLocation: sourceLocation)
  }
  #expect(try FolderBytes(of: folder.path) == before, "nothing is written", sourceLocation: sourceLocation)
}
