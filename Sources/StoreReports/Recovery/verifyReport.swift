import StoreCoreData
import SQLitePages
import StoreDataModel
import StoreDigests
import StoreJSON
import StoreRecovery
import StoreRepair
import StoreSQLite
import StoreText
import StoreWords

/// The result of reading again what a report of `recover` says.
package struct ReportVerification: Sendable {
  /// Byte ranges of the report that were read again.
  package var ranges = 0
  /// Those whose bytes are as in the report.
  package var equalRanges = 0
  /// Results of the report that were searched for and read again.
  package var results = 0
  /// Those that are as in the report, in every member.
  package var equalResults = 0
  /// What differs, in words.
  package var differences: [String] = []
  /// What was not compared and is no difference, in words.
  package var remarks: [String] = []
}

/// Searches the database at `path` as a report of `recover` (`--format json` or `jsonl`) did, and compares: the bytes of
/// each range, each result with its values, key, entity, grade, witnesses and times, their number, the counts, the models.
///
/// With `log` in place of the write-ahead log beside it. Lines that were taken out of JSON lines leave no trace; a remark says so.
///
/// - Parameters:
///   - formerModels: the models that were given for the report as earlier versions, with their names.
///   - opening: as for `recover`.
/// - Throws: `FileError`; `JSONError` for text that is no JSON, `NoRecoveryReport` for JSON that is no report; as `recover`
///   where the database cannot be searched.
package func verifyReport(
  _ report: [UInt8], path: PosixPath, log: PosixPath? = nil, formerModels: [(name: String, model: Model)] = [],
  opening: Store.Options = Store.Options()
) throws -> ReportVerification {
  try ReportVerifier(path, log: log, formerModels: formerModels, opening: opening).verify(report)
}

/// Verifies reports about one database, which is searched once for all of them.
package final class ReportVerifier {
  private let path: PosixPath
  private let log: PosixPath?
  private let formerModels: [(name: String, model: Model)]
  private let opening: Store.Options
  /// The most bytes of a document that is compared.
  private let largest: Int
  /// By whether it was read as a store.
  private var searches: [Bool: Recovery] = [:]
  /// What is read again, by the last choice that was asked for.
  private var last: (choice: Recovery.Choice, isStore: Bool, document: JSONValue)?

  /// For the database at `path`; nothing is read yet.
  ///
  /// - Parameters:
  ///   - opening: as for `recover`.
  ///   - largest: the most bytes of a document that is compared; of JSON lines each is one.
  package init(
    _ path: PosixPath, log: PosixPath? = nil, formerModels: [(name: String, model: Model)] = [],
    opening: Store.Options = Store.Options(), largest: Int = JSONValue.Limits().bytes
  ) {
    self.opening = opening
    self.largest = largest
    self.path = path
    self.log = log
    self.formerModels = formerModels
  }

  /// Verifies the text of a report.
  package func verify(_ report: [UInt8]) throws -> ReportVerification {
    let text = String(decoding: report, as: UTF8.self)
    // JSON lines: each row is a document of its own.
    guard text.contains("\n{") else {
      guard report.count <= largest else { throw ReportTooLarge(bytes: report.count, largest: largest) }
      return try verify(JSONValue(report))
    }
    let rows = try text.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
    var verification = try verification()
    try verification.compareLines(rows)
    return verification.result
  }

  /// Verifies a report that was read.
  package func verify(_ document: JSONValue) throws -> ReportVerification {
    var verification = try verification()
    if document["rows"] == nil {
      try verification.compareLines([document])
    } else {
      try verification.compare(document)
    }
    return verification.result
  }

  private func verification() throws -> Verification {
    Verification(
      files: try DatabaseFiles(path, log: log), formerModels: formerModels.map(\.name), search: search,
      document: document)
  }

  private func search(asStore isStore: Bool) throws -> Recovery {
    if let known = searches[isStore] {
      try known.checkUnchanged()
      return known
    }
    let recovery =
      try isStore
      ? recover(path, log: log, formerModels: formerModels, opening: opening) : recoverRows(path, log: log)
    searches[isStore] = recovery
    return recovery
  }

  /// The document as a reader of its text sees it, so that numbers compare as they are written.
  private func document(asStore isStore: Bool, choice: Recovery.Choice) throws -> JSONValue {
    var recovery = try search(asStore: isStore)
    if let last, last.choice == choice, last.isStore == isStore { return last.document }
    recovery.choose(choice)
    let document = try JSONValue(Array(recovery.json(withModels: choice.part == .models).lineText.utf8))
    try recovery.checkUnchanged()
    last = (choice, isStore, document)
    return document
  }
}

/// JSON without byte ranges: not from `recover`, or of a search that found none.
package struct NoRecoveryReport: Error, CustomStringConvertible {
  /// Advice on what to do.
  package var description: String {
    "the report names no byte ranges, so nothing can be read again; give one that 'recover --format json' or jsonl wrote, "
      + "with results and without --summary"
  }
}

