import StoreCoreData
import StoreDigests
import StoreSQLite

/// A stamp of a store's or archive's files that changes when they are written: sizes, times of change and first bytes
/// of the file, its `-wal` and its `-journal`.
struct FileStamp {
  /// 16 hex digits; nil where the file does not exist or cannot be read.
  let text: String?

  /// - Parameter path: the main file; links are followed.
  init(of path: PosixPath) {
    // Of a backup, the stamp of its list.
    let isFolder = FileSystem.kind(of: path) == .folder
    let path = isFolder ? path.appending(component: Array("Manifest.db".utf8)) : path
    guard let main = Self.words(path, bytes: 100) else {
      text = nil
      return
    }
    // A WAL's header contains salts, which change whenever the log starts again in the same file.
    let besides = ["-wal", "-journal"].map { Self.words(path.appending($0), bytes: 32) ?? "-" }
    let words = ([main] + besides).joined(separator: " ")
    text = hexadecimal(Digests.sha256(Array(words.utf8)).prefix(8))
  }

  /// The stamp of the file that a line is about; of the archive for `archive!entry`.
  static func ofFile(shownAs path: [UInt8]) -> FileStamp {
    let whole = FileStamp(of: PosixPath(bytes: path))
    guard whole.text == nil else { return whole }
    // Names may contain the mark themselves.
    let archives = path.indices.filter { path[$0] == UInt8(ascii: "!") }.lazy
      .map { FileStamp(of: PosixPath(bytes: Array(path[..<$0]))) }
    return archives.first { $0.text != nil } ?? whole
  }

  private static func words(_ path: PosixPath, bytes count: Int) -> String? {
    guard FileSystem.kind(of: path) == .file, let file = try? EvidenceFile(path),
      let head = try? file.read(at: 0, count: count)
    else { return nil }
    return "\(file.identity.size) \(file.identity.modified) \(hexadecimal(head))"
  }
}

extension AuditItem {
  /// The stamp of its file, or of the archive it was unpacked from.
  var stamp: String? { FileStamp(of: unpacked?.archive ?? location).text }
}
