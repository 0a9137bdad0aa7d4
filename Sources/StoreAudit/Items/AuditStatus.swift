/// How far an audit came with something it was given or found.
public enum AuditStatus: String, Sendable, CaseIterable {
  /// It is a store, and was looked at.
  case audited
  /// It is, or should be, a store and cannot be read.
  case unreadable
  /// It took longer than `--timeout`.
  case timedOut = "timed-out"
  /// The process that looked at it was ended by a signal.
  case crashed
  /// It took more than `--memory`.
  case overMemory = "over-memory"
  /// Something that was named, and holds no store.
  case noStore = "no-store"
  /// A link, an archive in an archive, or one of a kind that is not unpacked.
  case notFollowed = "not-followed"

  /// Whether the line is about a store; gates and rates are about those alone.
  public var isStore: Bool {
    switch self {
    case .audited, .unreadable, .timedOut, .crashed, .overMemory: true
    case .noStore, .notFollowed: false
    }
  }
}
