import StoreCoreData
import StoreExplanation
import StoreModels
import StorePlaces
import StoreSQLite
import StoreText
import StoreWords

/// The logs in a folder or an archive that say something of Core Data or SQLite, the first few by name.
///
/// A customer's zip often holds one beside the store. Those are looked at whose name is that of a log, and that are not
/// longer than those that people send.
struct PlacedLogs {
  /// What they say.
  private(set) var found: [GivenThing.ReadLog] = []
  /// Those that were not read, and why; a sentence each.
  var unread: [String] {
    var sentences = refused
    if refusedMore > 0 { sentences.append("\(grouped(Int64(refusedMore))) more logs were not read") }
    if let leftOut {
      let more = leftOutMore > 0 ? " and \(grouped(Int64(leftOutMore))) more" : ""
      sentences.append(
        "\(quoted(leftOut))\(more): not read, since \(Self.most) logs of a place are; name it by itself")
    }
    return sentences
  }
  /// Whether no limit ended the search for logs, and everything could be listed.
  private(set) var isWhole = true

  private var refused: [String] = []
  private var refusedMore = 0
  private var leftOut: String?
  private var leftOutMore = 0

  /// The most logs of a place that are read on.
  private static let most = 5
  /// The most bytes of a log that lies in a place.
  private static let longest = 16 << 20
  /// The most sentences about single logs.
  private static let mostRefused = 3

  /// Reads the logs of a place.
  init(in place: PosixPath) {
    if FileSystem.kind(of: place) == .folder { read(below: place) } else { read(archive: place) }
  }

  private mutating func read(below folder: PosixPath) {
    let files: [PosixPath]
    (files, isWhole) = logFiles(below: folder)
    for path in files { take(path.description, Self.content(of: path)) }
  }

  private mutating func read(archive: PosixPath) {
    guard let (file, within) = archiveAndMember(archive),
      let search = try? MemberSearch(
        file, within: within, spool: PlacedStores.privateSpool, isWanted: { isNamedLog($0[...]) })
    else {
      isWhole = false
      return
    }
    func shown(_ name: [UInt8]) -> String { "\(file)!\(String(decoding: name, as: UTF8.self))" }
    for member in search.found {
      take(shown(member.name), member.bytes.count <= Self.longest ? .bytes(member.bytes) : .tooLong)
    }
    for member in search.unread { take(shown(member.name), .unread(member.reason)) }
  }

  /// The bytes of a log, or why they are not read.
  private enum Content {
    case bytes([UInt8])
    case unread(String)

    static let tooLong = Self.unread("it is longer than 16 MiB; name it by itself")
  }

  private static func content(of path: PosixPath) -> Content {
    do {
      let file = try EvidenceFile(path)
      return file.size <= longest ? .bytes(try file.read(at: 0, count: Int(clamping: file.size))) : .tooLong
    } catch {
      return .unread("\(error)")
    }
  }

  private mutating func take(_ name: String, _ content: @autoclosure () -> Content) {
    guard found.count < Self.most else {
      if leftOut == nil { leftOut = name } else { leftOutMore += 1 }
      return
    }
    switch content() {
    case .bytes(let bytes):
      let explanation = explain(log: bytes)
      if explanation.log?.isEmpty == false { found.append(.init(name: name, explanation: explanation)) }
    case .unread(let reason):
      if refused.count < Self.mostRefused {
        refused.append("\(quoted(name)) is not read: \(reason)")
      } else {
        refusedMore += 1
      }
    }
  }
}

/// Files named like logs in a folder and a few levels below it, those of the folder itself first; and whether no limit
/// ended the search.
private func logFiles(below folder: PosixPath) -> (files: [PosixPath], isWhole: Bool) {
  var (level, files, looked, isWhole): ([PosixPath], [PosixPath], Int, Bool) = ([folder], [], 0, true)
  for _ in 0..<4 where !level.isEmpty {
    var next: [PosixPath] = []
    for folder in level {
      guard looked < 5_000, files.count < 100 else { return (files, false) }
      guard let entries = FileSystem.entries(in: folder) else {
        isWhole = false
        continue
      }
      looked += entries.count
      for entry in entries.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) })
      where entry.name.first != UInt8(ascii: ".") {
        let path = folder.appending(component: entry.name)
        switch entry.kind ?? FileSystem.kind(of: path, followingLinks: false) {
        case .folder: next.append(path)
        case .file: if isNamedLog(entry.name[...]) { files.append(path) }
        case .link, .other, nil: break
        }
      }
    }
    level = next
  }
  return (files, isWhole && level.isEmpty)
}

private func isNamedLog(_ name: ArraySlice<UInt8>) -> Bool {
  let last = name.lastIndex(of: UInt8(ascii: "/")).map { name[($0 + 1)...] } ?? name
  guard !last.starts(with: "._".utf8) else { return false }
  return [".ips", ".crash", ".log", ".txt"].contains { Array(last).hasSuffix($0) }
}
