import StoreJSON
import StoreSQLite
import StoreText

// The protocol between an audit and its workers
// -----------------------------------------------
//
//   worker ─► "ready"                               once, when it can work
//   audit  ─► a line for each entry                 `WorkerRequest`
//   worker ─► a line: that of the audit as it is, or, for an archive, what was found in it (`UnpackedEntries`)
//   worker ─► one byte in a file of their own: the stage the work has come to (`StageFile`)
//   audit  ─► nothing, on a second connection whose end tells the worker that the audit is gone (`OrphanWatch`)
//
// A worker answers in order. Paths are base-64, because they are bytes and need not be text.

/// A request of an audit to a worker.
package struct WorkerRequest: Sendable {
  /// The entry.
  package var item: AuditItem
  /// The findings that a baseline hides for it.
  package var known: Set<String>
  /// For an archive, the private folder to unpack it into.
  package var folder: PosixPath?

  /// The request as a line: kind and fields, separated by spaces. A field is base-64, or a dash if empty. Not JSON,
  /// since one core makes the requests for all workers.
  var line: String {
    let fields =
      [
        item.location.bytes, item.shown == item.location ? nil : item.shown.bytes, item.id.map { Array($0.utf8) },
        item.within, item.isRepeated ? [] : nil, folder?.bytes, item.unpacked?.folder.bytes,
        item.unpacked?.archive.bytes, item.unpacked?.map?.bytes,
      ] + known.map { Array($0.utf8) }
    return fields.reduce(into: kind) { $0 += $1.map { " " + base64($0) } ?? " -" } + "\n"
  }

  private var kind: String {
    switch item.kind {
    case .store(let wasNamed): wasNamed ? "named" : "found"
    case .archive: "archive"
    case .problem: "problem"
    }
  }

  /// A line that is not a request.
  package struct Malformed: Error, CustomStringConvertible {
    /// A sentence without the final full stop.
    package var description: String { "what came on standard input is no request of an audit's" }
  }

  /// Reads a request, without its line feed.
  ///
  /// - Throws: `Malformed` if the line is not a request.
  package init(_ line: [UInt8]) throws(Malformed) {
    var fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)[...]
    let kind: AuditItem.Kind
    switch fields.popFirst().map({ String(decoding: $0, as: UTF8.self) }) {
    case "named": kind = .store(wasNamed: true)
    case "found": kind = .store(wasNamed: false)
    case "archive": kind = .archive
    case _: throw Malformed()
    }
    func next() throws(Malformed) -> [UInt8]? {
      guard let field = fields.popFirst() else { throw Malformed() }
      if field.elementsEqual(CollectionOfOne(UInt8(ascii: "-"))) { return nil }
      guard let bytes = decoded(base64: field) else { throw Malformed() }
      return bytes
    }
    guard let location = try next().map(PosixPath.init(bytes:)) else { throw Malformed() }
    item = AuditItem(location, shown: try next().map(PosixPath.init(bytes:)), kind)
    item.id = try next().map { String(decoding: $0, as: UTF8.self) }
    item.within = try next() ?? []
    item.isRepeated = try next() != nil
    folder = try next().map(PosixPath.init(bytes:))
    let (unpacked, archive, map) = (try next(), try next(), try next())
    if let unpacked, let archive {
      item.unpacked = .init(
        folder: PosixPath(bytes: unpacked), archive: PosixPath(bytes: archive), map: map.map(PosixPath.init(bytes:)))
    }
    known = []
    while !fields.isEmpty {
      if let text = try next() { known.insert(String(decoding: text, as: UTF8.self)) }
    }
  }

  init(_ item: AuditItem, known: Set<String> = [], folder: PosixPath? = nil) {
    self.item = item
    self.known = known
    self.folder = folder
  }
}

/// The entries a worker found in an archive.
struct UnpackedEntries {
  var items: [AuditItem]
  /// Why the archive could not be unpacked.
  var problem: AuditProblem?

  init(_ items: [AuditItem], _ problem: AuditProblem? = nil) {
    self.items = items
    self.problem = problem
  }

  var line: String {
    JSONValue.object([
      ("entries", .array(items.map(\.entryJSON))), ("problem", problem?.json),
    ]).lineText
  }

  /// Reads an answer.
  init(_ line: [UInt8], of archive: AuditItem, in folder: PosixPath) throws(JSONError) {
    let members = try JSONPlace(JSONValue(line)).members(["entries", "problem"])
    items = []
    for entry in try members.elements("entries") {
      var item = try AuditItem(entry: entry)
      item.id = archive.id
      if archive.id != nil { item.within = archive.within + item.shown.bytes.dropFirst(archive.shown.bytes.count) }
      item.isRepeated = archive.isRepeated
      item.unpacked = .init(folder: folder, archive: archive.shown, map: item.unpacked?.map)
      items.append(item)
    }
    problem = nil
    if let place = members["problem"] { problem = try AuditProblem(place) }
  }
}

extension AuditItem {
  fileprivate var entryJSON: JSONValue {
    var members: [(String, JSONValue?)] = [
      ("location", location.json), ("shown", shown.json), ("map", unpacked?.map?.json),
    ]
    switch kind {
    case .store(let wasNamed): members.append(("wasNamed", .bool(wasNamed)))
    case .problem(let problem): members.append(("problem", problem.json))
    case .archive: break
    }
    return .object(members)
  }

  fileprivate init(entry: JSONPlace) throws(JSONError) {
    let members = try entry.members(["location", "shown", "map", "wasNamed", "problem"])
    let kind: Kind
    if let problem = members["problem"] {
      kind = .problem(try AuditProblem(problem))
    } else {
      kind = .store(wasNamed: try members.flag("wasNamed"))
    }
    self.init(try members.required("location").path(), shown: try members.required("shown").path(), kind)
    // The folder and the archive are those that were asked about.
    if let map = try members["map"]?.path() { unpacked = .init(folder: map, archive: map, map: map) }
  }
}

extension AuditProblem {
  fileprivate var json: JSONValue { .object(["kind": .string(kind.rawValue), "message": .string(message)]) }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["kind", "message"])
    guard let kind = Kind(rawValue: try members.required("kind").string()) else {
      throw place.error("a problem that is not known here")
    }
    self.init(kind, try members.required("message").string())
  }
}

extension PosixPath {
  fileprivate var json: JSONValue { .string(base64(bytes)) }
}

extension JSONPlace {
  fileprivate func path() throws(JSONError) -> PosixPath { PosixPath(bytes: try base64()) }
}
