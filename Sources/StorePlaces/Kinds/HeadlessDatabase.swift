import SQLitePages
import StoreSQLite

/// Files that are databases by their pages and do not begin as one: their header is zeros, or was overwritten.
package enum HeadlessDatabase {
  /// How many first bytes tell whether a file of that name may be one.
  package static func usefulBytes(named name: [UInt8]) -> Int {
    switch EntryRole(name: name) {
    case .namedStore: FileSniff.usefulBytes
    case .other: smallestPage
    case .database, .sideFile, .externalData, .archive: EntryRole.usefulBytes
    }
  }

  private static let smallestPage = 512

  /// Whether a file that begins so may be one. Every search asks this first, in folders and in archives; its pages tell then
  /// whether it is.
  ///
  /// One with a store's name is where it begins as no other kind of file does. Any other only where it begins with zeros, or
  /// with the first page of a table behind what should be its header.
  ///
  /// - Parameter name: the file's; folders before it do not matter.
  package static func mayBegin(_ head: [UInt8], named name: [UInt8]) -> Bool {
    switch EntryRole(name: name, head: head) {
    case .namedStore: [.zeros, .random, .unknown].contains(FileSniff(head))
    case .other: mayBeFirstPage(Array(head.prefix(smallestPage)))
    case .database, .sideFile, .externalData, .archive: false
    }
  }

  /// Whether these are zeros, or the beginning of the first page of a table as far as one can tell that does not know how
  /// long it is.
  private static func mayBeFirstPage(_ head: [UInt8]) -> Bool {
    guard head.count == smallestPage else { return false }
    if head.allSatisfy({ $0 == 0 }) { return true }
    return head.withUnsafeBytes { page in
      guard let header = BTreePage(page, isFirst: true, usableSize: page.count), header.kind.isTable,
        header.cellCount > 0, header.contentStart >= header.pointersEnd, let first = page.half(at: header.pointers)
      else { return false }
      return first >= header.contentStart
    }
  }
}
