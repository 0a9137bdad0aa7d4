import StoreSQLite

/// Joins files to evidence sets by their names: a main file with what lies beside it under its own name with an ending,
/// and the files of its support folder.
package struct SetFinder {
  /// A file that may belong to a store.
  struct Candidate {
    var file: PlaceFile
    var role: EntryRole
    /// Whether it begins as a write-ahead log does.
    var isLog: Bool
    /// Whether it may be a database that lost its header.
    var mayBeHeadless = false

    /// Whether it is or may be the main file of a store.
    fileprivate var isMain: Bool { role == .database || role == .namedStore || mayBeHeadless }
  }

  /// In the order of the place.
  private var candidates: [Candidate] = []
  private var positions: [[UInt8]: Int] = [:]
  /// Files of external data, by their folder.
  private var external: [[UInt8]: [Int]] = [:]
  /// Side files that are there and cannot be read, with the reason.
  private var refused: [[UInt8]: String] = [:]

  /// The endings of side files.
  static let endings = ["-wal", "-journal", "-shm"]

  /// Whether a file is of interest, by its name and first bytes.
  static func isWanted(_ name: [UInt8], role: EntryRole, isLog: Bool) -> Bool {
    role.isWanted || isLog || name.hasSuffix("-shm")
  }

  /// Takes a file; false where one before it has the same name.
  mutating func add(_ candidate: Candidate) -> Bool {
    let name = candidate.file.name
    guard positions[name] == nil else { return false }
    positions[name] = candidates.count
    if candidate.role == .externalData, let slash = name.lastIndex(of: UInt8(ascii: "/")) {
      external[Array(name[..<slash]), default: []].append(candidates.count)
    }
    candidates.append(candidate)
    return true
  }

  /// Notes a file that cannot be read: where it belongs to a store, that is not complete without it.
  mutating func refuse(_ name: [UInt8], _ reason: String) {
    guard refused.count < Self.mostRefused, Self.readEndings.contains(where: name.hasSuffix) else { return }
    refused[name] = reason
  }

  private static let mostRefused = 100_000
  private static let readEndings = ["-wal", "-journal"]

  /// All candidates, in the order of the place.
  var all: [Candidate] { candidates }

  /// The sets in the order in which a search of folders comes to them, and logs without a store.
  func sets(prefix: [UInt8]) -> (sets: [EvidenceSet], orphans: [PlaceFile]) {
    var sets: [EvidenceSet] = []
    var used: Set<Int> = []
    for candidate in candidates where candidate.isMain {
      var set = EvidenceSet(prefix: prefix, main: candidate.file, isDatabase: candidate.role == .database)
      set.mayBeHeadless = candidate.mayBeHeadless
      for ending in Self.endings {
        let name = candidate.file.name + Array(ending.utf8)
        guard let position = positions[name] else {
          if let reason = refused[name] { set.unreadableSides.append((ending, reason)) }
          continue
        }
        set.sides.append((ending, candidates[position].file))
        used.insert(position)
      }
      set.external = (external[Self.externalFolder(of: candidate.file.name)] ?? []).map { position in
        (
          Array(candidates[position].file.name.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed()),
          candidates[position].file
        )
      }
      sets.append(set)
    }
    let strays = candidates.indices.filter { candidates[$0].isLog && !used.contains($0) }
    addStrays(strays, to: &sets)
    sets.sort { Self.precedes($0.main.name, $1.main.name) }
    let mains = Set(sets.map(\.main.name))
    let orphans = strays.filter { position in
      let name = candidates[position].file.name
      return name.hasSuffix("-wal") && !mains.contains(Array(name.dropLast(4)))
    }
    return (sets, orphans.map { candidates[$0].file })
  }

  /// Logs under other names are held against the stores of their folder.
  private func addStrays(_ strays: [Int], to sets: inout [EvidenceSet]) {
    guard !strays.isEmpty else { return }
    let byFolder = Dictionary(grouping: strays) { Self.folder(of: candidates[$0].file.name) }
    for position in sets.indices where !sets[position].hasLog {
      let logs = byFolder[Self.folder(of: sets[position].main.name)] ?? []
      sets[position].strayLogs = logs.prefix(Self.mostStrays).map { candidates[$0].file }
    }
  }

  private static let mostStrays = 16

  static func folder(of name: [UInt8]) -> [UInt8] {
    name.lastIndex(of: UInt8(ascii: "/")).map { Array(name[...$0]) } ?? []
  }

  /// Where a store keeps large values: `.NAME_SUPPORT/_EXTERNAL_DATA`, NAME without its extension.
  static func externalFolder(of name: [UInt8]) -> [UInt8] {
    let folder = folder(of: name)
    let last = name.dropFirst(folder.count)
    let stem = last.lastIndex(of: UInt8(ascii: ".")).map { $0 > last.startIndex ? last[..<$0] : last } ?? last
    return folder + Array(".".utf8) + stem + Array("_SUPPORT/_EXTERNAL_DATA".utf8)
  }

  /// The order of folders and names, one level after the other.
  package static func precedes(_ name: [UInt8], _ other: [UInt8]) -> Bool {
    var (bytes, others) = (LevelledBytes(name), LevelledBytes(other))
    while true {
      let (one, two) = (bytes.next(), others.next())
      guard let one, let two else { return one == nil && two != nil }
      if one != two { return one < two }
    }
  }
}

/// The bytes of a name, with a slash between two parts before all others. Those at the front and the end, and doubled ones,
/// do not count.
private struct LevelledBytes: IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  init(_ name: [UInt8]) { rest = name.drop { $0 == UInt8(ascii: "/") } }

  mutating func next() -> UInt8? {
    guard let byte = rest.popFirst() else { return nil }
    guard byte == UInt8(ascii: "/") else { return byte }
    rest = rest.drop { $0 == UInt8(ascii: "/") }
    return rest.isEmpty ? nil : 0
  }
}
