import StoreDigests
import StoreJSON
import StoreSQLite
import StoreText

extension Journal {
  static let schema = "storedoctor.journal/1"

  /// The content of `journal.json`.
  var json: JSONValue {
    .object([
      ("schema", .string(Self.schema)), ("id", .string(id)), ("state", .string(state.rawValue)),
      (
        "store",
        .object([
          ("path", .string(store.description)), ("pathBytes", .string(base64(store.bytes))), ("uuid", .optional(uuid)),
        ])
      ),
      ("fingerprintBefore", .string(before.text)), ("hashListAfter", .optional(after?.text)),
      ("backups", .object(backups.map { ($0.key.rawValue, $0.value.json) })),
      ("changes", .array(changes.map(\.json))), ("entries", .array(entries.map(\.json))), ("undoes", .optional(undoes)),
      ("onlyWhole", .optional(onlyWhole)),
    ])
  }

  /// The journal in a folder; what it says of files is not checked yet.
  ///
  /// - Throws: `RepairError`.
  package init(reading folder: PosixPath) throws {
    do {
      let folder = try folder.resolved()
      let file = try EvidenceFile(folder.appending(component: Array("journal.json".utf8)))
      guard file.size <= JSONValue.Limits().bytes else { throw JSONError(place: "", message: "it is too large") }
      let value = try JSONValue(file.read(at: 0, count: Int(file.size)))
      try self.init(JSONPlace(value), folder: folder)
    } catch let error as JSONError {
      throw RepairError(folder, .journalUnreadable("journal.json: \(error)"))
    } catch let error as FileError {
      throw RepairError(folder, .journalUnreadable("it has no journal.json that can be read (\(error.reason))"))
    }
  }

  private init(_ place: JSONPlace, folder: PosixPath) throws(JSONError) {
    let members = try place.members([
      "schema", "id", "state", "store", "fingerprintBefore", "hashListAfter", "backups", "changes", "entries",
      "undoes", "onlyWhole",
    ])
    let schema = try members.required("schema")
    guard try schema.string() == Self.schema else { throw schema.error("'\(Self.schema)' is expected") }
    let store = try members.required("store").members(["path", "pathBytes", "uuid"])
    self.folder = folder
    id = try members.required("id").string()
    self.store = PosixPath(bytes: try store.required("pathBytes").base64())
    uuid = try store.string("uuid")
    state = try members.required("state").choice(State.init(rawValue:))
    before = try members.required("fingerprintBefore").choice(Fingerprint.init)
    after = try members["hashListAfter"]?.choice { HashListFingerprint($0) }
    for (name, file) in try members.required("backups").entries() {
      guard let role = Role(rawValue: name) else { throw file.error("an unknown file") }
      backups[role] = try File(file)
    }
    for file in try members.elements("changes") { changes.append(try File(file)) }
    for entry in try members.elements("entries") { entries.append(try JournalEntry(entry)) }
    undoes = try members.string("undoes")
    onlyWhole = try members.string("onlyWhole")
    guard backups[.main] != nil, !self.store.bytes.isEmpty else { throw place.error("it names no main file") }
  }
}

extension Journal.File {
  fileprivate var json: JSONValue { .object([("bytes", .integer(size)), ("sha256", .string(hexadecimal(sha256)))]) }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["bytes", "sha256"])
    size = try members.required("bytes").integer(as: Int64.self)
    sha256 = try members.required("sha256").choice(sha256OfHex)
    guard size >= 0 else { throw place.error("a negative size") }
  }
}

extension JournalEntry {
  fileprivate var json: JSONValue {
    switch self {
    case .rows(let table, let columns, let removed, let added):
      .object([
        ("kind", .string("rows")), ("table", .string(table)), ("columns", .strings(columns)),
        ("removed", .array(removed.map { .array($0.map(\.journalJSON)) })),
        ("added", .array(added.map { .array($0.map(\.journalJSON)) })),
      ])
    case .index(let name, let before, let after):
      .object([
        ("kind", .string("index")), ("name", .string(name)), ("before", .optional(before)), ("after", .optional(after)),
      ])
    case .externalFile(let name, let isMovedAside):
      .object([
        ("kind", .string("externalFile")), ("name", .string(base64(name))), ("isMovedAside", .bool(isMovedAside)),
      ])
    case .compacted: .object([("kind", .string("compacted"))])
    }
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members([
      "kind", "table", "columns", "removed", "added", "name", "before", "after", "isMovedAside",
    ])
    let kind = try members.required("kind")
    switch try kind.string() {
    case "rows":
      self = .rows(
        table: try members.required("table").string(), columns: try members.strings("columns"),
        removed: try rowValues(members.elements("removed")), added: try rowValues(members.elements("added")))
    case "index":
      self = .index(
        name: try members.required("name").string(), before: try members.string("before"),
        after: try members.string("after"))
    case "externalFile":
      let name = try members.required("name")
      let bytes = try name.base64()
      guard !bytes.isEmpty, bytes.count <= 255, !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")),
        bytes != Array(".".utf8), bytes != Array("..".utf8)
      else { throw name.error("the name of a file is expected") }
      self = .externalFile(name: bytes, isMovedAside: try members.flag("isMovedAside"))
    case "compacted": self = .compacted
    case let other: throw kind.error("an unknown kind of change, '\(other)'")
    }
  }
}

private func rowValues(_ rows: [JSONPlace]) throws(JSONError) -> [[SQLiteValue]] {
  var result: [[SQLiteValue]] = []
  for row in rows {
    var values: [SQLiteValue] = []
    for value in try row.elements() { values.append(try SQLiteValue(value)) }
    result.append(values)
  }
  return result
}

extension SQLiteValue {
  /// Null, or an object whose member says how the value is stored. Reals are their 64 bits: text would round them.
  fileprivate var journalJSON: JSONValue {
    switch self {
    case .null: .null
    case .integer(let number): .object([("integer", .integer(number))])
    case .real(let number): .object([("real", .integer(Int64(bitPattern: number.bitPattern)))])
    case .text(let bytes): .object([("text", .string(base64(bytes)))])
    case .blob(let bytes): .object([("blob", .string(base64(bytes)))])
    }
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    if place.value == .null {
      self = .null
      return
    }
    let members = try place.members(["integer", "real", "text", "blob"])
    if let number = members["integer"] {
      self = .integer(try number.integer())
    } else if let bits = members["real"] {
      self = .real(Double(bitPattern: UInt64(bitPattern: try bits.integer(as: Int64.self))))
    } else if let text = members["text"] {
      self = .text(try text.base64())
    } else {
      self = .blob(try members.required("blob").base64())
    }
  }
}

extension JSONPlace {

  fileprivate func choice<Value>(_ make: (String) -> Value?) throws(JSONError) -> Value {
    guard let value = make(try string()) else { throw error("not a value that is known here") }
    return value
  }
}
