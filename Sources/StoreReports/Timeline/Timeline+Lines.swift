import StoreCoreData
import StoreDataModel
import StoreInspection
import StoreJSON
import StorePropertyLists
import StoreSQLite
import StoreText
import StoreWords

extension Timeline {
  /// How a timeline is written.
  package enum Format: String, CaseIterable, Sendable { case text, jsonl, csv }

  /// Calls `body` with each line, its end included: of CSV the header first; of text a summary first.
  ///
  /// JSONL and CSV are in the form that Timesketch imports: `message`, `datetime`, `timestamp_desc`, and further fields.
  /// It has no place for an event without any time; `undated` is how many those are.
  package func forEachLine(_ format: Format, isStyled: Bool, body: (String) throws -> Void) throws {
    switch format {
    case .text:
      try body(summary + "\n")
      for clause in store.reading.clauses { try body("  ? \(escapedForTerminal(clause))\n") }
      try body("\n")
      for problem in problems { try body("  ! \(escapedForTerminal(problem))\n") }
      for event in events { try body(textLine(event)) }
    case .jsonl:
      for event in events {
        if let fields = fields(event) { try body(JSONValue.object(fields.json).lineText) }
      }
    case .csv:
      try body(AuditCSV.row(Fields.columns))
      for event in events { if let fields = fields(event) { try body(AuditCSV.row(fields.cells)) } }
    }
  }

  /// Calls `body` with the line of each event and the time it is placed at, in order: for timelines of several stores. Events
  /// without any time come last, at `infinity`, and only in text.
  ///
  /// - Parameter store: what the store is called in each line.
  package func forEachEvent(_ format: Format, of store: String, body: (String, Double) throws -> Void) throws {
    for event in events {
      let time = event.time.place ?? .infinity
      switch format {
      case .text: try body("\(store)  \(textLine(event))", time)
      case .jsonl:
        if let fields = fields(event) {
          try body(JSONValue.object(fields.json + [("store", .string(store))]).lineText, time)
        }
      case .csv: if let fields = fields(event) { try body(AuditCSV.row(fields.cells + [AuditCSV.inert(store)]), time) }
      }
    }
  }

  /// The header of CSV for timelines of several stores.
  package static var headerForSeveral: String { AuditCSV.row(Fields.columns + ["store"]) }

  /// Events that the form of Timesketch has no place for, because nothing is known of their time.
  package var undated: Int { events.count { datetime($0.time.place) == nil } }

  /// "12 events: 3 transactions, 9 dates of objects".
  var summary: String {
    var counts: [(String, Int)] = []
    func count(_ word: String, plural: String, isOne: (Source) -> Bool) {
      let number = events.count { isOne($0.source) }
      if number > 0 { counts.append((counted(Int64(number), word, plural), number)) }
    }
    count("transaction", plural: "transactions") { if case .transaction = $0 { true } else { false } }
    count("change", plural: "changes") { if case .change = $0 { true } else { false } }
    count("commit", plural: "commits") { if case .commit = $0 { true } else { false } }
    count("end proved by the log", plural: "ends proved by the log") { if case .proved = $0 { true } else { false } }
    count("date of an object", plural: "dates of objects") { if case .date = $0 { true } else { false } }
    count("date in the metadata", plural: "dates in the metadata") { if case .metadata = $0 { true } else { false } }
    let moment = store.asOf.map { ", as of \($0.words)" } ?? ""
    return counted(Int64(events.count), "event") + moment + (counts.isEmpty ? "" : ": ")
      + counts.map(\.0).joined(separator: ", ")
  }

  // MARK: Text

  private func textLine(_ event: Event) -> String {
    let parts = parts(of: event)
    return "\(parts.time)  \(parts.event.padded(to: 11))  \(escapedForTerminal(parts.message))\n"
  }

  /// When an event was, what it is, and what happened.
  func parts(of event: Event) -> (time: String, event: String, message: String) {
    let fields = describe(event)
    return (words(of: event.time), fields.event, fields.message)
  }

  /// "2024-03-03T15:58:09.123Z", with a sign before it where it is only bounded.
  private func words(of time: Time) -> String {
    let width = 24
    switch time {
    case .exact(let moment): return "  " + (datetime(moment)?.milliseconds ?? "not a date").padded(to: width)
    case .between(let start?, _): return "≥ " + (datetime(start)?.milliseconds ?? "not a date").padded(to: width)
    case .between(nil, let end?): return "≤ " + (datetime(end)?.milliseconds ?? "not a date").padded(to: width)
    case .between(nil, nil): return "  " + "time not known".padded(to: width)
    }
  }

