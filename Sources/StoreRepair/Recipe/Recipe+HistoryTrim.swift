import StoreText

extension Recipe {
  /// The part of persistent history that is removed.
  package enum HistoryTrim: Sendable, Equatable {
    /// Transactions before a day or moment, as it was written.
    case before(String)
    /// All transactions but this many, the newest.
    case keep(Int)

    /// Transactions before a day or moment, in UTC where no zone is given; nil where the text is neither.
    package init?(before text: String) {
      guard DateReading(text) != nil else { return nil }
      self = .before(text)
    }
  }
}
