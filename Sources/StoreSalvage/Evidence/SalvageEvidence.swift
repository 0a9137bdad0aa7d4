import SQLitePages
import StoreCoreData
import StoreSQLite
import StoreText
import StoreWords

/// The files of a damaged store as pages that have numbers, whatever is left of the header.
struct SalvageEvidence {
  let files: DatabaseFiles
  let pages: PageFiles
  let view: PageView
  let map: TrustedPointerMap
  /// Whether the header of the file counts; if not, it was made from what its pages show.
  let hasHeader: Bool
  /// Pages that are missing at the front of the file.
  let missingInFront: UInt32
  /// Whether the numbers of the pages are known; if not, what one page says of another leads nowhere.
  let knowsNumbers: Bool
  /// What is to be said of this, one sentence each.
  private(set) var notes: [String] = []
  /// Why what was saved last may be missing: the log breaks off; nil where nothing speaks for that.
  private(set) var lossInLog: String?

  /// - Throws: `SalvageError` where there are no pages; `FileError`.
  init(_ files: DatabaseFiles, usesLog: Bool) throws {
    self.files = files
    let wal = usesLog ? files.wal : nil
    let log = try wal.map { source throws(FileError) in try WAL(scanning: source) }
    let found = try FoundPages(in: files.main)
    if let header = try log?.page(1).flatMap({ try? DatabaseHeader($0) }) ?? (try? DatabaseHeader(of: files.main)),
      try Self.fits(header, found, files.main)
    {
      pages = try PageFiles(files, usesWAL: usesLog)
      (hasHeader, missingInFront, knowsNumbers) = (true, 0, true)
      view = PageView(pages)
      map = try TrustedPointerMap(view)
      noteUnreadLog(wal)
      return
    }
    let ofLog = try? log?.header.get()
    guard let pageSize = found?.pageSize ?? ofLog?.pageSize, let geometry = PageGeometry(pageSize: pageSize) else {
      throw SalvageError(
        "no page of a table is in it: there is no header that could be read, and at no page size do the bytes add up to "
          + "pages of a database")
    }
    let gap = try FrontGap.pages(before: files.main, geometry)
    switch gap {
    case .known(let pages): (missingInFront, knowsNumbers) = (pages, true)
    case .some: (missingInFront, knowsNumbers) = (1, false)
    // A first page that was wiped is more likely than one that is cut off; what follows from that is held against the pages.
    case .unknown: (missingInFront, knowsNumbers) = (0, true)
    }
    let size = files.main.size / Int64(pageSize) + Int64(missingInFront)
    let hasMap = try knowsNumbers && Self.hasPointerMap(files.main, geometry, missing: missingInFront)
    let header = Self.header(pageSize: pageSize, pages: UInt32(clamping: size), hasPointerMap: hasMap)
    let mended = MendedBytes(files.main, header: header, missing: Int64(missingInFront) * Int64(pageSize))
    pages = try PageFiles(main: mended, wal: wal, journal: files.journal)
    view = PageView(pages)
    map = try TrustedPointerMap(view)
    hasHeader = false
    let isThere = (try? DatabaseHeader(of: files.main)) != nil
    notes.append(
      (isThere ? "the header is of another database" : "the header is lost")
        + ": by its pages they have \(pageSize) bytes\(hasMap ? ", with a pointer map" : ""); text is taken for UTF-8, as "
        + "in every store seen")
    if !knowsNumbers {
      notes.append(
        "the file is cut off in front: nothing in it tells the numbers of its pages, so that long values, which go on on other "
          + "pages, are not read")
    } else if missingInFront > 0 {
      notes.append(
        "the file is cut off in front: \(counted(Int64(missingInFront), "page is", "pages are")) missing, as the numbers in "
          + "the others show")
    }
    noteUnreadLog(wal)
  }

  private mutating func noteUnreadLog(_ wal: EvidenceFile?) {
    if wal != nil, pages.walFile == nil {
      notes.append("the log beside it was not read: it has no header, or pages of another size")
    }
    // By SQLite's rule what follows the last whole commit was never in the store.
    if let log = pages.wal, !log.tail.sentences.isEmpty {
      notes.append("of the log beside it: \(log.tail.sentences.joined(separator: "; "))")
      lossInLog = files.lossAtEnd(of: log)
    }
    for problem in files.problems { notes.append("not read: \(problem)") }
  }

