import CStoreSQLite

/// Extended result codes that C defines by macros which Swift does not import.
enum ResultCode {
  /// `SQLITE_IOERR_READ`
  static let readFailed = SQLITE_IOERR | (1 << 8)
  /// `SQLITE_IOERR_SHORT_READ`
  static let shortRead = SQLITE_IOERR | (2 << 8)
}
