import StoreCoreData
import StoreDiagnosis
import StorePublishing
import StoreSQLite
import StoreWords

// How a store is anonymised
// -------------------------
//
//   Store ──► AnonymizingPlan   what becomes of each column: its attribute, the policy, what its numbers look like
//         ──► RunFilter         which runs of six bytes the values have that will be replaced
//         ──► Replacer ──► AnonymousDraft   a new database, row by row, indexes and triggers last
//         ──► RunSearch, ValuesProof, FindingsProof   on the finished file, before it gets its name; the search begins while
//                                                     join tables and indexes are made
//
// Everything that a replacement is made of is a keyed hash of the value; the key is random and thrown away.

/// Writes a copy of a store with the same schema, model, keys, links and findings, and nobody's values.
///
/// - Parameters:
///   - path: the store; it is only read.
///   - target: where the copy goes.
/// - Throws: `AnonymizingError` where a proof fails or something is not understood, and then nothing is written; `StoreError`,
///   `PublishingError`, `FileError`, `SQLiteError`.
package func anonymize(
  _ path: PosixPath, opening: Store.Options = Store.Options(), to target: OutputTarget, _ options: AnonymizingOptions
) throws -> Anonymization {
  let location = try StoreLocator.locate(path)
  var opening = opening
  opening.ignoresWAL = options.ignoresWAL
  if let source = options.diagnosis.storeModel {
    opening.model = try source.version(describing: location, opening).model
  }
  let (settled, models) = (opening, options.diagnosis.candidates.models)
  let opened = { @Sendable in try openedWithItsModel(location, opening: settled, models: models) }
  return try anonymize(opened(), to: target, options, openingAgain: opened)
}

/// The same for a store that is open.
///
/// - Parameter openingAgain: opens it once more; then it is diagnosed while its values are read.
package func anonymize(
  _ store: Store, to target: OutputTarget, _ options: AnonymizingOptions,
  openingAgain: (@Sendable () throws -> Store)? = nil
) throws -> Anonymization {
  if let doubt = doubtAboutWAL(store), !options.ignoresWAL {
    throw AnonymizingError(
      "the -wal beside \(quoted(store.path)) may belong to another store (\(doubt)) and was not read; leave it out with "
        + "--without-wal, or name the store's own with --wal")
  }
  _ = try target.place(for: store)
  var run = try AnonymizingRun(store, options, openingAgain: openingAgain)
  while true {
    do {
      var result: Anonymization?
      try publishNew(to: target, mode: .ofRows) { draft in
        try run.write(to: draft)
      } verify: { draft in
        result = try run.prove(draft, output: target.path)
        try store.checkUnchanged()
      }
      guard let result else { throw AnonymizingError("the copy was not compared with the store") }
      return result
    } catch let error as FindingsOfSample {
      guard try run.choosesOthers(for: error) else { throw error.refusal(options.sample ?? 0) }
    }
  }
}
