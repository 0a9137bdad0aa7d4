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
  }

  /// In the order of the place.
  private var candidates: [Candidate] = []
  private var positions: [[UInt8]: Int] = [:]
  /// Files of external data, by their folder.
  private var external: [[UInt8]: [Int]] = [:]
  /// Names that occurred before.
  private(set) var repeated: [[UInt8]] = []

  /// The endings of side files.
  static let endings = ["-wal", "-journal", "-shm"]

  /// Whether a file is of interest, by its name and first bytes.
  static func isWanted(_ name: [UInt8], role: EntryRole, isLog: Bool) -> Bool {
    role.isWanted || isLog || name.hasSuffix("-shm")
  }

  mutating func add(_ candidate: Candidate) {
    let name = candidate.file.name
    guard positions[name] == nil else { return repeated.append(name) }
    positions[name] = candidates.count
    if candidate.role == .externalData, let slash = name.lastIndex(of: UInt8(ascii: "/")) {
      external[Array(name[..<slash]), default: []].append(candidates.count)
    }
    candidates.append(candidate)
  }

  /// All candidates, in the order of the place.
  var all: [Candidate] { candidates }

  /// The sets in the order in which a search of folders comes to them, and logs without a store.
  func sets(prefix: [UInt8]) -> (sets: [EvidenceSet], orphans: [PlaceFile]) {
    var sets: [EvidenceSet] = []
    var used: Set<Int> = []
    for candidate in candidates where candidate.role == .database || candidate.role == .namedStore {
      var set = EvidenceSet(prefix: prefix, main: candidate.file, isDatabase: candidate.role == .database)
      for ending in Self.endings {
        guard let position = positions[candidate.file.name + Array(ending.utf8)] else { continue }
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
    for position in sets.indices where !sets[position].sides.contains(where: { $0.ending == "-wal" }) {
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
    let (parts, others) = (name.split(separator: UInt8(ascii: "/")), other.split(separator: UInt8(ascii: "/")))
    for (part, other) in zip(parts, others) where !part.elementsEqual(other) {
      return part.lexicographicallyPrecedes(other)
    }
    return parts.count < others.count
  }
}
