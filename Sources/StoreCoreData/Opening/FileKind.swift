import StoreText
import StoreWords
import StorePropertyLists
import SQLitePages
import StoreSQLite

/// The kind of a file that is not a SQLite database, judged by content.
public enum FileKind: Sendable, Equatable {
  /// With the path of its main file, if its own name tells.
  case sideFile(SideFile, of: String?)
  case compiledModel
  case optimisedModel
  case modelVersionInfo
  case xcodeModel
  case binaryStore
  case xmlStore
  case propertyList
  case xml
  case archive(String)
  case text
  /// A database of another kind, such as Realm's: "a Realm database".
  case otherDatabase(String)
  /// An image of a disk, a volume or a phone: "an EnCase image (EVF, .E01)"; with what was found in a raw one, if anything.
  case diskImage(String, holding: String?)
  /// A picture or a document: "PNG".
  case picture(String)
  /// A file of a known kind that has nothing to do with stores: "a program (ELF)".
  case unrelated(String)
  /// Of bytes without any pattern; `pageSize` if it is a whole number of pages of that many bytes, as an encrypted database
  /// is; `hasHeader` if it begins as a SQLite database does.
  case encrypted(pageSize: Int?, hasHeader: Bool)
  /// Pages of a SQLite database without its header; so many bytes each, and whether Core Data's metadata are in them.
  case lostHeader(zeros: Int64, pages: Int, pageSize: Int, isCoreData: Bool)
  /// Zeros; so many bytes from the start, and the size of the file.
  case zeros(Int64, of: Int64)

  /// The files SQLite keeps beside a database.
  public enum SideFile: String, Sendable { case wal, shm, journal }

  /// A description of the file, and which command or file to use instead.
  public var explanation: String {
    switch self {
    case .sideFile(let kind, let main):
      "it is the \(kind.name) of a store; give the store itself\(main.map { " (\(quoted($0)))" } ?? ""), "
        + "its side files are found beside it"
    case .compiledModel: "it is a compiled model (.mom), not a store; 'storedoctor model show' takes models"
    case .optimisedModel:
      "it is an optimised model (.omo), not a store; 'storedoctor model show' takes the .mom beside it"
    case .modelVersionInfo:
      "it is a VersionInfo.plist; give the whole .momd folder to 'storedoctor model show'"
    case .xcodeModel: "it is an Xcode model, not a store; 'storedoctor model show' takes models"
    case .binaryStore:
      "it is a Core Data store of type Binary; storedoctor reads SQLite stores "
        + "(migrate it once with the app, to NSSQLiteStoreType)"
    case .xmlStore:
      "it is a Core Data store of type XML; storedoctor reads SQLite stores "
        + "(migrate it once with the app, to NSSQLiteStoreType)"
    case .propertyList: "it is a property list, not a store"
    case .xml: "it is an XML file, not a store"
    case .archive(let format):
      "it is \(article(before: format)) \(format) archive; unpack it first, with the store's side files"
    case .text: "it is a text file, not a store"
    case .otherDatabase(let name):
      "it is \(name), and no store of Core Data; storedoctor reads SQLite stores of Core Data and SwiftData"
    case .diskImage(let name, let holding):
      "it is \(name), and files in images are not read; mount it, or export its files, and name their folder"
        + (holding.map { "; \($0)" } ?? "")
    case .picture(let name):
      "it is \(article(before: name)) \(name) file, not a store; what an alert or a log says can be given as text, to "
        + "'storedoctor explain'"
    case .unrelated(let name): "it is \(name), not a store"
    case .encrypted(let pageSize, let hasHeader):
      (hasHeader ? "it begins as a SQLite database does, and all behind that" : "its bytes")
        + (hasHeader ? " is without any pattern: " : " are without any pattern: ")
        + (pageSize.map {
          "an encrypted database looks so (it is a whole number of pages of \($0) bytes), such as SQLCipher's; "
            + "its key is with the app: decrypt it with that first"
        } ?? "it is encrypted or compressed, or was overwritten")
    case .lostHeader(let zeros, let pages, let pageSize, let isCoreData):
      (zeros > 0 ? "its first \(zeros) bytes are zeros" : "its first bytes are not those of a database")
        + ", and \(counted(Int64(pages), "page")) in it \(pages == 1 ? "is" : "are") of a SQLite database with pages of "
        + "\(pageSize) bytes" + (isCoreData ? ", and has Core Data's metadata in it" : "")
        + ": its header is lost; 'storedoctor salvage' writes a new store with the rows in it; look for another copy, too, and "
        + "for its '-wal'"
    case .zeros(let count, let size):
      count == size
        ? "all its \(size) bytes are zeros: its place was reserved and nothing was written, or the copy failed; "
          + "look for another copy, and for its '-wal'"
        : "its first \(count) of \(size) bytes are zeros: the start of the file was overwritten, or the copy failed; "
          + "look for another copy, and for its '-wal'"
    }
  }
}