  // MARK: Fields

  /// The fields of an event as Timesketch takes them; nil for one without any time.
  private func fields(_ event: Event) -> Fields? {
    guard let place = event.time.place, let moment = datetime(place) else { return nil }
    var fields = describe(event)
    fields.datetime = moment.microseconds
    fields.timestamp = moment.microsecondsSince1970
    if case .between(let start, let end) = event.time {
      fields.notBefore = start.flatMap { datetime($0)?.microseconds }
      fields.notAfter = end.flatMap { datetime($0)?.microseconds }
      fields.timestampDescription += start == nil ? " (not after)" : " (not before)"
    }
    return fields
  }

  private func describe(_ event: Event) -> Fields {
    switch event.source {
    case .date(let position, let entity, let key):
      let attribute = attributes.indices.contains(position) ? attributes[position] : "?"
      var fields = Fields("date", "Attribute \(name(entity)).\(attribute)", "\(name(entity)) \(key): \(attribute)")
      (fields.entity, fields.key, fields.attribute) = (name(entity), key, attribute)
      return fields
    case .transaction(let key):
      var fields = Fields("transaction", "History transaction", "transaction \(key)")
      fields.take(transactions[key], key: key)
      fields.message += fields.actor
      return fields
    case .change(let position):
      guard changes.indices.contains(position) else { return Fields("change", "History change", "change") }
      return describe(changes[position])
    case .commit(let position):
      guard commits.indices.contains(position) else { return Fields("commit", "WAL commit", "commit") }
      return describe(commits[position], time: event.time)
    case .proved(let position):
      guard proved.indices.contains(position) else { return Fields("deletion", "Deleted", "deleted") }
      return describe(proved[position])
    case .metadata(let position):
      let key = metadataKeys.indices.contains(position) ? metadataKeys[position] : "?"
      var fields = Fields("metadata", "Metadata", "metadata: \(key)")
      fields.attribute = key
      return fields
    }
  }

  private func describe(_ change: HistoryChange) -> Fields {
    let object = "\(name(change.entity)) \(change.object)"
    var fields: Fields
    switch change.kind {
    case .insert: fields = Fields("insert", "Inserted", "\(object) inserted")
    case .update:
      fields = Fields("update", "Updated", "\(object) updated")
      fields.properties = change.properties
      fields.message +=
        change.properties.map { $0.isEmpty ? ": nothing" : ": " + $0.joined(separator: ", ") }
        ?? ": properties not known"
    case .delete:
      fields = Fields("delete", "Deleted", "\(object) deleted")
      fields.tombstones = change.tombstones.map { ($0.name, $0.text) }
      if !change.tombstones.isEmpty {
        fields.message += ": " + change.tombstones.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
      }
    case .other(let number): fields = Fields("change", "Changed", "\(object): change of unknown kind \(number)")
    }
    (fields.entity, fields.key) = (name(change.entity), change.object)
    fields.take(transactions[change.transaction], key: change.transaction)
    fields.message += fields.actor
    return fields
  }

  private func describe(_ end: ProvedEnd) -> Fields {
    let (source, witness) =
      switch end.proof {
      case .commits(0, let absent): ("the WAL", "the main file has it, commit \(absent) has not")
      case .commits(let present, let absent):
        ("the WAL", "commit \(present) of the write-ahead log has it, commit \(absent) has not")
      case .trimmedChange(let what): ("trimmed history", what)
      }
    var fields = Fields(
      end.isDeletion ? "deletion" : "replaced",
      (end.isDeletion ? "Deleted" : "Version replaced") + ", proved by \(source)",
      "\(end.entity) \(end.key) \(end.isDeletion ? "deleted" : "changed; an earlier version is left"): \(witness)")
    (fields.entity, fields.key, fields.commit) = (end.entity, end.key, end.absent.map { Int64($0) })
    return fields
  }

