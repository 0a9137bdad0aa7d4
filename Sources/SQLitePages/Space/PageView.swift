import StoreSQLite

/// Which version of each page of a database counts at one commit of its log.
package struct PageVersionMap: Sendable {
  /// The files.
  package let files: PageFiles
  /// The commit, counted from 1; 0 for the main file alone.
  package let commit: Int
  /// The number of pages.
  package let pageCount: UInt32
  private let newest: [UInt32: Int]
  private let journal: [UInt32: Int64]

  /// The map after `commit`; nil for the newest.
  package init(_ files: PageFiles, commit: Int? = nil) {
    self.files = files
    let frames = files.frames?.frames ?? []
    let last = min(commit ?? Int.max, files.frames?.commits ?? 0)
    self.commit = last
    var newest: [UInt32: Int] = [:]
    var count: UInt32 = 0
    for (index, frame) in frames.enumerated() {
      guard let its = frame.commit, its <= last else { break }
      newest[frame.page] = index
      if frame.pageCount > 0 { count = frame.pageCount }
    }
    self.newest = newest
    let hot = files.isJournalHot ? files.journal?.records ?? [] : []
    journal = Dictionary(hot.map { ($0.page, $0.offset) }) { first, _ in first }
    // No page of a database is in none of its files: what a frame or a record says beyond that counts nothing.
    let most = UInt64(files.mainPageCount) + UInt64(newest.count) + UInt64(hot.count)
    pageCount = UInt32(
      clamping: min(UInt64(count > 0 ? count : max(files.mainPageCount, hot.map(\.page).max() ?? 0)), most))
  }

  /// Where the version of page `number` lies that counts; nil outside the database.
  package func origin(of number: UInt32) -> PageOrigin? {
    guard number >= 1, number <= pageCount else { return nil }
    if let index = newest[number], let frames = files.frames {
      return PageOrigin(file: .wal, offset: frames.offset(of: index), index: index)
    }
    if let offset = journal[number] { return PageOrigin(file: .journal, offset: offset) }
    return PageOrigin(file: .main, offset: files.offset(ofMainPage: number))
  }
}

/// The database as it was at one commit of its log.
package final class PageView {
  /// Which version of each page counts.
  package let map: PageVersionMap
  private var cache = ChunkCache()

  /// The view after `commit`; nil for the newest.
  package convenience init(_ files: PageFiles, commit: Int? = nil) { self.init(PageVersionMap(files, commit: commit)) }

  /// A view by a map that is known, for a thread of its own.
  package init(_ map: PageVersionMap) { self.map = map }

  /// The files.
  package var files: PageFiles { map.files }
  /// The commit, counted from 1; 0 for the main file alone.
  package var commit: Int { map.commit }
  /// The number of pages.
  package var pageCount: UInt32 { map.pageCount }

  /// Where the version of page `number` lies that counts in this view; nil outside the database.
  package func origin(of number: UInt32) -> PageOrigin? { map.origin(of: number) }

  /// Page `number`; nil outside the database.
  package func page(_ number: UInt32) throws(FileError) -> [UInt8]? {
    guard let origin = origin(of: number) else { return nil }
    guard origin.file == .main else { return try files.bytes(at: origin) }
    return try cache.page(at: origin.offset, size: files.geometry.pageSize, in: files.main)
  }

  /// The same for a page of which no neighbour is wanted: not a byte more is read.
  package func pageAlone(_ number: UInt32) throws(FileError) -> [UInt8]? {
    guard let origin = origin(of: number) else { return nil }
    return try files.bytes(at: origin)
  }
}

/// The last pieces of the main file that were read, so that neighbouring pages cost one `pread`.
private struct ChunkCache {
  private var chunks = [(start: Int64, bytes: [UInt8])](repeating: (-1, []), count: 32)
  /// The last pages that were given, so that the upper pages of a tree are not copied for each row that is looked up.
  private var recent = [(offset: Int64, bytes: [UInt8])](repeating: (-1, []), count: 32)

  /// Bytes of one piece, a multiple of every page size.
  private static let size: Int64 = 1 << 17

  mutating func page(at offset: Int64, size: Int, in source: any ByteSource) throws(FileError) -> [UInt8] {
    let place = Int((offset / Int64(size)) % Int64(recent.count))
    if recent[place].offset == offset { return recent[place].bytes }
    let page = try read(at: offset, size: size, in: source)
    recent[place] = (offset, page)
    return page
  }

  private mutating func read(at offset: Int64, size: Int, in source: any ByteSource) throws(FileError) -> [UInt8] {
    let start = offset / Self.size * Self.size
    let slot = Int((start / Self.size) % Int64(chunks.count))
    if chunks[slot].start != start {
      chunks[slot] = (start, try source.read(at: start, count: Int(Self.size)))
    }
    let first = Int(offset - start)
    let bytes = chunks[slot].bytes
    let available = max(0, min(size, bytes.count - first))
    var page = available > 0 ? Array(bytes[first..<first + available]) : []
    if available < size { page.append(contentsOf: repeatElement(0, count: size - available)) }
    return page
  }
}
