import Foundation
import StoreSQLite
import TestSupport
import Testing

/// Damaged copies of real stores, from seeds: bytes, pages, the file's end, the log. Where SQLite complains, or the log cannot
/// be read to its end, no answer passes over it.
@Suite struct DamagedRealStoreTests {
  /// With that of a table whose root was exchanged with an empty one's, of which the index tells it is damaged too.
  private static let seeds = LongRuns.seeds(40, whole: 5000, kept: [3856])
  private static let stores = Catalogue.real.map(\.path).filter { path in
    ["", "-wal"].reduce(0) { $0 + ((try? contents(of: path + $1).count) ?? 0) } < 300_000
  }

  /// Words that say that something was not read, or not whole.
  private static let words = [
    "damage", "malformed", "cannot be read", "counts are bounds", "left out", "corrupt", "could not", "not shown",
    "may be missing", "cannot be decoded", "not a database",
    "truncated", "everything may be",
  ]

  @Test(.needsSharedData) func noAnswerPassesOverDamage() throws {
    var complained = 0
    for seed in Self.seeds {
      let folder = try TemporaryFolder()
      var random = SeededGenerator(seed: seed)
      let origin = Self.stores[Int.random(in: 0..<Self.stores.count, using: &random)]
      let keepsLog = Bool.random(using: &random)
      let whole = try folder.copyStore(origin, as: "whole.sqlite")
      if !keepsLog || (try? contents(of: whole + "-wal").isEmpty) ?? true {
        let connection = try Connection(writing: whole, create: false)
        try connection.execute("PRAGMA journal_mode = delete")
      }
      let store = try folder.copyStore(whole, as: "mutant.sqlite")
      let damage = try injure(store, &random)
      let label = "seed \(seed), \((origin as NSString).lastPathComponent), \(damage)"
      let before = try complaints(folder.copyStore(whole, as: "copy.sqlite"))
      let complaints = try complaints(folder.copyStore(store, as: "damaged.sqlite")).filter { !before.contains($0) }
      if !complaints.isEmpty {
        complained += 1
        let diagnosis = try Program.run(["diagnose", store, "--no-config"])
        #expect(!diagnosis.output.hasPrefix("healthy"), "\(label): \(complaints.first ?? "")")
      }
      try judge(store, whole: whole, folder, label)
    }
    print("\(complained) of \(Self.seeds.count) stores with complaints")
  }

  /// Damage of the end of a log: cut off within a frame, a byte of the last page, the salt of the frame before it, its own.
  enum LogEnd: CaseIterable { case cut, torn, salt, lastSalt }

