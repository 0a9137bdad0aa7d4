import StoreCoreData
import StorePublishing
import StoreSQLite

/// `publish` for a change that can be made in place too, and reports external files to its recorder.
///
/// - Throws: `PublishingError`, and what `change` and `verify` throw.
package func publish(
  _ store: Store, to target: OutputTarget, files: FileActions = FileActions(),
  compacts: Bool = false, change: (Connection, ChangeRecorder) throws -> Void, verify: (PosixPath) throws -> Void
) throws {
  try publish(store, to: target, files: files, compacts: compacts) { connection in
    let recorder = ChangeRecorder()
    try change(connection, recorder)
    return recorder.externalFilesMovedAside
  } verify: {
    try verify($0)
  }
}