/// A report that is too large to be compared in memory.
package struct ReportTooLarge: Error, CustomStringConvertible {
  let bytes: Int
  let largest: Int

  /// Advice on what to do.
  package var description: String {
    "the report has \(grouped(Int64(bytes))) bytes, and up to \(grouped(Int64(largest))) are compared; verify "
      + "reports of fewer results each (--entity, --grade, --since and --until, --limit), or one of --format jsonl"
  }
}

private struct Verification {
  var result = ReportVerification()
  let files: DatabaseFiles
  /// The models that were given as earlier versions, by name.
  let formerModels: [String]
  /// The search, as of a store or as of any database.
  let search: (_ asStore: Bool) throws -> Recovery
  /// What is read again, by a choice.
  let document: (_ asStore: Bool, _ choice: Recovery.Choice) throws -> JSONValue

  /// Members of a document that are compared in their own way.
  private static let comparedApart: Set<String> = ["schema", "tool", "checksum", "files", "rows"]
  /// Members that depend on who reads, and when; only the report's own checksum holds them.
  private static let ofTheRun: Set<String> = ["notes", "reading", "case", "examiner"]

  // MARK: A document

  mutating func compare(_ document: JSONValue) throws {
    guard document["schema"] == .string("storedoctor.recovery/1"), let rows = document["rows"]?.elements else {
      throw NoRecoveryReport()
    }
    try checkRanges(of: rows)
    checkSeal(of: document)
    let isStore = document["isStore"] != .bool(false)
    var choice = try Recovery.Choice(document["choice"])
    if choice.models != formerModels {
      let words = choice.models.isEmpty ? "none" : choice.models.map(escapedForTerminal).joined(separator: ", ")
      result.remarks.append("the report was made with other models given by --model (\(words)); give the same")
    }
    choice.models = formerModels
    let again = try self.document(isStore, choice)
    if document["tool"] != again["tool"], let version = document["tool"]?["version"]?.text {
      result.remarks.append(
        "the report was written by storedoctor \(escapedForTerminal(version)), and read again by \(toolVersion)")
    }
    for name in Set(document.memberNames + again.memberNames).subtracting(Self.comparedApart).sorted()
    where document[name] != again[name] {
      if Self.ofTheRun.contains(name) {
        result.remarks.append("'\(name)' tells of the run that wrote the report, and is another here: not compared")
      } else {
        result.differences.append("'\(escapedForTerminal(name))' differs from what is read again")
      }
    }
    compareFiles(document["files"]?.elements ?? [], with: again["files"]?.elements ?? [])
    compare(rows, with: again["rows"]?.elements ?? [])
  }

  private mutating func checkSeal(of document: JSONValue) {
    guard let seal = document["checksum"]?.text else {
      result.differences.append(
        "the report has no checksum of its own: it was taken out, or never was one of 'recover'")
      return
    }
    if seal != document.seal {
      result.differences.append("the report was changed after it was written: its own checksum is of another text")
    }
  }

  /// Role, name and length; the folder may be another one, where evidence was copied.
  private mutating func compareFiles(_ old: [JSONValue], with new: [JSONValue]) {
    func words(_ file: JSONValue) -> String {
      let size = if case .integer(let size)? = file["size"] { "\(size)" } else { "no" }
      return "\(file["role"]?.text ?? "") \(lastComponent(of: file["path"]?.text ?? "")) of \(size) bytes"
    }
    guard old.map(words) == new.map(words) else {
      let there = new.map(words).joined(separator: ", ")
      result.differences.append("'files' differs from what is there: \(escapedForTerminal(there))")
      return
    }
    let folders = zip(old, new).filter { $0["path"] != $1["path"] }
    if let (before, after) = folders.first {
      result.remarks.append(
        "the report names \(quoted(before["path"]?.text ?? "")), and \(quoted(after["path"]?.text ?? "")) was read")
    }
  }

  private func lastComponent(of path: String) -> Substring {
    path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
  }

  // MARK: Results

  private mutating func compare(_ old: [JSONValue], with new: [JSONValue]) {
    result.results = old.count
    guard old.count != new.count else {
      for position in old.indices {
        if old[position] == new[position] {
          result.equalResults += 1
        } else {
          result.differences.append(difference(position, old[position], new[position]))
        }
      }
      return
    }
    let (before, after) = (old.map(\.lineText), new.map(\.lineText))
    var left = Dictionary(after.map { ($0, 1) }, uniquingKeysWith: +)
    for position in old.indices {
      if let count = left[before[position]], count > 0 {
        left[before[position]] = count - 1
        result.equalResults += 1
      } else {
        result.differences.append("result \(position + 1) (\(name(old[position]))) is not what is read again")
      }
    }
    for position in new.indices {
      guard let count = left[after[position]], count > 0 else { continue }
      left[after[position]] = count - 1
      result.differences.append("\(name(new[position])) is read again and is not in the report")
    }
  }