  /// What the rows that are read rest on.
  ///
  /// - Parameters:
  ///   - isForeign: whether the log was left out since it is another store's.
  ///   - isWhole: whether nothing was found damaged.
  ///   - damage: what is damaged besides rows, a clause each.
  func reading(isForeign: Bool, isWhole: Bool, damage: [String]) -> Reading {
    var reading = Reading()
    let header = try? DatabaseHeader(of: files.main)
    if let header {
      reading = Reading(files, header: header, wal: (try? WALFacts(pagesOf: files, header: header)) ?? nil)
    } else {
      reading.keepsAccessTimes = !files.accessTimeMayChange
    }
    if pages.walFile != nil {
      reading.log = .read
      if header == nil {
        reading.complete = .unknown
        reading.reasons = ["the header is lost, so that nothing tells whether the -wal that was read is its own"]
      }
    } else if files.wal != nil {
      (reading.log, reading.complete) = isForeign ? (.foreign, .unknown) : (.leftOut, .no)
      let why = isForeign ? "beside it was not read, since it does not fit" : "was not read"
      reading.reasons = ["the -wal \(why): what was saved last may be missing"]
    } else if header == nil {
      reading.complete = .unknown
      reading.reasons = ["the header is lost, and no -wal lies beside it: what was saved last may be missing"]
    }
    if let lossInLog, !reading.reasons.contains(where: { $0.hasSuffix(lossInLog) }) {
      reading.complete = .unknown
      reading.reasons.append("what was saved last may be missing from its -wal: \(lossInLog)")
    }
    (reading.sound, reading.damage) = (isWhole ? .yes : .no, damage)
    return reading
  }

  /// Whether pages are divided as the header says: most pages of trees are there, if any are found.
  private static func fits(
    _ header: DatabaseHeader, _ found: FoundPages?, _ source: any ByteSource
  ) throws(FileError) -> Bool {
    guard header.reservedBytes == 0, let found, found.pageSize != header.pageSize else { return true }
    return try FoundPages.count(in: source, pageSize: header.pageSize) >= found.count
  }

  /// Whether most of the pages that would be a pointer map are one.
  private static func hasPointerMap(
    _ source: any ByteSource, _ geometry: PageGeometry, missing: UInt32
  ) throws(FileError) -> Bool {
    let last = UInt32(clamping: source.size / Int64(geometry.pageSize) + Int64(missing))
    var (good, bad) = (0, 0)
    for map in geometry.pointerMapPages(upTo: last).lazy.filter({ $0 > missing }).prefix(8) {
      let offset = Int64(map - 1 - missing) * Int64(geometry.pageSize)
      let page = try source.read(at: offset, count: geometry.pageSize)
      switch TrustedPointerMap.isMap(page, map, last: last, geometry) {
      case true?: good += 1
      case false?: bad += 1
      case nil: break
      }
    }
    return good > bad
  }

  /// The first 100 bytes of a database in WAL mode with those properties.
  private static func header(pageSize: Int, pages: UInt32, hasPointerMap: Bool) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: DatabaseHeader.size)
    func put(_ value: UInt32, at offset: Int, bytes: Int = 4) {
      for index in 0..<bytes {
        header[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * (bytes - 1 - index)))
      }
    }
    header.replaceSubrange(0..<DatabaseHeader.magic.count, with: DatabaseHeader.magic)
    put(pageSize == 65536 ? 1 : UInt32(pageSize), at: DatabaseHeader.Offset.pageSize, bytes: 2)
    put(2, at: DatabaseHeader.Offset.writeVersion, bytes: 1)
    put(2, at: DatabaseHeader.Offset.readVersion, bytes: 1)
    for (index, fraction) in [64, 32, 32].enumerated() {
      put(UInt32(fraction), at: DatabaseHeader.Offset.payloadFractions + index, bytes: 1)
    }
    put(pages, at: DatabaseHeader.Offset.pageCount)
    put(4, at: DatabaseHeader.Offset.schemaFormat)
    put(hasPointerMap ? 1 : 0, at: DatabaseHeader.Offset.largestRootPage)
    put(1, at: DatabaseHeader.Offset.textEncoding)
    put(hasPointerMap ? 1 : 0, at: DatabaseHeader.Offset.incrementalVacuum)
    return header
  }
}

/// Why nothing can be saved; lower case, no full stop.
package struct SalvageError: Error, CustomStringConvertible {
  /// The sentence.
  package let description: String

  init(_ description: String) { self.description = description }
}
