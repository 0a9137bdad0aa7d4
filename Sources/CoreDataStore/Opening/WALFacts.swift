import SQLite

/// A store's write-ahead log, and whether it is this store's.
///
/// That cannot be known from salts, because the main file holds none; a log of a store of the same shape mixes its
/// rows in and `integrity_check` says ok (`design.md` §4). So the evidence is collected, each piece with its weight.
public struct WALFacts: Sendable, Equatable {
  /// Whole frames in the file.
  public var frames: Int
  /// Frames up to the last valid commit: what a reader sees.
  public var committedFrames: Int
  /// Pages whose committed version differs from the main file's, or is not in it.
  public var pagesNotInMain: Int
  /// The verdict.
  public var belongsToStore: Belonging
  /// Why, one sentence each.
  public var reasons: [String]
  /// Whether some reason speaks against belonging, whatever the verdict.
  public var hasDoubt: Bool
  /// Whether the rows that are read include it.
  public var isRead: Bool

  /// Whether a WAL is the store's own.
  public enum Belonging: String, Sendable { case yes, no, unknown }
}

/// One piece of evidence about a WAL.
struct WALEvidence {
  /// How much it says.
  enum Weight {
    /// Settles it.
    case proves, excludes
    /// Speaks for or against without settling it.
    case supports, doubts
    /// Says how things are without speaking for either side.
    case neutral
  }

  var weight: Weight
  var sentence: String

  init(_ weight: Weight, _ sentence: String) {
    self.weight = weight
    self.sentence = sentence
  }

  /// One exclusion decides, then one proof; anything less is unknown.
  static func verdict(_ evidence: [WALEvidence]) -> WALFacts.Belonging {
    if evidence.contains(where: { $0.weight == .excludes }) { return .no }
    return evidence.contains { $0.weight == .proves } ? .yes : .unknown
  }
}

/// Holds a WAL against the main file it lies beside.
struct WALExaminer {
  let wal: WAL
  let main: EvidenceFile
  /// The main file's own header; nil while it is empty or unreadable.
  let mainHeader: DatabaseHeader?

  /// Evidence from pages and headers alone, before anything is opened.
  func evidenceFromPages() throws -> [WALEvidence] {
    guard let header = try? wal.header.get() else { return [.init(.neutral, headerSentence)] }
    guard wal.hasCommits, let pageCount = wal.pageCountAfterLastCommit else {
      return [.init(.neutral, "it holds no committed transaction, so it changes nothing")]
    }
    guard let mainHeader else {
      return [coverage(of: pageCount) ?? .init(.neutral, "the main file has no header to compare with")]
    }
    guard header.pageSize == mainHeader.pageSize else {
      return [
        .init(.excludes, "its pages have \(header.pageSize) bytes, the main file's \(mainHeader.pageSize)")
      ]
    }
    var evidence: [WALEvidence] = []
    if let missing = firstPageInNeither(pageCount) {
      evidence.append(
        .init(.excludes, "after its last commit the store has \(pageCount) pages, and page \(missing) is in neither file"))
    }
    if let coverage = coverage(of: pageCount) { evidence.append(coverage) }
    evidence += try evidenceFromFirstPage(mainHeader)
    return evidence
  }

  private var headerSentence: String {
    switch wal.header {
    case .success: ""
    case .failure(.empty): "it is empty (0 bytes), so it changes nothing"
    case .failure(.truncated(let bytes)): "it ends after \(bytes) bytes, within its header, so it changes nothing"
    case .failure: "its header is damaged, so SQLite ignores it"
    }
  }

  private func coverage(of pageCount: UInt32) -> WALEvidence? {
    guard UInt32(clamping: wal.pages.count) >= pageCount else { return nil }
    return .init(.neutral, "it holds every page of the store (\(pageCount)), so nothing is mixed")
  }

  /// The first page that the last commit counts and that neither file has.
  private func firstPageInNeither(_ pageCount: UInt32) -> UInt32? {
    guard let pageSize = mainHeader?.pageSize, pageSize > 0 else { return nil }
    let inMain = UInt32(clamping: main.size / Int64(pageSize))
    guard pageCount > inMain else { return nil }
    // A page beyond the main file's end that no frame holds cannot exist; the locking page is never written.
    let lockingPage = UInt32(clamping: 0x4000_0000 / pageSize + 1)
    return (inMain + 1...pageCount).first { wal.pages.position(of: $0) == nil && $0 != lockingPage }
  }

  /// SQLite raises the change counter (bytes 24 to 27 of page 1) by one whenever a commit writes page 1 into the WAL.
  /// So the first page 1 in a WAL counts one more than the main file it was begun on, or the main file has been
  /// checkpointed up to one of the later ones. Seen in 12 of 12 real stores whose WAL holds page 1.
  private func evidenceFromFirstPage(_ mainHeader: DatabaseHeader) throws -> [WALEvidence] {
    var headers: [DatabaseHeader] = []
    for index in 0..<min(wal.committedFrames, 100_000) {
      guard try wal.frame(index)?.pageNumber == 1, let page = try wal.content(ofFrame: index) else { continue }
      if let header = try? DatabaseHeader(page) { headers.append(header) }
      if headers.count > 1 { break }
    }
    guard let first = headers.first,
      let last = try wal.page(1).flatMap({ try? DatabaseHeader($0) })
    else { return [.init(.neutral, "it does not hold page 1, which would tell more")] }
    let own = mainHeader.changeCounter
    if own &+ 1 == first.changeCounter || (first.changeCounter...max(first.changeCounter, last.changeCounter)).contains(own) {
      var evidence = [
        WALEvidence(.supports, "its page 1 continues the main file's change counter (\(own) to \(last.changeCounter))")
      ]
      if last.schemaCookie < mainHeader.schemaCookie {
        evidence.append(
          .init(.doubts, "its schema cookie \(last.schemaCookie) is older than the main file's \(mainHeader.schemaCookie)"))
      }
      return evidence
    }
    return [
      .init(
        .doubts,
        "its first page 1 has change counter \(first.changeCounter), which does not follow the main file's \(own)")
    ]
  }

  /// Pages whose committed version is not what the main file holds.
  func pagesNotInMain() throws -> Int {
    guard let pageSize = try? wal.header.get().pageSize else { return 0 }
    var differing = 0
    for number in wal.pages.pages {
      guard let page = try wal.page(number) else { continue }
      let own = try main.read(at: Int64(number - 1) * Int64(pageSize), count: pageSize)
      if own != page { differing += 1 }
    }
    return differing
  }
}
