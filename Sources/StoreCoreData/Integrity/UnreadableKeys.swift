import SQLitePages
import StoreSQLite

/// Finds the keys behind which a damaged table can be read again.
package struct UnreadableKeys {
  private let view: PageView
  private var roots: [String: UInt32] = [:]

  /// Of a store; nil where its pages cannot be told.
  package init?(_ store: Store) {
    guard let pages = try? PageFiles(store.files, usesWAL: store.connection.readsWAL),
      let schema = try? store.connection.schema()
    else { return nil }
    view = PageView(pages, commit: store.asOf?.commit)
    for object in schema where object.type == .table { roots[object.name] = UInt32(exactly: object.rootPage) }
  }

  /// The keys of a table that a read in the order of keys cannot show at the place where it stopped.
  ///
  /// - Parameter key: the last key that was read; nil where none was.
  /// - Returns: nil where nothing can be read behind that place.
  package func behind(_ key: Int64?, in table: String) -> ClosedRange<Int64>? {
    guard let root = roots[table], let keys = try? view.unreadableKeys(behind: key, root: root) else { return nil }
    return keys.lowerBound == .min && keys.upperBound == .max ? nil : keys
  }
}