  private func difference(_ position: Int, _ old: JSONValue, _ new: JSONValue) -> String {
    let members = Set(old.memberNames + new.memberNames).sorted().filter { old[$0] != new[$0] }
    let named = members.prefix(3).map { "'\(escapedForTerminal($0))'" }.joined(separator: ", ")
    return
      "result \(position + 1) (\(name(old))): \(named) \(members.count == 1 ? "differs" : "differ") from what is read again"
  }

  private func name(_ row: JSONValue) -> String {
    let key = if case .integer(let key)? = row["key"] { "\(key)" } else { "key unknown" }
    return escapedForTerminal("\(row["entity"]?.text ?? row["table"]?.text ?? "?") \(key)")
  }

  // MARK: Lines

  /// Rows without a document: whether it was read as a store, or how many there were, is not in them.
  mutating func compareLines(_ rows: [JSONValue]) throws {
    try checkRanges(of: rows)
    result.results = rows.count
    var failed = try missed(rows, asStore: true) ?? Array(rows.indices)
    if !failed.isEmpty, let other = try missed(rows, asStore: false), other.count < failed.count {
      failed = other
    }
    result.equalResults = rows.count - failed.count
    for position in failed {
      result.differences.append("result \(position + 1) (\(name(rows[position]))) is not what is read again")
    }
    result.remarks.append(
      "of JSON lines only what is in them is compared; lines that were taken out leave no trace, as in --format json they do"
    )
  }

  /// The lines that a search does not give; nil where it cannot be made.
  private func missed(_ rows: [JSONValue], asStore isStore: Bool) throws -> [Int]? {
    let recovery: Recovery
    do { recovery = try search(isStore) } catch { return nil }
    var left: [String: Int] = [:]
    for row in recovery.rows { left[try JSONValue(Array(Recovery.line(row).utf8)).lineText, default: 0] += 1 }
    try recovery.checkUnchanged()
    return rows.indices.filter { position in
      let text = rows[position].lineText
      guard let count = left[text], count > 0 else { return true }
      left[text] = count - 1
      return false
    }
  }

  // MARK: Byte ranges

  private mutating func checkRanges(of rows: [JSONValue]) throws {
    for row in rows {
      // A document without ranges would be as good as one that is right.
      guard let places = row["places"]?.elements else { throw NoRecoveryReport() }
      for place in places {
        result.ranges += 1
        if let problem = try problem(of: place) {
          result.differences.append(problem)
        } else {
          result.equalRanges += 1
        }
      }
    }
    guard result.ranges > 0 else { throw NoRecoveryReport() }
  }

  private func problem(of place: JSONValue) throws -> String? {
    guard case .string(let role)? = place["file"], case .integer(let start)? = place["start"],
      case .integer(let end)? = place["end"], case .string(let expected)? = place["checksum"]
    else { return "range \(result.ranges) of the report lacks file, start, end or checksum" }
    let name = "\(escapedForTerminal(role)) \(start)-\(end)"
    let source: (any ByteSource)? =
      switch role {
      case "main": files.main
      case "wal": files.wal
      case "journal": files.journal
      default: nil
      }
    // No cell is longer than a page.
    guard let source, start >= 0, end > start, end.subtractingReportingOverflow(start).partialValue <= 1 << 17 else {
      return "\(name): there is no such range"
    }
    let bytes = try source.read(at: start, count: Int(end - start))
    guard bytes.count == Int(end - start) else { return "\(name): the file ends before" }
    return bytes.withUnsafeBytes({ ByteHash.checksum($0) }) == expected
      ? nil : "\(name): the bytes are not those of the report"
  }
}

extension Recovery.Choice {
  /// As a report states it; by default everything.
  fileprivate init(_ json: JSONValue?) throws {
    self.init()
    guard let json else { return }
    entities = (json["entities"]?.elements ?? []).compactMap(\.text)
    if let word = json["grade"]?.text, let grade = RecoveredRow.Grade(rawValue: word) { self.grade = grade }
    since = json["since"]?.seconds
    until = json["until"]?.seconds
    if case .integer(let limit)? = json["limit"] { self.limit = Int(clamping: max(0, limit)) }
    part = json["part"]?.text.flatMap(Part.init)
    models = (json["models"]?.elements ?? []).compactMap(\.text)
  }
}

extension JSONValue {
  fileprivate subscript(_ name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  fileprivate var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  fileprivate var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  fileprivate var seconds: Double? {
    switch self {
    case .integer(let seconds): Double(seconds)
    case .number(let seconds): seconds
    default: nil
    }
  }

  fileprivate var memberNames: [String] {
    if case .object(let members) = self { Array(members.keys) } else { [] }
  }
}
