import StoreCoreData
import StoreSQLite
import StoreText

/// Looks for Swift source without reading it.
enum SwiftFiles {
  /// The most directory entries that are examined: enough to find a file in most projects without a noticeable wait.
  private static let mostNames = 20_000

  /// Whether a folder or one below it contains a Swift file. Hidden folders are skipped and links are not followed.
  static func areBelow(_ folder: PosixPath) -> Bool {
    var (folders, looked) = ([folder], 0)
    while let next = folders.popLast() {
      guard FileSystem.kind(of: next) == .folder, let names = FileSystem.names(in: next) else { continue }
      looked += names.count
      if names.contains(where: { $0.suffix(6).elementsEqual(".swift".utf8) }) { return true }
      guard looked < mostNames else { return false }
      folders += names.filter { $0.first != UInt8(ascii: ".") }.map { next.appending(component: $0) }
    }
    return false
  }

  /// The most bytes of Swift source that are looked at for `@Model`, and of one file.
  private static let (mostBytes, mostBytesOfFile) = (256 << 20, 4 << 20)

  /// Whether a Swift file in a folder or one below it contains `@Model`; true where that cannot be told.
  static func declareModels(below folder: PosixPath) -> Bool {
    var (folders, looked, bytes) = ([folder], 0, 0)
    let mark = Array("@Model".utf8)
    while let next = folders.popLast() {
      guard FileSystem.kind(of: next, followingLinks: next == folder) == .folder,
        let entries = FileSystem.entries(in: next)
      else { continue }
      looked += entries.count
      for entry in entries where entry.name.first != UInt8(ascii: ".") {
        let path = next.appending(component: entry.name)
        if entry.name.suffix(6).elementsEqual(".swift".utf8) {
          guard let file = try? EvidenceFile(path), file.size <= Int64(mostBytesOfFile),
            let text = try? file.read(at: 0, count: Int(clamping: file.size))
          else { continue }
          bytes += text.count
          if text.firstRange(ofBytes: mark) != nil { return true }
        } else if entry.kind == .folder || entry.kind == nil {
          folders.append(path)
        }
      }
      guard looked < mostNames, bytes < mostBytes else { return true }
    }
    return false
  }
}
