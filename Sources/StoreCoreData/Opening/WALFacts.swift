import StoreSQLite

/// A store's write-ahead log, and whether it belongs to this store.
///
/// The salts cannot tell, because the main file holds none. A WAL of another store with the same tables would mix its
/// rows in, and `integrity_check` would still report ok. So several pieces of evidence are collected and weighed.
public struct WALFacts: Sendable, Equatable {
  /// Complete frames in the file.
  package var frames: Int
  /// Frames up to the last valid commit, which a reader sees.
  package var committedFrames: Int
  /// Pages whose committed version differs from that in the main file, or which are not in it.
  package var pagesNotInMain: Int
  /// Whether it belongs to the store.
  package var belongsToStore: Belonging
  /// Why, one sentence each.
  package var reasons: [String]
  /// Whether any reason speaks against that, whatever the verdict.
  package var hasDoubt: Bool
  /// Why committed transactions in it may never be read, if it is damaged; nil if it is not.
  package var damage: String?
  /// Why what was saved last may be missing from it although no frame before its end is damaged; nil where it ends behind a
  /// commit.
  package var openEnd: String?
  /// Whether reading includes it.
  package var isRead: Bool
  /// Whether the store can be read with it.
  package var isReadable: Bool

  /// Whether a WAL belongs to the store.
  public enum Belonging: String, Sendable { case yes, no, unknown }
}

/// One piece of evidence about a WAL.
struct WALEvidence {
  /// How strong it is, and for which side.
  enum Weight {
    /// Decisive: it belongs to another store.
    case excludes
    /// Decisive: all its content is already in the main file.
    case proves
    /// Both are of the same store, though perhaps from different times.
    case identifies
    /// Both are from the same time, though perhaps of different stores.
    case continues
    /// Speaks against belonging without settling it.
    case doubts
    /// The two cannot be read together, whatever the WAL belongs to: they are from different times or of different
    /// stores.
    case precludes
    /// Describes the state without supporting either side.
    case neutral
  }

  var weight: Weight
  var sentence: String

  init(_ weight: Weight, _ sentence: String) {
    self.weight = weight
    self.sentence = sentence
  }
}

extension [WALEvidence] {
  /// A single exclusion decides. Otherwise the WAL must both identify the store and continue the main file's state: a
  /// main file and a WAL copied at different times also have the same UUID, and so does a copy of the store that was
  /// used separately. Anything less is unknown.
  var verdict: WALFacts.Belonging {
    if has(.excludes) { return .no }
    if has(.proves) { return .yes }
    return has(.identifies) && has(.continues) && !hasDoubt ? .yes : .unknown
  }

  /// Whether something speaks against belonging.
  var hasDoubt: Bool { has(.excludes) || has(.doubts) || has(.precludes) }

  /// Whether the store can be read with the WAL.
  var allowReading: Bool { !has(.excludes) && !has(.precludes) }

  private func has(_ weight: WALEvidence.Weight) -> Bool { contains { $0.weight == weight } }
}

/// Compares a WAL with the main file beside it.
struct WALExaminer {
  let wal: WAL
  let main: EvidenceFile
  /// The main file's own header; nil while it is empty or unreadable.
  let mainHeader: DatabaseHeader?

  /// Evidence from pages and headers alone, before SQLite opens anything.
  func evidenceFromPages(pagesNotInMain: Int) throws -> [WALEvidence] {
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
    if pagesNotInMain == 0 {
      evidence.append(.init(.proves, "every page in it is in the main file already, byte for byte"))
    }
    if let missing = firstPageInNeither {
      evidence.append(
        .init(
          .precludes, "after its last commit the store has \(pageCount) pages, and page \(missing) is in neither file"))
    }
    if !mainHeader.isWAL { evidence.append(.init(.doubts, "the main file is not in WAL mode")) }
    if let coverage = coverage(of: pageCount) { evidence.append(coverage) }
    evidence += try evidenceFromFirstPage(mainHeader)
    return evidence
  }

  /// Why committed transactions may be lost in it: a damaged header hides all, a damaged frame all that follow.
  var damage: String? {
    switch wal.header {
    case .failure(.empty), .failure(.truncated), .failure(.magic(0)): return nil
    case .failure: return headerSentence
    case .success:
      let frames = wal.tail.tornFrames
      return wal.tail.hiddenCommits == 0
        ? nil
        : "after a damaged frame there are \(frames - 1) more, of more than one transaction, which SQLite does not read"
    }
  }

  /// What its end leaves open: a transaction that was written to its end and cannot be read, or one without an end.
  var openEnd: String? {
    guard case .success = wal.header, damage == nil else { return nil }
    let tail = wal.tail
    // SQLite signs the frames of a large transaction last, so that one with unsigned frames was not finished.
    guard tail.unsignedFrames == 0 else { return nil }
    let frames = tail.uncommittedFrames + tail.tornFrames
    if tail.endsInTornCommit {
      let many = frames == 1 ? "lies 1 frame" : "lie \(frames) frames"
      return "behind its last commit that can be read \(many), torn or damaged, and the last of them ends a transaction"
    }
    // Frames from before the last checkpoint behind it show that it was not cut off there.
    guard frames > 0 || tail.partialBytes > 0, !tail.endsInOlderFrame, tail.unexaminedFrames == 0 else { return nil }
    return "it ends within a transaction, which was not finished or is cut off"
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

  /// The first page within the size set by the last commit that neither file contains.
  var firstPageInNeither: UInt32? {
    guard let pageSize = mainHeader?.pageSize, pageSize > 0, let pageCount = wal.pageCountAfterLastCommit else {
      return nil
    }
    let inMain = UInt32(clamping: main.size / Int64(pageSize))
    guard pageCount > inMain else { return nil }
    // A page beyond the main file's end that is in no frame is missing, except the locking page, which is never
    // written.
    let lockingPage = LockBytes.page(ofSize: pageSize)
    return (inMain + 1...pageCount).first { wal.pages.position(of: $0) == nil && $0 != lockingPage }
  }

  /// Whenever a commit writes page 1 into the WAL, its change counter (bytes 24 to 27) is one more than when the
  /// connection last read that page; so one connection may write the same number several times.
  ///
  /// Therefore the first page 1 in a WAL counts one more than the main file it started from, or the main file has
  /// been checkpointed up to one of the later ones. This held in 12 of 12 real stores whose WAL contains page 1, and
  /// after every step of 60 random histories of one to three connections with checkpoints, VACUUM and restarts.
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
    if own &+ 1 == first.changeCounter
      || (first.changeCounter...max(first.changeCounter, last.changeCounter)).contains(own)
    {
      var evidence = [
        WALEvidence(.continues, "its page 1 continues the main file's change counter (\(own) to \(last.changeCounter))")
      ]
      if last.schemaCookie < mainHeader.schemaCookie {
        evidence.append(
          .init(
            .doubts, "its schema cookie \(last.schemaCookie) is older than the main file's \(mainHeader.schemaCookie)"))
      }
      return evidence
    }
    return [
      .init(
        .doubts,
        "its first page 1 has change counter \(first.changeCounter), which does not follow the main file's \(own)")
    ]
  }

  /// The number of pages whose committed version differs from that in the main file.
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

extension DatabaseFiles {
  /// Why what was saved last may be missing from a log of these files; nil where nothing speaks for that.
  package func lossAtEnd(of wal: WAL) -> String? {
    let examiner = WALExaminer(wal: wal, main: main, mainHeader: nil)
    return examiner.damage ?? examiner.openEnd
  }
}
