import StoreCoreData
import StoreSQLite

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
}
