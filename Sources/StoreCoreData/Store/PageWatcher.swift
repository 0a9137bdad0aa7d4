import SQLitePages
import StoreSQLite
import Synchronization

/// Looks at each page while rows are read, so that an answer knows whether the pages it rests on are sound without
/// reading them a second time.
///
/// A sound page shows nothing. One that does not add up, or whose keys do not ascend, is noted; which table it belongs to
/// is asked only then (`Store.damagedTables`).
package final class PageWatcher: Sendable {
  private let geometry: PageGeometry
  private let hasPointerMap: Bool
  private let seen = Mutex(Seen())

  private struct Seen {
    var isFlawed = false
    var isWatching = true
    var damage: SeenDamage?
    var disagreements: [String: String] = [:]
  }

  /// Watches pages of a database with that header.
  init(_ header: DatabaseHeader) {
    geometry = PageGeometry(header)
    hasPointerMap = header.hasPointerMap
  }

  /// Whether pages are looked at from the opening on to the end, so that nothing seen means that they are sound.
  var isWatching: Bool { seen.withLock { $0.isWatching } }

  /// Looks at no page any more: only the schema was to be watched.
  func stop() {
    seen.withLock { $0.isWatching = false }
    isOff.store(true, ordering: .relaxed)
  }

  private let isOff = Atomic(false)

  /// Looks at a page that was read.
  func look(at page: UnsafeRawBufferPointer, offset: Int64?) {
    guard !isOff.load(ordering: .relaxed), page.count == geometry.pageSize else { return }
    var isFirst = false
    if let offset {
      let number = UInt32(clamping: offset / Int64(geometry.pageSize) + 1)
      isFirst = number == 1
      // The first byte of a page of the pointer map may be that of a tree's page.
      if hasPointerMap, geometry.isPointerMap(number) { return }
    } else {
      isFirst = page.starts(with: DatabaseHeader.magic)
      // Which page of the database it is, the frame's header says, which is not read here.
      if hasPointerMap, !isFirst, page.first.map({ $0 <= 5 }) ?? true { return }
    }
    if BTreePage.flaw(of: page, isFirst: isFirst, geometry: geometry) != nil { note() }
  }

  /// Notes that something was not as it is in a sound table.
  package func note() { seen.withLock { $0.isFlawed = true } }

  /// Notes what speaks against a table although its pages are sound.
  func note(disagreement: String, of table: String) {
    seen.withLock {
      $0.isFlawed = true
      $0.disagreements[table] = disagreement
    }
  }

  /// Whether anything was noted.
  package var isFlawed: Bool { seen.withLock { $0.isFlawed } }

  /// The damage, which is asked for once.
  func damage(_ make: () throws -> SeenDamage) rethrows -> SeenDamage {
    let (known, disagreements) = seen.withLock { ($0.damage, $0.disagreements) }
    var damage = try known ?? make()
    seen.withLock { $0.damage = damage }
    damage.disagreements = disagreements
    return damage
  }
}

/// What reading has shown of damage, and SQLite then said of the whole file.
package struct SeenDamage: Sendable, Equatable {
  /// Tables that may not show all their rows, with their damaged pages.
  package var tables: [String: [Int64]] = [:]
  /// Why it is not known which tables those are; then it may be any.
  package var problem: String?
  /// What speaks against tables of which all pages are sound, by table; lower case, no full stop.
  package var disagreements: [String: String] = [:]

  /// Whether a table may not show all its rows.
  package func concerns(_ table: String) -> Bool {
    problem != nil || tables[table] != nil || disagreements[table] != nil
  }

  /// Whether nothing is damaged.
  package var isEmpty: Bool { tables.isEmpty && problem == nil && disagreements.isEmpty }
}

extension Store {
  /// Tells that a table's rows were not as they are in a sound one.
  package func noteDamage() { pageWatcher?.note() }
}