  /// What is behind the last commit that can be read is missing for everybody; that it is, is said, and is no deletion.
  @Test(arguments: LogEnd.allCases) func anEndOfALogThatCannotBeReadIsSaid(_ end: LogEnd) throws {
    let folder = try TemporaryFolder()
    let living = try LivingStore(in: folder, committed: 40, inWAL: 30)
    let (live, _) = try keys(living.mainPath, to: folder("whole"))
    let store = try folder.copyStore(living.mainPath, as: "mutant.sqlite")
    var log = try contents(of: store + "-wal")
    switch end {
    case .cut: log.removeLast(100)
    case .torn: log[log.count - 1] ^= 1
    case .salt: log[log.count - 2 * 4120 + 8] ^= 1
    case .lastSalt: log[log.count - 4120 + 9] ^= 1
    }
    try Data(log).write(to: URL(fileURLWithPath: store + "-wal"))
    for command in [
      ["inspect"], ["diagnose", "--no-config"], ["rows"], ["timeline"], ["recover"], ["compare", store],
    ] {
      let outcome = try Program.run([command[0], store] + command.dropFirst())
      let said = (outcome.output + outcome.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(said.contains("what was saved last may be missing from its -wal"), "\(command): \(said.prefix(500))")
    }
    try expectNoDeletion(of: live, in: store, "\(end)")
  }

  /// Holds `recover` and `rows` of a damaged store against `rows` of the undamaged one.
  private func judge(_ store: String, whole: String, _ folder: TemporaryFolder, _ label: String) throws {
    let (live, _) = try keys(whole, to: folder("whole"))
    let (shown, said) = try keys(store, to: folder("mutant"))
    let says = Self.words.contains(where: said.contains)
    // A row that its page does not have any more and whose key no index has is gone for everybody.
    #expect(says || shown == live, "\(label): \(live.symmetricDifference(shown).sorted().prefix(3)) \(said)")
    let compared = try Program.run(["compare", whole, store, "--format", "jsonl"])
    #expect(!compared.output.contains(#""kind": "moved""#), "\(label)")
    try expectNoDeletion(of: live, in: store, label)
  }

  private func expectNoDeletion(of live: Set<String>, in store: String, _ label: String) throws {
    for line in try Program.run(["recover", store, "--format", "jsonl"]).output.split(separator: "\n") {
      let row = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      guard row["kind"] as? String == "deleted", let entity = row["entity"] as? String, let key = row["key"] as? Int
      else {
        continue
      }
      #expect(!live.contains("\(entity) \(key)"), "\(label): \(line.prefix(300))")
    }
  }

  /// The objects that `rows` shows, and what it says.
  private func keys(_ store: String, to output: String) throws -> (keys: Set<String>, said: String) {
    let outcome = try Program.run(["rows", store, "--output", output, "--format", "jsonl"])
    var keys: Set<String> = []
    for file in (try? FileManager.default.contentsOfDirectory(atPath: output)) ?? [] where file.hasSuffix(".jsonl") {
      for line in try String(decoding: contents(of: output + "/" + file), as: UTF8.self).split(separator: "\n") {
        let row = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        keys.insert("\(file.dropLast(6)) \(row["_key"] as? Int ?? 0)")
      }
    }
    return (keys, outcome.output + outcome.errors)
  }

  private func complaints(_ path: String) throws -> [String] {
    guard let connection = try? Connection(writing: path, create: false),
      let rows = try? connection.prepare("PRAGMA integrity_check")
    else { return ["cannot be opened"] }
    var said: [String] = []
    do {
      while try rows.step() { said += (rows.string(0) ?? "").split(separator: "\n").map(String.init) }
    } catch { said.append("\(error)") }
    return said.filter { $0 != "ok" }
  }

  private func injure(_ store: String, _ random: inout SeededGenerator) throws -> [String] {
    var bytes = try contents(of: store)
    var log = (try? contents(of: store + "-wal")) ?? []
    let size = max(512, Int(bytes[16]) << 8 | Int(bytes[17]))
    let pages = max(1, bytes.count / size)
    var done: [String] = []
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let page = Int.random(in: 0..<pages, using: &random)
      let start = page * size + (page == 0 ? 100 : 0)
      let kinds = log.isEmpty ? ["header", "pointer", "zero", "swap", "cut"] : ["log", "log end", "log header"]
      let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
      done.append("\(kind) \(page + 1)")
      switch kind {
      case "header": change(&bytes, start..<start + 12, &random)
      case "pointer": change(&bytes, start + 8..<start + 60, &random)
      case "zero" where page > 0: bytes.replaceSubrange(start..<start + size, with: repeatElement(0, count: size))
      case "swap" where page > 0:
        let other = Int.random(in: 1..<pages, using: &random) * size
        let content = Array(bytes[start..<start + size])
        bytes.replaceSubrange(start..<start + size, with: Array(bytes[other..<other + size]))
        bytes.replaceSubrange(other..<other + size, with: content)
      case "cut" where pages > 2:
        // What lies behind is not damaged a second time.
        try Data(bytes.prefix(Int.random(in: pages / 2..<pages, using: &random) * size))
          .write(to: URL(fileURLWithPath: store))
        return done
      case "log": change(&log, 32..<log.count, &random)
      case "log header": change(&log, 32..<56, &random)
      case "log end": log.removeLast(Int.random(in: 0..<max(1, log.count - 32), using: &random))
      default: break
      }
    }
    try Data(bytes).write(to: URL(fileURLWithPath: store))
    if !log.isEmpty { try Data(log).write(to: URL(fileURLWithPath: store + "-wal")) }
    return done
  }

  private func change(_ bytes: inout [UInt8], _ range: Range<Int>, _ random: inout SeededGenerator) {
    let range = range.clamped(to: 0..<bytes.count)
    guard !range.isEmpty else { return }
    bytes[Int.random(in: range, using: &random)] = UInt8.random(in: 0...255, using: &random)
  }
}