  private func describe(_ commit: StoreCommit, time: Time) -> Fields {
    var fields = Fields("commit", "WAL commit", "commit \(commit.number) of the write-ahead log: ")
    fields.commit = Int64(commit.number)
    if let refusal = commit.refusal {
      fields.message += "cannot be read: \(refusal)"
    } else {
      fields.message += commit.changes?.words ?? "changes not known"
    }
    if case .exact = time { fields.message += " (dated by its history transaction)" }
    return fields
  }

  private func name(_ entity: EntityID) -> String { entityNames[entity] ?? "entity \(entity)" }
}

/// The fields of the lines of one event.
private struct Fields {
  var event: String
  var timestampDescription: String
  var message: String
  var datetime = ""
  var timestamp: Int64 = 0
  var entity: String?
  var key: Int64?
  var attribute: String?
  var properties: [String]?
  var tombstones: [(name: String, value: String)] = []
  var author: String?
  var context: String?
  var bundle: String?
  var process: String?
  var transaction: Int64?
  var commit: Int64?
  var notBefore: String?
  var notAfter: String?

  init(_ event: String, _ timestampDescription: String, _ message: String) {
    self.event = event
    self.timestampDescription = timestampDescription
    self.message = message
  }

  mutating func take(_ saved: HistoryTransaction?, key: Int64) {
    transaction = key
    (author, context, bundle, process) = (saved?.author, saved?.context, saved?.bundle, saved?.process)
  }

  /// " (by Notes, author 'sync', context 'viewContext')".
  var actor: String {
    let parts = [
      bundle.map { "app \($0)" }, process.flatMap { $0 == bundle ? nil : "process \($0)" },
      author.map { "author \($0)" },
      context.map { "context \($0)" },
    ].compactMap(\.self)
    return parts.isEmpty ? "" : " (" + parts.joined(separator: ", ") + ")"
  }

  static let columns = [
    "message", "datetime", "timestamp", "timestamp_desc", "event", "entity", "key", "attribute", "properties",
    "tombstones", "author", "context", "bundle", "process", "transaction", "commit", "not_before", "not_after",
  ]

  var cells: [String] {
    let kept = tombstones.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    let texts: [String?] = [
      message, datetime, String(timestamp), timestampDescription, event, entity, key.map { String($0) }, attribute,
      properties?.joined(separator: " "), kept, author, context, bundle, process, transaction.map { String($0) },
      commit.map { String($0) }, notBefore, notAfter,
    ]
    return texts.map { $0.map(AuditCSV.inert) ?? "" }
  }

  var json: [(String, JSONValue?)] {
    [
      ("message", .string(message)), ("datetime", .string(datetime)), ("timestamp", .integer(timestamp)),
      ("timestamp_desc", .string(timestampDescription)), ("event", .string(event)), ("entity", .optional(entity)),
      ("key", .optional(key)), ("attribute", .optional(attribute)), ("properties", properties.map { .strings($0) }),
      (
        "tombstones",
        tombstones.isEmpty
          ? nil : .object(tombstones.map { ($0.name, JSONValue.string($0.value)) } as [(String, JSONValue?)])
      ),
      ("author", .optional(author)), ("context", .optional(context)), ("bundle", .optional(bundle)),
      ("process", .optional(process)), ("transaction", .optional(transaction)), ("commit", .optional(commit)),
      ("not_before", .optional(notBefore)), ("not_after", .optional(notAfter)),
    ]
  }
}

extension HistoryChange.Tombstone {
  /// The value, by the attribute's type.
  fileprivate var text: String {
    switch (value, type) {
    case (.null, _): return "NULL"
    case (.integer(let number), .boolean?):
      if number == 0 {
        return "false"
      } else if number == 1 {
        return "true"
      } else {
        return String(number)
      }
    case (.integer(let number), .date?): return datetime(Double(number))?.milliseconds ?? String(number)
    case (.real(let number), .date?): return datetime(number)?.milliseconds ?? String(number)
    case (.integer(let number), _): return String(number)
    case (.real(let number), _): return String(number)
    case (.text(let bytes), _): return String(decoding: bytes, as: UTF8.self)
    case (.blob(let bytes), .uuid?) where bytes.count == 16: return uuid(bytes)
    case (.blob(let bytes), _): return base64(bytes)
    }
  }

  private func uuid(_ bytes: [UInt8]) -> String {
    let digits = bytes.map { byte in
      let text = String(byte, radix: 16, uppercase: true)
      return text.utf8.count == 1 ? "0" + text : text
    }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
  }
}
