/// The outcome of an audit for one entry.
package enum AuditStatus: String, Sendable, CaseIterable {
  /// It is a store, and was diagnosed.
  case audited
  /// It is, or should be, a store and cannot be read.
  case unreadable
  /// It took longer than `--timeout`.
  case timedOut = "timed-out"
  /// The process that looked at it was ended by a signal.
  case crashed
  /// It needed more memory than `--memory`.
  case overMemory = "over-memory"
  /// It was named by the user, and is no store.
  case noStore = "no-store"
  /// A link, an archive in an archive, or one of a kind that is not unpacked.
  case notFollowed = "not-followed"

  /// Whether the line is about a store; only those count for gates and rates.
  package var isStore: Bool {
    switch self {
    case .audited, .unreadable, .timedOut, .crashed, .overMemory: true
    case .noStore, .notFollowed: false
    }
  }
}
