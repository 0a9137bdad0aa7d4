import CStoreSQLite

/// Adds zeroed memory behind every page that SQLite holds in memory, so that what it reports about a damaged page is
/// always the same.
///
/// SQLite parses a cell before checking that it lies within its page, and so reads beyond the page if a cell begins in
/// its last bytes. The library's page cache keeps addresses there, so a damaged key had another value in each process
/// (measured with 3.40.1: 19 of 600 damaged stores gave different findings in ten runs). The cache stays SQLite's own;
/// it is only asked for longer pages.
///
/// https://www.sqlite.org/c3ref/pcache_methods2.html
enum PageSlack {
  /// Takes effect for all connections of the process, also those of other code, if called before SQLite is first used.
  /// Later the library refuses, and findings about cells at the end of a page may vary.
  static func install() { _ = installed }

  private static let installed: Int32 = {
    guard storedoctor_config_pointer(SQLITE_CONFIG_GETPCACHE2, base) == SQLITE_OK, base.pointee.xCreate != nil else {
      return SQLITE_MISUSE
    }
    methods.initialize(to: makeMethods())
    return storedoctor_config_pointer(SQLITE_CONFIG_PCACHE2, methods)
  }()

  /// SQLite's own cache methods. Both tables are created once and live as long as the process.
  nonisolated(unsafe) private static let base: UnsafeMutablePointer<sqlite3_pcache_methods2> = {
    let base = UnsafeMutablePointer<sqlite3_pcache_methods2>.allocate(capacity: 1)
    base.initialize(to: sqlite3_pcache_methods2())
    return base
  }()
  nonisolated(unsafe) private static let methods = UnsafeMutablePointer<sqlite3_pcache_methods2>.allocate(capacity: 1)

  /// A cache of SQLite's, with the page size that was asked for.
  private struct Cache {
    var base: OpaquePointer
    var pageBytes: Int
    var slackBytes: Int
  }

  /// The furthest that a cell is read beyond its page: two numbers of nine bytes, and for an index as much as may be
  /// stored on the page itself, "((U-12)*64/255)-23" (https://www.sqlite.org/fileformat2.html#cell_payload), less than
  /// a quarter of a page.
  private static func slackBytes(_ pageBytes: Int) -> Int { pageBytes / 4 + 64 }

  private static func makeMethods() -> sqlite3_pcache_methods2 {
    var methods = base.pointee
    methods.xCreate = { pageBytes, extraBytes, isPurgeable in
      let slack = PageSlack.slackBytes(Int(pageBytes))
      guard let base = PageSlack.base.pointee.xCreate?(pageBytes + Int32(clamping: slack), extraBytes, isPurgeable)
      else { return nil }
      let cache = UnsafeMutablePointer<Cache>.allocate(capacity: 1)
      cache.initialize(to: Cache(base: base, pageBytes: Int(pageBytes), slackBytes: slack))
      return OpaquePointer(cache)
    }
    methods.xCachesize = { PageSlack.base.pointee.xCachesize?(PageSlack.cache($0), $1) }
    methods.xPagecount = { PageSlack.base.pointee.xPagecount?(PageSlack.cache($0)) ?? 0 }
    methods.xFetch = { PageSlack.fetch(from: $0, key: $1, create: $2) }
    methods.xUnpin = { PageSlack.base.pointee.xUnpin?(PageSlack.cache($0), $1, $2) }
    methods.xRekey = { PageSlack.base.pointee.xRekey?(PageSlack.cache($0), $1, $2, $3) }
    methods.xTruncate = { PageSlack.base.pointee.xTruncate?(PageSlack.cache($0), $1) }
    methods.xShrink = { PageSlack.base.pointee.xShrink?(PageSlack.cache($0)) }
    methods.xDestroy = { cache in
      PageSlack.base.pointee.xDestroy?(PageSlack.cache(cache))
      UnsafeMutablePointer<Cache>(cache)?.deallocate()
    }
    return methods
  }

  private static func cache(_ cache: OpaquePointer?) -> OpaquePointer? {
    UnsafeMutablePointer<Cache>(cache)?.pointee.base
  }

  private static func fetch(
    from cache: OpaquePointer?, key: UInt32, create: Int32
  ) -> UnsafeMutablePointer<sqlite3_pcache_page>? {
    guard let cache = UnsafeMutablePointer<Cache>(cache),
      let page = base.pointee.xFetch?(cache.pointee.base, key, create)
    else { return nil }
    // SQLite treats a page as new when its extra memory begins with a null pointer, which the cache guarantees.
    if let extra = page.pointee.pExtra, extra.load(as: UInt.self) == 0, let bytes = page.pointee.pBuf {
      (bytes + cache.pointee.pageBytes).initializeMemory(as: UInt8.self, repeating: 0, count: cache.pointee.slackBytes)
    }
    return page
  }
}
