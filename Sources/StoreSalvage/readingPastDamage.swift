import SQLitePages
import StoreCoreData
import StoreDataModel
import StoreSQLite
import StoreWords

extension Store.Options {
  /// The same, so that of a store that is too damaged to be opened the rows are read that `salvage` would save.
  package var readingPastDamage: Self {
    var options = self
    options.standIn = { path, opening in try? makeStandIn(for: path, opening) }
    return options
  }

  /// The same for several answers about one store, one after the other on one thread: what is read in its place is made once.
  package var readingPastDamageOnce: Self {
    var options = self
    let made = MadeStandIn()
    options.standIn = { path, opening in made.standIn(for: path, opening) }
    return options
  }

  /// The same for an answer that reads tables, so that it is also of a store of which one cannot be entered.
  ///
  /// - Parameter entity: the entity that is read; nil for all.
  package func readingPastDamage(of entity: String?) -> Self {
    var options = readingPastDamage
    options.tablesToEnter = { layout in
      let read = entity.flatMap { layout.entity(named: $0) }.map { [$0] } ?? layout.entities
      return Set(read.map(\.table)).union(layout.joinTables.map(\.name)).sorted(by: codeUnitsPrecede)
    }
    return options
  }
}

/// What was read last in place of a damaged store. As its connection it is used by one thread at a time.
private final class MadeStandIn: @unchecked Sendable {
  private var last: (how: How, standIn: StandIn)?

  /// What decides what is read.
  private struct How: Equatable {
    var path: PosixPath
    var log: PosixPath?
    var ignoresWAL: Bool
    var hashes: VersionHashes?
  }

  func standIn(for path: PosixPath, _ opening: Store.Options) -> StandIn? {
    let how = How(
      path: path, log: opening.log, ignoresWAL: opening.ignoresWAL, hashes: opening.model?.versionHashes)
    if let last, last.how == how, last.standIn.files.changedFile() == nil { return last.standIn }
    guard let made = try? makeStandIn(for: path, opening) else { return nil }
    last = (how, made)
    return made
  }
}

/// The rows that can be saved of a damaged store, in a private database.
///
/// - Throws: as `salvage`.
private func makeStandIn(for path: PosixPath, _ opening: Store.Options) throws -> StandIn {
  let options = try SalvageOptions(opening)
  let files = try DatabaseFiles(path, log: options.log)
  let found = try FoundStore(SalvageEvidence(files, usesLog: options.usesLog), options)
  var run = SalvageRun(found, options)
  let connection = try run.writePrivately()
  return StandIn(connection, for: files, header: run.header, reading: run.reading, pages: try found.database())
}

extension FoundStore {
  /// Its pages, with what was found of their schema, for a search of what is gone.
  ///
  /// - Throws: `FileError`.
  fileprivate func database() throws -> FoundDatabase {
    var roots: [String: UInt32] = [:]
    var leaves: [String: [UInt32]] = [:]
    var doubted: [String: String] = [:]
    let names = Set(entries.map(\.name))
    for table in owners.tables where names.contains(table.name) {
      let top = evidence.knowsNumbers && table.tops.count == 1 ? table.tops.first : nil
      roots[table.name] = table.root ?? top ?? 0
      // What is in doubt of a leaf is looked for on it again.
      leaves[table.name] = table.leaves.filter { !$0.isDamaged && !$0.isContested }.map(\.page)
      let isWhole = table.root == nil ? top.map(owners.isRoot) == true : table.missing.isEmpty
      if !isWhole { doubted[table.name] = "may have rows on pages that were not found" }
    }
    let entries = self.entries.map { entry in
      var entry = entry
      if entry.type == "table", let root = roots[entry.name] { entry.root = root }
      if !evidence.knowsNumbers { entry.root = 0 }
      return entry
    }
    return FoundDatabase(
      evidence.pages, schema: try PageSchema(evidence.view).showing(entries), leaves: leaves, free: owners.free,
      doubted: doubted)
  }
}