/// "an" before a name that is spoken with a vowel.
private func article(before name: String) -> String { "AEIOUaeioux".contains(name.first ?? " ") ? "an" : "a" }

extension FileKind.SideFile {
  fileprivate var name: String {
    switch self {
    case .wal: "write-ahead log (-wal)"
    case .shm: "WAL index (-shm)"
    case .journal: "rollback journal (-journal)"
    }
  }
}

extension FileKind {
  /// The most bytes of a file that are decoded to find out its kind.
  private static let decodedLimit: Int64 = 16 << 20

  /// Finds out the kind of a file that is not a SQLite database; nil if it is unknown.
  init?(of file: EvidenceFile) throws(FileError) {
    let head = try file.read(at: 0, count: FileSignature.usefulBytes)
    let tail = file.size > 512 ? try file.read(at: file.size - 512, count: 512) : []
    if let side = Self.sideFile(head, path: file.path) {
      self = side
    } else if head.starts(with: "bplist".utf8) {
      self = Self.propertyListKind(try file.read(at: 0, count: Int(min(file.size, Self.decodedLimit))))
    } else if head.starts(with: "momv2$".utf8) {
      self = .optimisedModel
    } else if let kind = FileSignature.kind(head: head, tail: tail) {
      self = kind.lookedInto(file)
    } else if let archive = Self.archiveFormat(head) {
      self = .archive(archive)
    } else if let text = Self.text(head) {
      self = Self.textKind(text, head) { try? file.read(at: 0, count: Int(min(file.size, Self.decodedLimit))) }
    } else if let kind = try Self.byPattern(file, head: head) {
      self = kind
    } else {
      return nil
    }
  }

  /// A disk image with what its raw bytes show of databases.
  private func lookedInto(_ file: EvidenceFile) -> FileKind {
    guard case .diskImage(let name, nil) = self, name.hasPrefix("a raw "),
      let found = FileSignature.databases(in: file), let first = found.places.first
    else { return self }
    let places = found.places.map { "\($0)" }.joined(separator: ", ")
    let words =
      found.places.count > 1 || found.bytes < file.size
      ? "the first databases begin at byte" : "a database begins at byte"
    return .diskImage(
      name, holding: found.places.count == 1 ? "\(words) \(first) of it" : "\(words)s \(places) of it")
  }

  /// Zeros, and bytes without a pattern.
  private static func byPattern(_ file: EvidenceFile, head: [UInt8]) throws(FileError) -> FileKind? {
    switch FileSniff(head) {
    case .zeros:
      let zeros = try leadingZeros(of: file)
      guard zeros < file.size else { return .zeros(zeros, of: zeros) }
      return try lostHeader(file, zeros: zeros) ?? .zeros(zeros, of: file.size)
    case .random:
      return try lostHeader(file, zeros: 0) ?? .encrypted(pageSize: pageSize(of: file.size), hasHeader: false)
    case .sqlite: return encryptedBehindHeader(file)
    default: return try lostHeader(file, zeros: 0)
    }
  }

  private static func lostHeader(_ file: EvidenceFile, zeros: Int64) throws(FileError) -> FileKind? {
    try FoundPages(in: file).map { found in
      .lostHeader(zeros: zeros, pages: found.count, pageSize: found.pageSize, isCoreData: found.holdMetadata)
    }
  }

