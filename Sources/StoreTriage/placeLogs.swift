import StoreCoreData
import StoreExplanation
import StorePlaces
import StoreSQLite

/// The logs in a folder or an archive that say something of Core Data or SQLite, the first few by name.
///
/// A customer's zip often holds one beside the store. Those are looked at whose name is that of a log, and that are not
/// longer than those that people send.
func logs(in place: PosixPath) -> [GivenThing.ReadLog] {
  var logs: [GivenThing.ReadLog] = []
  func take(_ name: String, bytes: [UInt8]) {
    guard logs.count < mostLogs, bytes.count <= longestPlacedLog else { return }
    let explanation = explain(log: bytes)
    if explanation.log?.isEmpty == false { logs.append(.init(name: name, explanation: explanation)) }
  }
  if FileSystem.kind(of: place) == .folder {
    for path in logFiles(below: place) {
      guard let file = try? EvidenceFile(path), file.size <= longestPlacedLog,
        let bytes = try? file.read(at: 0, count: Int(clamping: file.size))
      else { continue }
      take(path.description, bytes: bytes)
    }
  } else if let search = try? MemberSearch(
    place, spool: PlacedStores.privateSpool, isWanted: { isNamedLog($0[...]) })
  {
    for member in search.found {
      take("\(place)!\(String(decoding: member.name, as: UTF8.self))", bytes: member.bytes)
    }
  }
  return logs
}

/// The most logs of a place that are read on.
private let mostLogs = 5
/// The most bytes of a log that lies in a place.
private let longestPlacedLog = 16 << 20

/// Files named like logs in a folder and a few levels below it, those of the folder itself first.
private func logFiles(below folder: PosixPath) -> [PosixPath] {
  var (level, files, looked): ([PosixPath], [PosixPath], Int) = ([folder], [], 0)
  for _ in 0..<4 where !level.isEmpty {
    var next: [PosixPath] = []
    for folder in level where looked < 5_000 && files.count < 100 {
      let entries = FileSystem.entries(in: folder) ?? []
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
  return files
}

private func isNamedLog(_ name: ArraySlice<UInt8>) -> Bool {
  let last = name.lastIndex(of: UInt8(ascii: "/")).map { name[($0 + 1)...] } ?? name
  guard !last.starts(with: "._".utf8) else { return false }
  return [".ips", ".crash", ".log", ".txt"].contains { Array(last).hasSuffix($0) }
}
