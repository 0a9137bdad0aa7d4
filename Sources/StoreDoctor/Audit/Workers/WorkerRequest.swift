import CoreDataStore
import JSON
import SQLite

// What an audit and its workers say to each other
// -----------------------------------------------
//
//   worker ─► "ready"                               once, when it can work
//   audit  ─► a line of JSON for each entry         `WorkerRequest`
//   worker ─► a line: that of the audit as it is, or, for an archive, what was found in it (`UnpackedEntries`)
//   worker ─► one byte in a file of their own: the stage the work has come to (`StageFile`)
//
// A worker answers in order. Paths travel in base-64: they are bytes and need not be text.

/// Something an audit asks of a worker.
public struct WorkerRequest: Sendable {
  /// The entry.
  public var item: AuditItem
  /// What a baseline hides of it.
  public var known: Set<String>
  /// For an archive the private folder it is unpacked into.
  public var folder: PosixPath?

  /// The line it is sent as.
  var line: String {
    JSONValue.object([
      ("id", .optional(item.id)), ("location", item.location.json),
      ("shown", item.shown == item.location ? nil : item.shown.json),
      ("kind", .string(kind)), ("known", known.isEmpty ? nil : .strings(known.sorted())), ("folder", folder?.json),
      ("unpacked", item.unpacked?.folder.json), ("archive", item.unpacked?.archive.json),
      ("within", item.within.isEmpty ? nil : .string(base64(item.within))),
      ("isRepeated", item.isRepeated ? .bool(true) : nil),
    ]).lineText
  }

  private var kind: String {
    switch item.kind {
    case .store(let wasNamed): wasNamed ? "named" : "found"
    case .archive: "archive"
    case .problem: "problem"
    }
  }

  /// A request as it was sent.
  ///
  /// - Throws: `JSONError` when it is none.
  public init(_ line: [UInt8]) throws(JSONError) {
    let members = try JSONPlace(JSONValue(line)).members([
      "id", "location", "shown", "kind", "known", "folder", "unpacked", "archive", "within", "isRepeated",
    ])
    let kind: AuditItem.Kind =
      switch try members.required("kind").string() {
      case "named": .store(wasNamed: true)
      case "found": .store(wasNamed: false)
      case "archive": .archive
      default: throw members.place.error("a kind that is not known here")
      }
    item = AuditItem(
      id: try members.string("id"), try members.required("location").path(), shown: try members["shown"]?.path(), kind)
    if let folder = members["unpacked"], let archive = members["archive"] {
      item.unpacked = .init(folder: try folder.path(), archive: try archive.path())
    }
    item.within = try members["within"]?.base64() ?? []
    item.isRepeated = try members.flag("isRepeated")
    known = Set(try members.strings("known"))
    folder = try members["folder"]?.path()
  }

  init(_ item: AuditItem, known: Set<String> = [], folder: PosixPath? = nil) {
    self.item = item
    self.known = known
    self.folder = folder
  }
}

/// What a worker found in an archive.
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

  /// An answer as it was sent.
  init(_ line: [UInt8], of archive: AuditItem, in folder: PosixPath) throws(JSONError) {
    let members = try JSONPlace(JSONValue(line)).members(["entries", "problem"])
    items = []
    for entry in try members.elements("entries") {
      var item = try AuditItem(entry: entry)
      item.id = archive.id
      if archive.id != nil { item.within = archive.within + item.shown.bytes.dropFirst(archive.shown.bytes.count) }
      item.isRepeated = archive.isRepeated
      item.unpacked = .init(folder: folder, archive: archive.shown)
      items.append(item)
    }
    problem = nil
    if let place = members["problem"] { problem = try AuditProblem(place) }
  }
}

extension AuditItem {
  fileprivate var entryJSON: JSONValue {
    var members: [(String, JSONValue?)] = [("location", location.json), ("shown", shown.json)]
    switch kind {
    case .store(let wasNamed): members.append(("wasNamed", .bool(wasNamed)))
    case .problem(let problem): members.append(("problem", problem.json))
    case .archive: break
    }
    return .object(members)
  }

  fileprivate init(entry: JSONPlace) throws(JSONError) {
    let members = try entry.members(["location", "shown", "wasNamed", "problem"])
    let kind: Kind
    if let problem = members["problem"] {
      kind = .problem(try AuditProblem(problem))
    } else {
      kind = .store(wasNamed: try members.flag("wasNamed"))
    }
    self.init(try members.required("location").path(), shown: try members.required("shown").path(), kind)
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
