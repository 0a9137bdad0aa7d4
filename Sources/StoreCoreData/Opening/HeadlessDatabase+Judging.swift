import SQLitePages
import StorePlaces
import StoreSQLite

extension HeadlessDatabase {
  /// Whether a file of a place that is searched is one. Every search judges by this, so that none finds what another does not.
  ///
  /// A file with a store's name is looked into. In any other Core Data's metadata have to be as well: to look into all files
  /// would take as long as to read them.
  ///
  /// - Parameter name: the file's, without its folder.
  package static func isOne(_ file: EvidenceFile, named name: [UInt8]) -> Bool {
    let isNamed = EntryRole(name: name) == .namedStore
    guard let head = try? file.read(at: 0, count: FileSniff.usefulBytes),
      mayBegin(head, named: name), isNamed || beginsAsOne(file),
      [.zeros, .random, .unknown].contains(FileSniff(head)), FileSignature.kind(head: head, tail: []) == nil,
      let pages = try? FoundPages(in: file)
    else { return false }
    return isNamed || pages.holdMetadata
  }

  /// Whether a file begins with zeros, or with the page of a table where a header would end.
  private static func beginsAsOne(_ file: EvidenceFile) -> Bool {
    guard let head = try? file.read(at: 0, count: 512), head.count == 512 else { return false }
    if head.allSatisfy({ $0 == 0 }) { return true }
    let (leaf, interior) = (BTreePage.Kind.leafTable.rawValue, BTreePage.Kind.interiorTable.rawValue)
    guard [leaf, interior].contains(head[DatabaseHeader.size]), let bytes = try? file.read(at: 0, count: 1 << 16) else {
      return false
    }
    return (9...16).contains { power in
      let size = 1 << power
      guard bytes.count >= size, let geometry = PageGeometry(pageSize: size) else { return false }
      return bytes[..<size].withUnsafeBytes { page in
        guard let header = BTreePage(page, isFirst: true, usableSize: geometry.usableSize), header.cellCount > 0 else {
          return false
        }
        return header.flaw(in: page, geometry: geometry) == nil
      }
    }
  }
}
