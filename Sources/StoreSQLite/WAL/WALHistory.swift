/// The commits of a write-ahead log, and which of them can still be read with the main file as it is now.
///
/// A checkpoint copies pages from the log into the main file, and the frames stay until the log starts again. Of a page
/// that was copied, the version from before the log is gone:
///
///     commit     0     1     2     3
///     page 5           a           b      main file has b: 0 is lost; 1, 2 and 3 read it from the log
///     page 7                       c      main file has c: 0, 1 and 2 are lost
///     page 9                              main file: always its own version
///
/// So a commit can be read if every page whose first frame comes later differs, in the main file, from all its frames.
/// A page that was rewritten unchanged looks like a copied one; its commits are refused too, because the file does not
/// tell the two apart. What cannot be noticed is a page that a power failure left half copied.
package struct WALHistory: Sendable {
  /// One commit, or the database before the first.
  package struct Commit: Sendable, Equatable {
    /// Counted from 1; 0 for the database before the first commit.
    package var number: Int
    /// Its frames, counted from 0.
    package var frames: Range<Int>
    /// Pages of the database after it. For 0 those that the main file's header says, or the file has.
    package var databasePages: UInt32
    /// Why it cannot be read; nil if it can.
    package var refusal: Refusal?
  }

  /// Why a commit cannot be read.
  package enum Refusal: Sendable, Equatable {
    /// The main file holds the version of `page` that the commit `by` wrote; nil for a frame after the last commit.
    case overwritten(page: UInt32, by: Int?)
    /// A page is in neither file: a checkpoint of a later, smaller database cut it off, or it never was there.
    case missing(page: UInt32)
    /// A page was cut off, and came back as zeros when the database grew again.
    case cutOff(page: UInt32)
  }

  /// All commits by number, beginning with 0.
  package let commits: [Commit]
  /// The page of each committed frame.
  package let pages: [UInt32]
  /// Bytes in a page.
  package let pageSize: Int

  /// The most frames that are examined.
  static let mostFrames = 1 << 26

  /// Reads the log once, and for each frame the page that the main file has in its place.
  ///
  /// - Throws: `FileError` when a file cannot be read or becomes shorter.
  package init(of source: any ByteSource, over main: any ByteSource) throws(FileError) {
    let beginning = try main.read(at: 0, count: DatabaseHeader.size)
    let mainHeader = try? DatabaseHeader(beginning)
    let first = try source.read(at: 0, count: WALHeader.size)
    guard let header = try? WALHeader(first) else {
      let pageSize = Int64(mainHeader?.pageSize ?? 4096)
      let size = mainHeader.flatMap { $0.isPageCountValid ? $0.pageCount : nil }
      commits = [Commit(number: 0, frames: 0..<0, databasePages: size ?? UInt32(clamping: main.size / pageSize))]
      pages = []
      self.pageSize = Int(pageSize)
      return
    }
    var scan = Frames(main: main, pageSize: header.pageSize)
    try scan.run(over: source, header: header)
    let inMain = UInt32(clamping: main.size / Int64(header.pageSize))
    let size = mainHeader.flatMap { $0.isPageCountValid ? $0.pageCount : nil } ?? inMain
    var commits = [Commit(number: 0, frames: 0..<0, databasePages: size)]
    for (index, end) in scan.ends.enumerated() {
      commits.append(
        Commit(number: index + 1, frames: commits[index].frames.upperBound..<end, databasePages: scan.sizes[index]))
    }
    try Refusals(scan: scan, main: main, mainPages: inMain).apply(to: &commits)
    self.commits = commits
    pageSize = header.pageSize
    pages = Array(scan.pages.prefix(scan.ends.last ?? 0))
  }

  /// The length in bytes of the log that ends with a commit.
  package func length(upTo commit: Commit) -> Int64 {
    WALFrame.offset(of: commit.frames.upperBound, pageSize: pageSize)
  }
}

/// The beginning of a source.
package struct LeadingBytes: ByteSource {
  /// The source's name.
  package var name: String { source.name }
  /// Length in bytes.
  package let size: Int64
  private let source: any ByteSource

  /// The first `count` bytes, or all if there are fewer.
  package init(_ source: any ByteSource, count: Int64) {
    self.source = source
    size = max(0, min(count, source.size))
  }

  /// Fills `buffer` from `offset` on; returns how many bytes there were, fewer only at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int {
    guard offset >= 0, offset < size else { return 0 }
    let count = Int(clamping: min(Int64(buffer.count), size - offset))
    return try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
  }
}

/// The frames of a log, compared with the main file.
private struct Frames {
  let main: any ByteSource
  let pageSize: Int
  /// The page of each valid frame.
  var pages: [UInt32] = []
  /// For each commit, the number of frames up to its end.
  var ends: [Int] = []
  /// For each commit, the pages of the database after it.
  var sizes: [UInt32] = []
  /// For each page the number of the first commit that has it.
  var firstCommits: [UInt32: Int32] = [:]
  /// For each page that the main file has as in a frame, the last such commit.
  var copied: [UInt32: Int32] = [:]

  /// The most frames after the last valid one that are compared.
  private static let examinedTail = 1 << 16

