import StoreCoreData
import StoreSQLite
import StoreWords

extension Store.Options {
  /// The same, so that of a store that is too damaged to be opened the rows are read that `salvage` would save.
  package var readingPastDamage: Self {
    var options = self
    options.standIn = { path, opening in try? makeStandIn(for: path, opening) }
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

/// The rows that can be saved of a damaged store, in a private database.
///
/// - Throws: as `salvage`.
private func makeStandIn(for path: PosixPath, _ opening: Store.Options) throws -> StandIn {
  let options = SalvageOptions(
    usesLog: !opening.ignoresWAL, log: try opening.log.map { try PlacedFile.located($0) }, model: opening.model)
  let files = try DatabaseFiles(path, log: options.log)
  var run = try SalvageRun(FoundStore(SalvageEvidence(files, usesLog: options.usesLog), options), options)
  let connection = try run.writePrivately()
  return StandIn(connection, for: files, header: run.header, reading: run.reading)
}
