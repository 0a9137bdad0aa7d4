import ArgumentParser
import StoreCoreData
import StoreRepair
import StoreRows
import StoreSQLite
import StoreWords

/// The deleted objects that `repair` puts back.
struct RestoreArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Put objects back that this older copy of the store has and the store has not.", valueName: "store"),
    completion: .file())
  var restoreFrom: String?

  @Option(
    help: ArgumentHelp(
      "Put deleted objects back of which this report of 'recover --format json' has the values.", valueName: "report"),
    completion: .file())
  var restore: String?

  @Option(help: ArgumentHelp("Only objects of this entity and of its subentities.", valueName: "entity"))
  var entity: String?

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp("Only the objects of --entity with these keys (Z_PK), separated by commas.", valueName: "keys"))
  var keys: [String] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only the objects of --entity for which this predicate holds in the older copy or the report (docs/predicates.md).",
      valueName: "predicate"))
  var condition: String?

  @Flag(help: "Also the objects that are linked with them and gone, too: what a delete rule took with it.")
  var related = false

  func validate() throws {
    let given = entity != nil || !keys.isEmpty || condition != nil || related
    if restoreFrom == nil, restore == nil, given {
      throw ValidationError(
        "--entity, --key, --where and --related are about --restore and --restore-from, and neither is given")
    }
    if restore != nil, restoreFrom != nil {
      throw ValidationError("--restore names a report, --restore-from an older copy of the store: choose one")
    }
    if entity == nil, !keys.isEmpty || condition != nil {
      throw ValidationError("--key and --where choose objects of one entity; name it with --entity")
    }
    _ = try objectKeys(keys)
  }

  /// What to put back; nil where nothing is asked for. A predicate is decided by reading the older copy or the report.
  ///
  /// - Parameter store: opens the store to repair, which tells how a report's values are read.
  /// - Throws: as opening a store and reading rows do; `NoSuchObjects` where none fulfils the predicate.
  func item(for store: () throws -> Store) throws -> Recipe.Restore? {
    guard let source = restore ?? restoreFrom else { return nil }
    let isReport = restore != nil
    var chosen = try objectKeys(keys)
    if let entity, let condition {
      var query = RowQuery(entity: entity)
      query.condition = condition
      query.columns = []
      query.keys = keys.isEmpty ? nil : chosen
      let objects =
        isReport
        ? try deletedObjects(inReport: PosixPath(argument: source), of: store())
        : try Store(StoreLocator.locate(PosixPath(argument: source)))
      chosen = []
      try Rows(query, of: objects).forEach { chosen.append($0.key) }
      guard !chosen.isEmpty else { throw NoSuchObjects(entity: entity, source: source) }
    }
    return Recipe.Restore(from: source, isReport: isReport, entity: entity, keys: chosen, related: related)
  }
}

/// No object of the older copy or report fulfils the predicate of `--where`.
private struct NoSuchObjects: Error, CustomStringConvertible {
  let entity: String
  let source: String

  var description: String {
    "no object of \(quoted(entity)) in \(quoted(source)) can be put back and fulfils the predicate of --where"
  }
}

/// The keys of `--key`: numbers as in `Z_PK`, or object URIs as logs have them.
///
/// - Throws: `ValidationError` for anything else.
func objectKeys(_ words: [String]) throws -> [Int64] {
  try words.flatMap { $0.split(separator: ",") }.map { word in
    let word = word.filter { $0 != " " }
    // "x-coredata://UUID/Note/p3" is what logs have.
    guard let key = Int64(word) ?? word.split(separator: "/").last.flatMap({ Int64($0.drop { $0 == "p" }) }) else {
      throw ValidationError("--key takes numbers as in Z_PK, such as 3,8; '\(word)' is none")
    }
    return key
  }
}