  /// A database of which only the header is as it was; nil for any other file.
  static func encryptedBehindHeader(_ file: EvidenceFile) -> FileKind? {
    // The first page, and one further back: a damaged page of a plain database is not alone.
    let starts = [Int64(plainHeader), file.size / 8192 * 4096].filter { $0 + 1024 <= file.size }
    guard !starts.isEmpty else { return nil }
    for start in starts {
      guard let bytes = try? file.read(at: start, count: Int(min(4064, file.size - start))), FileSniff(bytes) == .random
      else {
        return nil
      }
    }
    return .encrypted(pageSize: pageSize(of: file.size), hasHeader: true)
  }

  /// How much of a database SQLCipher leaves as it is, if told so, that the file be taken for one.
  private static let plainHeader = 32

  /// The usual size of pages that a file is a whole number of.
  private static func pageSize(of size: Int64) -> Int? {
    [4096, 1024].first { size > 0 && size % Int64($0) == 0 }
  }

  /// How many bytes from the start are zeros.
  private static func leadingZeros(of file: EvidenceFile) throws(FileError) -> Int64 {
    var offset: Int64 = 0
    while offset < min(file.size, mostZeros) {
      let bytes = try file.read(at: offset, count: Int(min(1 << 20, file.size - offset)))
      if let other = bytes.firstIndex(where: { $0 != 0 }) { return offset + Int64(other) }
      if bytes.isEmpty { return offset }
      offset += Int64(bytes.count)
    }
    return offset
  }

  /// The most bytes that are searched for something else than zeros.
  private static let mostZeros: Int64 = 1 << 30

  private static func sideFile(_ head: [UInt8], path: String) -> FileKind? {
    let main: (String) -> String? = { suffix in
      path.hasSuffix(suffix) ? String(path.dropLast(suffix.count)) : nil
    }
    switch FileSniff(head) {
    case .writeAheadLog: return .sideFile(.wal, of: main("-wal"))
    case .rollbackJournal: return .sideFile(.journal, of: main("-journal"))
    default: break
    }
    for (suffix, kind) in [("-wal", SideFile.wal), ("-shm", .shm), ("-journal", .journal)]
    where path.hasSuffix(suffix) { return .sideFile(kind, of: main(suffix)) }
    return nil
  }

  private static func archiveFormat(_ head: [UInt8]) -> String? {
    if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return "zip" }
    if head.starts(with: [0x1F, 0x8B]) { return "gzip" }
    if head.count > 262, Array(head[257..<262]) == Array("ustar".utf8) { return "tar" }
    return nil
  }

  private static func text(_ head: [UInt8]) -> String? {
    guard !head.isEmpty, !head.contains(0) else { return nil }
    // The last character may be incomplete at the end of the bytes read.
    for dropped in 0..<4 where head.count > dropped {
      if let text = String(validating: head.dropLast(dropped), as: UTF8.self) {
        let controls = text.unicodeScalars.count { $0.value < 0x20 && !"\t\n\r\u{0C}".unicodeScalars.contains($0) }
        return controls == 0 ? text : nil
      }
    }
    return nil
  }

  private static func textKind(_ text: String, _ head: [UInt8], whole: () -> [UInt8]?) -> FileKind {
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard start.hasPrefix("<") else { return .text }
    switch FileSniff(head) {
    case .xmlStore: return .xmlStore
    case .xmlPropertyList: return whole().map(propertyListKind) ?? .propertyList
    default:
      return text.contains("com.apple.IDECoreDataModeler.DataModel") || text.contains("<model ") ? .xcodeModel : .xml
    }
  }

  private static func propertyListKind(_ bytes: [UInt8]) -> FileKind {
    guard let list = try? PropertyList(bytes) else { return .propertyList }
    if list.root["NSManagedObjectModel_VersionHashes"] != nil { return .modelVersionInfo }
    guard list.root["$archiver"] != nil, let archive = try? KeyedArchive(list) else { return .propertyList }
    if archive.root.has("NSEntities") { return .compiledModel }
    // A binary store archives its metadata together with its objects.
    let topKeys = archive.top.map(\.key) + archive.root.keys
    return topKeys.contains { $0.hasPrefix("NSStore") || $0.contains("metadata") } ? .binaryStore : .propertyList
  }
}
