import ArgumentParser
import StoreReports
import StoreRows

/// Which objects `rows` shows, and in which order.
struct RowChoice: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Show the objects for which this predicate holds, in Core Data's syntax (docs/predicates.md).",
      valueName: "predicate"))
  var condition: String?

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp("Show the objects with these keys (Z_PK), separated by commas.", valueName: "keys"))
  var keys: [String] = []

  @Option(
    help: ArgumentHelp(
      "Order by these properties or paths, separated by commas; ':desc' turns one round.", valueName: "properties"))
  var orderBy: [String] = []

  @Option(help: ArgumentHelp("Show at most this many objects.", valueName: "count"))
  var limit: Int?

  @Option(help: ArgumentHelp("Leave out this many objects at the start.", valueName: "count"))
  var offset = 0

  @Flag(help: "Leave out the objects of subentities.")
  var withoutSubentities = false

  @Flag(
    help: """
      Show what is left of deleted objects and of earlier versions as well, after the others; a column _state says which is \
      which ('live', 'deleted proved'). The whole file is searched, as by 'recover'.
      """)
  var deleted = false

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is a number of objects, 0 or more") }
    if offset < 0 { throw ValidationError("--offset is a number of objects, 0 or more") }
  }

  /// The option given that is about the objects of one entity.
  var optionOfOneEntity: String? {
    if condition != nil { return "--where" }
    if !orderBy.isEmpty { return "--order-by" }
    if limit != nil { return "--limit" }
    if offset != 0 { return "--offset" }
    if !keys.isEmpty { return "--key" }
    return withoutSubentities ? "--without-subentities" : nil
  }
}

/// What `rows` shows of each object.
struct RowDetail: ParsableArguments {
  @Option(
    name: .customLong("columns"),
    help: ArgumentHelp(
      "Show these columns: properties, leaves (address.city), paths through to-ones (folder.name), _key, _entity, "
        + "_version, in a mirrored store _cloudkit, _record, _origin. Separated by commas.", valueName: "names"))
  var columns: [String] = []

  @Option(
    name: .customLong("expand"),
    help: ArgumentHelp(
      "Add the title of what a to-one leads to (folder), or an attribute of it (folder.name). Repeatable.",
      valueName: "relationship"))
  var expanded: [String] = []

  @Flag(name: .customLong("long"), help: "Show one object below the other, with all its values.")
  var isLong = false

  @Option(help: "How to write dates: iso (UTC), unix, or stored (seconds since 2001).")
  var dateFormat: DateFormat = .iso

  @Flag(help: "Write binary values, in base-64, and not their length alone.")
  var binary = false

  @Option(
    help: ArgumentHelp(
      "Write the values of binary attributes that may be in external files to this new folder, and show their names.",
      valueName: "folder"), completion: .directory)
  var external: String?

  @Flag(
    name: .customLong("cloudkit"),
    help: """
      Add what CloudKit's mirroring knows of each object: _cloudkit ('uploaded', 'waiting', 'to be deleted', 'none'), _record, \
      the name of its record, and _origin, whether it came by an import.
      """)
  var showsCloudKit = false

  /// The option given that is about the objects of one entity.
  var optionOfOneEntity: String? {
    if !columns.isEmpty { return "--columns" }
    if !expanded.isEmpty { return "--expand" }
    return isLong ? "--long" : nil
  }
}

/// How `rows` writes, and where to.
struct RowOutput: ParsableArguments, StyledOutput {
  /// The formats of rows.
  enum Format: String, ExpressibleByArgument, CaseIterable { case table, json, jsonl, csv, sqlite }

  @Option(help: "How to write: table, json, jsonl, csv, or sqlite (a readable database of all entities).")
  var format: Format = .table

  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(
      "Write to this new file, or folder where all entities are written; only the owner may read it.",
      valueName: "path"), completion: .file())
  var path: String?

  @Flag(help: "Replace the file of --output if it exists; never a database, a folder or a file of the store.")
  var force = false

  @Flag(help: "In CSV, leave texts that a spreadsheet would take for formulas as they are.")
  var keepFormulas = false

  @Flag(help: "Show no progress while reading a large store.")
  var quiet = false

  @Option(help: colorHelp)
  var color: ColorWish = .auto
}

extension DateFormat: ExpressibleByArgument {}
