/// The file of a database that rests: its pages are those of the main file, every one of them, and nothing beside it
/// counts.
///
/// What SQLite would show is then in these pages alone, so that they can also be read without it, from several threads.
package struct SettledFile: Sendable {
  /// The header of the database.
  package let header: DatabaseHeader
  /// The number of its pages.
  package let pageCount: UInt32
  private let session: EvidenceSession

  /// The smallest file for which reading its pages apart from SQLite is worth it.
  package static let leastBytes: Int64 = 1 << 20

  init?(_ session: EvidenceSession, leastBytes: Int64) {
    let image = session.image
    guard image.wal == nil, image.journal == nil, image.size >= leastBytes,
      let header = try? DatabaseHeader(of: image), header.isPageCountValid,
      Int64(header.pageCount) * Int64(header.pageSize) == image.size
    else { return nil }
    (self.header, pageCount, self.session) = (header, header.pageCount, session)
  }

  /// Fills `buffer` from page `number` on; false where the pages are not all there or cannot be read, and where the
  /// connection is to stop.
  package func read(into buffer: UnsafeMutableRawBufferPointer, fromPage number: UInt32) -> Bool {
    guard number >= 1, session.watch.interruption == nil else { return false }
    let offset = (Int64(number) - 1) * Int64(header.pageSize)
    guard let count = try? session.image.read(into: buffer, at: offset), count == buffer.count else { return false }
    session.noteRead(count)
    return true
  }

  /// Shows page `number`, which is used, to whoever looks at the pages that are read.
  package func show(_ page: UnsafeRawBufferPointer, number: UInt32) {
    session.onPage?(page, (Int64(number) - 1) * Int64(header.pageSize))
  }
}
