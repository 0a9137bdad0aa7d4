import Foundation
import StorePropertyLists
import StoreSQLite
import TestSupport
import Testing

/// Random damage to copies of stores, from seeds. Whatever the damage, the program ends by itself, soon, in little
/// memory, and with a documented status.
@Suite struct MutatedStoreTests {
  private static let count: UInt64 = Program.isLong ? 5000 : 200
  private static let memory = 512 << 20

  @Test func everyInjuredStoreIsAnsweredOrRefused() async throws {
    let origins = try Origins()
    let worst = try await withThrowingTaskGroup(of: Worst.self) { group in
      let workers = 4
      for worker in 0..<workers {
        group.addTask {
          var worst = Worst()
          for seed in stride(from: UInt64(worker), to: Self.count, by: workers) {
            try worst.add(Self.run(seed, origins))
          }
          return worst
        }
      }
      return try await group.reduce(into: Worst()) { $0.add($1) }
    }
    print("\(Self.count) injured stores: \(worst)")
  }

  /// Inspects and diagnoses the store of one seed. `STOREDOCTOR_SEED` runs a single seed and keeps its files.
  private static func run(_ seed: UInt64, _ origins: Origins) throws -> Worst {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: seed)
    let origin = origins.paths[Int.random(in: 0..<origins.paths.count, using: &random)]
    let store = try folder.copyStore(origin, as: "Injured.sqlite")
    let injuries = try injure(store, &random)
    var worst = Worst()
    let options = [[], ["--sizes"], ["--without-wal"], ["--show-values"]][Int.random(in: 0..<4, using: &random)]
    let written = ["rows", "--format", ["csv", "jsonl", "sqlite"][Int(seed % 3)], "--output", folder("written")]
    for arguments in [
      written, ["inspect", "--format", "text"] + options, ["inspect", "--format", "json"] + options,
      ["diagnose", "--format", "json", "--fail-on", "never"],
    ] {
      let outcome = try Program.run(arguments + [store], work: Program.patience)
      let label: Comment = "seed \(seed), \((origin as NSString).lastPathComponent), \(injuries), \(arguments)"
      #expect(outcome.signal == nil || outcome.wasKilled, label)
      #expect(!outcome.wasKilled, label)
      #expect(outcome.memory < memory, label)
      #expect(outcome.status == 0 || outcome.status == 2, label)
      // 'rows' says on standard error what it shows otherwise than the model says.
      #expect((outcome.status == 0) == outcome.errors.isEmpty || arguments == written && outcome.status == 0, label)
      #expect(
        !outcome.output.unicodeScalars.contains("\u{1B}") && !outcome.errors.unicodeScalars.contains("\u{1B}"), label)
      if outcome.status == 0 && arguments.starts(with: ["inspect", "--format", "json"]) {
        #expect((try? JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))) != nil, label)
      }
      worst.add(Worst(seconds: outcome.seconds, memory: outcome.memory, answered: outcome.status == 0 ? 1 : 0, runs: 1))
    }
    return worst
  }

  // MARK: Injuries

  /// Does one to four injuries, and returns what they were.
  private static func injure(_ store: String, _ random: inout SeededGenerator) throws -> [String] {
    var done: [String] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      var kinds = ["header", "page", "page", "cell", "length", "cut", "swap"]
      if FileManager.default.fileExists(atPath: store + "-wal") { kinds += ["wal", "wal", "wal frame"] }
      if done.isEmpty { kinds += ["schema", "schema", "cache", "cache", "metadata", "metadata", "map", "journal"] }
      let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
      done.append(kind)
      switch kind {
      case "wal": try edit(store + "-wal") { $0.damage(in: 0..<$0.count, &random) }
      case "wal frame": try edit(store + "-wal") { $0.damage(in: 32..<max(33, min($0.count, 5000)), &random) }
      case "header": try edit(store) { $0.damage(in: 0..<100, &random) }
      case "page": try edit(store) { $0.damage(in: $0.page(&random), &random) }
      case "cell":
        try edit(store) { bytes in
          let page = bytes.page(&random)
          bytes.damage(in: page.lowerBound..<min(page.lowerBound + 64, page.upperBound), &random)
        }
      case "length":
        try edit(store) { bytes in
          bytes.append(contentsOf: [UInt8](repeating: 0xFF, count: Int.random(in: 1...9000, using: &random)))
        }
      case "cut": try edit(store) { $0.removeLast(Int.random(in: 0...($0.count / 2), using: &random)) }
      case "swap":
        try edit(store) { bytes in
          let (from, to) = (bytes.page(&random), bytes.page(&random))
          if from.count == to.count { bytes.replaceSubrange(to, with: Array(bytes[from])) }
        }
      case "journal": try writeJournal(beside: store, &random)
      default: try damageBySQL(store, kind, &random)
      }
    }
    return done
  }

  private static func edit(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try contents(of: path)
    guard !bytes.isEmpty else { return }
    change(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Writes a rollback journal with a valid header and some pages of the store, sometimes damaged.
  private static func writeJournal(beside store: String, _ random: inout SeededGenerator) throws {
    let bytes = try contents(of: store)
    guard bytes.count >= 8192 else { return }
    let pages = UInt32(bytes.count / 4096)
    var journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    for word in [UInt32.max, 7, pages, 512, 4096] { journal += withUnsafeBytes(of: word.bigEndian, Array.init) }
    journal += [UInt8](repeating: 0, count: 512 - journal.count)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let number = UInt32.random(in: 1...pages, using: &random)
      let content = bytes[Int(UInt32.random(in: 0..<pages, using: &random)) * 4096..<bytes.count].prefix(4096)
      var sum: UInt32 = 7
      for index in stride(from: 4096 - 200, to: 0, by: -200) { sum &+= UInt32(content[content.startIndex + index]) }
      journal +=
        withUnsafeBytes(of: number.bigEndian, Array.init) + content + withUnsafeBytes(of: sum.bigEndian, Array.init)
    }
    if Bool.random(using: &random) { journal.damage(in: 0..<journal.count, &random) }
    try Data(journal).write(to: URL(fileURLWithPath: store + "-journal"))
  }

  /// Damage by SQL statements, which leaves all pages and checksums valid. It checkpoints the WAL.
  private static func damageBySQL(_ store: String, _ kind: String, _ random: inout SeededGenerator) throws {
    guard let database = try? Connection(writing: store, create: false) else { return }
    func value(_ sql: String) -> [UInt8]? {
      guard let statement = try? database.prepare(sql), (try? statement.step()) == true else { return nil }
      return statement.blob(0)
    }
    func set(_ sql: String, _ bytes: [UInt8]) {
      guard let statement = try? database.prepare(sql) else { return }
      try? statement.bind(bytes, at: 1)
      _ = try? statement.step()
    }
    switch kind {
    case "cache":
      guard let packed = value("SELECT Z_CONTENT FROM Z_MODELCACHE") else { return }
      var bytes = (try? RawDeflate.inflate(packed, limit: 64 << 20)) ?? packed
      bytes.damage(in: 0..<bytes.count, &random)
      set("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", try RawDeflate.deflate(bytes))
    case "metadata":
      guard var bytes = value("SELECT Z_PLIST FROM Z_METADATA") else { return }
      bytes.damage(in: 0..<bytes.count, &random)
      set("UPDATE Z_METADATA SET Z_PLIST = ?", bytes)
    case "map":
      let values = ["0", "-1", "Z_ENT", "9223372036854775807", "NULL", "'x'", "x'00'", "1.5", "16001", "Z_SUPER + 1"]
      let column = ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"][Int.random(in: 0..<4, using: &random)]
      let value = values[Int.random(in: 0..<values.count, using: &random)]
      _ = try? database.execute("UPDATE OR IGNORE Z_PRIMARYKEY SET \(column) = \(value) WHERE abs(random()) % 3 = 0")
    default:
      _ = try? database.execute("PRAGMA writable_schema=ON")
      let row = "rowid = \(Int.random(in: 1...40, using: &random))"
      let changes = [
        "UPDATE sqlite_schema SET rootpage = \(Int.random(in: -2...60, using: &random)) WHERE \(row)",
        "UPDATE sqlite_schema SET sql = substr(sql, 1, length(sql) / 2) WHERE \(row)",
        "UPDATE sqlite_schema SET sql = replace(sql, 'Z', '') WHERE \(row)",
        "UPDATE sqlite_schema SET sql = NULL WHERE \(row)",
        "UPDATE sqlite_schema SET name = 'Z_METADATA' WHERE \(row)",
        "UPDATE sqlite_schema SET type = 'view' WHERE \(row)",
        "UPDATE sqlite_schema SET sql = replace(sql, 'INTEGER', 'TEXT CHECK (randomblob(1e9))') WHERE \(row)",
        "UPDATE sqlite_schema SET sql = replace(sql, 'TABLE', 'VIRTUAL TABLE') || ' USING fts5(a)' WHERE \(row)",
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema AS s WHERE s.rowid = 3) WHERE type = 'table'",
        "DELETE FROM sqlite_schema WHERE \(row)",
      ]
      _ = try? database.execute(changes[Int.random(in: 0..<changes.count, using: &random)])
    }
  }
}

