import StoreSQLite

/// A store's write-ahead log, and whether it is this store's.
///
/// That cannot be known from salts, because the main file holds none; a log of a store of the same shape mixes its rows
/// in and `integrity_check` says ok. So the evidence is collected, each piece with its weight.
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
  /// Why committed transactions in it may never be read, where it is damaged; nil where it is not.
  public var damage: String?
  /// Whether the rows that are read include it.
  public var isRead: Bool

  /// Whether a WAL is the store's own.
  public enum Belonging: String, Sendable { case yes, no, unknown }
}

/// One piece of evidence about a WAL.
struct WALEvidence {
  /// How much it says.
  enum Weight {
    /// Settles it: another store's.
    case excludes
    /// Settles it: nothing of it is not in the main file already.
    case proves
    /// Both are of one store, though perhaps not of the same time.
    case identifies
    /// Both are of the same time, though perhaps not of one store.
    case continues
    /// Speaks against belonging without settling it.
    case doubts
    /// The two cannot be read together, whosever it is: they are not of the same time, or not of the same store.
    case precludes
    /// Says how things are without speaking for either side.
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
  /// One exclusion decides. To be this store's it has to name the store and to continue where the main file ends: a
  /// main file and a WAL copied at different times name the same store too, and so does a copy that lived on by itself.
  /// Anything less is unknown.
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

/// Holds a WAL against the main file it lies beside.
struct WALExaminer {
  let wal: WAL
  let main: EvidenceFile
  /// The main file's own header; nil while it is empty or unreadable.
  let mainHeader: DatabaseHeader?

  /// Evidence from pages and headers alone, before anything is opened.
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

  /// Why transactions that were committed may be hidden in it: a damaged header hides all, a damaged frame what follows.
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
  var firstPageInNeither: UInt32? {
    guard let pageSize = mainHeader?.pageSize, pageSize > 0, let pageCount = wal.pageCountAfterLastCommit else {
      return nil
    }
    let inMain = UInt32(clamping: main.size / Int64(pageSize))
    guard pageCount > inMain else { return nil }
    // A page beyond the main file's end that no frame holds cannot exist; the locking page is never written.
    let lockingPage = UInt32(clamping: 0x4000_0000 / pageSize + 1)
    return (inMain + 1...pageCount).first { wal.pages.position(of: $0) == nil && $0 != lockingPage }
  }

  /// Whenever a commit writes page 1 into the WAL, its change counter (bytes 24 to 27) is one more than when the
  /// connection last read that page; so one connection may write the same number several times.
  ///
  /// Hence the first page 1 in a WAL counts one more than the main file it was begun on, or the main file has been
  /// checkpointed up to one of the later ones. Seen in 12 of 12 real stores whose WAL holds page 1, and after every
  /// step of 60 random histories of one to three connections with checkpoints, VACUUM and restarts.
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
