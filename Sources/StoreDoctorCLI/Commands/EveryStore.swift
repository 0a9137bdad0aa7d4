import ArgumentParser
import StoreCoreData
import StoreSQLite
import StoreWords

/// Every store of a place, for commands with `--all`: each is read by itself, and one that cannot be read, or not as it is, is
/// said and costs no other.
final class EveryStore {
  private let place: PosixPath
  private let located: LocatedStores
  /// How many could not be read.
  private var failures = 0

  /// - Throws: `StoreError` where there is no store.
  init(_ place: PosixPath) throws {
    self.place = place
    guard let located = try StoreLocator.stores(at: place) else {
      self.located = try LocatedStores(of: place)
      return
    }
    self.located = located
    guard !located.all.isEmpty else { throw located.error(at: place) }
  }

  /// Calls `body` with the path at which each store is read, and the name that people know.
  func forEach(_ progress: ProgressLine?, _ body: (_ path: PosixPath, _ shown: String) throws -> Void) throws {
    for (position, store) in located.all.enumerated() {
      progress?.reportStep("store \(position + 1) of \(located.all.count)")
      // Why it is not read as it is; what is found in its pages is told as of any store.
      if let damage = store.summary.damage { fail(damage) }
      do {
        try store.reading { path in try body(path, store.path.description) }
      } catch let error as StoreError {
        if error.description != store.summary.damage { fail(error.description) }
      } catch let error where error is SQLiteError || error is FileError {
        fail("cannot read \(quoted(store.path.description)): \(error)")
      }
    }
  }

  private func fail(_ sentence: String) {
    failures += 1
    tell(sentence)
  }

  /// Notes that a store could not be read as it is, which the answer about it says.
  func noteDamaged() { failures += 1 }

  /// Says something on standard error.
  func tell(_ sentence: String) { standardError("storedoctor: \(escapedForTerminal(sentence))") }

  /// Says what was not read of the place, and ends the run with status 2 where that was something.
  func finish() throws {
    for sentence in located.unreadable { tell(sentence) }
    if let gap = located.incomplete, !located.unreadable.contains(gap) {
      tell("\(quoted(place.description)) may hold more stores: \(gap)")
    }
    if failures > 0 || located.incomplete != nil { throw ExitCode(2) }
  }
}