  mutating func run(over source: any ByteSource, header: WALHeader) throws(FileError) {
    let room = Int(clamping: (source.size - Int64(WALHeader.size)) / Int64(header.frameSize))
    let frames = min(room, WALHistory.mostFrames)
    var window = ByteWindow(over: source, capacity: max(1 << 20, header.frameSize))
    var checksum = header.checksum
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: pageSize, alignment: 16)
    defer { page.deallocate() }
    var index = 0
    var isValid = true
    while index < frames, isValid || index < pages.count + Self.examinedTail {
      guard let bytes = try window.bytes(at: header.offset(ofFrame: index), count: header.frameSize) else { break }
      // Frames after a damaged one may have been committed and copied before the damage.
      let frame: WALFrame
      if isValid, let valid = WALScan.validFrame(bytes, checksum: &checksum, header: header) {
        frame = valid
        pages.append(frame.pageNumber)
      } else {
        isValid = false
        guard let other = WALFrame(bytes), other.hasSalts(of: header), other.pageNumber > 0 else {
          index += 1
          continue
        }
        frame = other
      }
      try note(frame, bytes: bytes, commit: Int32(clamping: ends.count + 1), into: page)
      if isValid, frame.isCommit {
        ends.append(pages.count)
        sizes.append(frame.pageCountAfterCommit)
      }
      index += 1
    }
  }

  private mutating func note(
    _ frame: WALFrame, bytes: UnsafeRawBufferPointer, commit: Int32, into page: UnsafeMutableRawBufferPointer
  ) throws(FileError) {
    if firstCommits[frame.pageNumber] == nil { firstCommits[frame.pageNumber] = commit }
    let offset = Int64(frame.pageNumber - 1) * Int64(pageSize)
    guard offset < main.size, try main.read(into: page, at: offset) == pageSize else { return }
    let content = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(WALFrame.headerSize))
    if areEqual(content, UnsafeRawBufferPointer(page)) { copied[frame.pageNumber] = commit }
  }

  func firstCommit(of page: UInt32) -> Int { firstCommits[page].map { Int($0) } ?? .max }
}

/// Finds for each commit the first page that keeps it from being read.
private struct Refusals {
  let scan: Frames
  let main: any ByteSource
  let mainPages: UInt32

  func apply(to commits: inout [WALHistory.Commit]) throws(FileError) {
    markOverwritten(&commits)
    markMissing(&commits)
    try markCutOff(&commits)
  }

  /// "SQLite never writes the page that holds the locking bytes".
  private var lockingPage: UInt32 { LockBytes.page(ofSize: scan.pageSize) }

  private func markOverwritten(_ commits: inout [WALHistory.Commit]) {
    var byFirst: [Int: UInt32] = [:]
    for page in scan.copied.keys {
      let first = scan.firstCommit(of: page)
      byFirst[first] = min(byFirst[first] ?? .max, page)
    }
    // From the last commit down: the lowest copied page of which all frames come later.
    var lowest = UInt32.max
    for index in commits.indices.reversed() {
      lowest = min(lowest, byFirst[index + 1] ?? .max)
      guard lowest <= commits[index].databasePages, lowest < .max else { continue }
      let by = scan.copied[lowest].map { Int($0) }
      commits[index].refusal = .overwritten(page: lowest, by: by.flatMap { $0 < commits.count ? $0 : nil })
    }
  }

  private func markMissing(_ commits: inout [WALHistory.Commit]) {
    let most = commits.map(\.databasePages).max() ?? 0
    guard most > mainPages else { return }
    // Each page beyond the main file needs a frame, so beyond this one some page has none.
    let end = min(Int(most), Int(mainPages) + scan.firstCommits.count + 2)
    /// For each page beyond the main file, the latest first commit of it and those before it, and whose that is.
    var latest: [(commit: Int, page: UInt32)] = []
    var last = (commit: 0, page: UInt32(0))
    for number in Int(mainPages) + 1..<max(end, Int(mainPages)) + 1 {
      let page = UInt32(clamping: number)
      if page != lockingPage, scan.firstCommit(of: page) > last.commit { last = (scan.firstCommit(of: page), page) }
      latest.append(last)
    }
    for index in commits.indices where commits[index].refusal == nil && commits[index].databasePages > mainPages {
      let position = min(Int(commits[index].databasePages) - Int(mainPages), latest.count) - 1
      guard latest.indices.contains(position), latest[position].commit > index else { continue }
      commits[index].refusal = .missing(page: latest[position].page)
    }
  }

  /// The most pages beyond the smallest database that are looked at.
  private static let mostZeroPages = 1 << 18

  private func markCutOff(_ commits: inout [WALHistory.Commit]) throws(FileError) {
    /// For each commit the smallest database after it.
    var smallest = UInt32.max
    var smallestLater = [UInt32](repeating: .max, count: commits.count)
    for index in commits.indices.reversed() {
      smallestLater[index] = smallest
      smallest = min(smallest, commits[index].databasePages)
    }
    let shrunk = commits.indices.filter { smallestLater[$0] < commits[$0].databasePages }
    guard let from = shrunk.map({ smallestLater[$0] }).min(), from < mainPages else { return }
    var zeros: [UInt32] = []
    for page in from + 1...mainPages where page != lockingPage {
      // More are not looked at: what is not known counts as cut off.
      let isBeyond = page - from > Self.mostZeroPages
      if isBeyond {
        zeros.append(page)
        break
      }
      if try isZero(page) { zeros.append(page) }
    }
    for index in shrunk where commits[index].refusal == nil {
      let page = zeros.first {
        $0 > smallestLater[index] && $0 <= commits[index].databasePages && scan.firstCommit(of: $0) > index
      }
      if let page { commits[index].refusal = .cutOff(page: page) }
    }
  }

  private func isZero(_ page: UInt32) throws(FileError) -> Bool {
    try main.read(at: Int64(page - 1) * Int64(scan.pageSize), count: scan.pageSize).allSatisfy { $0 == 0 }
  }
}