/// The stores that are injured: small ones of every kind.
private final class Origins: @unchecked Sendable {
  let paths: [String]
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    var paths = [
      try makeStore(folder("plain.sqlite"), notes: 500),
      try makeStore(folder("journal.sqlite"), notes: 50, usesWAL: false),
      try LivingStore(in: folder, as: "wal.sqlite", committed: 40, inWAL: 200).mainPath,
      try makeStore(folder("nocache.sqlite")) { try $0.execute("DROP TABLE Z_MODELCACHE") },
    ]
    // If there are real stores, three of four trials use one of them.
    let real = Catalogue.real.map(\.path)
    paths +=
      real.isEmpty ? [] : (0..<12).flatMap { turn in stride(from: turn, to: real.count, by: 12).map { real[$0] } }
    self.paths = paths
  }
}

/// What was measured over many runs.
private struct Worst: CustomStringConvertible, Sendable {
  var seconds = 0.0
  var memory = 0
  var answered = 0
  var runs = 0

  mutating func add(_ other: Worst) {
    seconds = max(seconds, other.seconds)
    memory = max(memory, other.memory)
    answered += other.answered
    runs += other.runs
  }

  var description: String {
    "\(runs) runs, \(answered) answered, slowest \((seconds * 100).rounded() / 100) s, most memory \(memory >> 20) MiB"
  }
}

extension [UInt8] {
  /// The bytes of some page; 4096 is the page size of nearly every store.
  fileprivate func page(_ random: inout SeededGenerator) -> Range<Int> {
    let number = Int.random(in: 0...Swift.max(0, (count - 1) / 4096), using: &random)
    return number * 4096..<Swift.min(count, (number + 1) * 4096)
  }

  /// Changes some bytes of a range: flips, extremes, runs of noise, copies.
  fileprivate mutating func damage(in range: Range<Int>, _ random: inout SeededGenerator) {
    let range = range.clamped(to: 0..<count)
    guard !range.isEmpty else { return }
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let position = Int.random(in: range, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: self[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: self[position] = [0, 1, 0x7F, 0x80, 0xFF][Int.random(in: 0..<5, using: &random)]
      case 2: self[position] = UInt8.random(in: .min ... .max, using: &random)
      case 3:
        for next in position..<Swift.min(position + 16, range.upperBound) {
          self[next] = UInt8.random(in: .min ... .max, using: &random)
        }
      default:
        let source = Int.random(in: range, using: &random)
        for step in 0..<Swift.min(32, range.upperBound - Swift.max(position, source)) {
          self[position + step] = self[source + step]
        }
      }
    }
  }
}
