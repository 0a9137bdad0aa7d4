import StoreText
import StoreWords
import StorePropertyLists
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
    case .archive(let format): "it is a \(format) archive; unpack it first, with the store's side files"
    case .text: "it is a text file, not a store"
    }
  }
}

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
    let head = try file.read(at: 0, count: 4096)
    if let side = Self.sideFile(head, path: file.path) {
      self = side
    } else if head.starts(with: "bplist".utf8) {
      self = Self.propertyListKind(try file.read(at: 0, count: Int(min(file.size, Self.decodedLimit))))
    } else if head.starts(with: "momv2$".utf8) {
      self = .optimisedModel
    } else if let archive = Self.archiveFormat(head) {
      self = .archive(archive)
    } else if let text = Self.text(head) {
      self = Self.textKind(text) { try? file.read(at: 0, count: Int(min(file.size, Self.decodedLimit))) }
    } else {
      return nil
    }
  }

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

  private static func textKind(_ head: String, whole: () -> [UInt8]?) -> FileKind {
    let start = head.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard start.hasPrefix("<") else { return .text }
    if head.contains("<plist") { return whole().map(propertyListKind) ?? .propertyList }
    if head.contains("com.apple.IDECoreDataModeler.DataModel") || head.contains("<model ") { return .xcodeModel }
    if head.contains("<database") || head.contains("CoreData.dtd") { return .xmlStore }
    return .xml
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
