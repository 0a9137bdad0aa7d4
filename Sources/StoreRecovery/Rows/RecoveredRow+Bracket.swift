/// When something ended, as well as witnesses tell, in seconds since 2001-01-01 UTC.
package struct Bracket: Sendable, Equatable {
  /// Not before: the last moment at which it was seen; nil where no witness has a clock.
  package var after: Double?
  /// Not after: the first moment at which it was seen to be gone; nil where no witness has a clock.
  package var before: Double?

  /// A bracket of two moments.
  package init(after: Double? = nil, before: Double? = nil) {
    self.after = after
    self.before = before
  }

  /// Whether anything is known of the time.
  package var isKnown: Bool { after != nil || before != nil }

  /// Whether it may be within limits, both ends included.
  ///
  /// Where a clock was set back, the last life is later than the end; then both are limits, in their order.
  package func mayLieWithin(since: Double?, until: Double?) -> Bool {
    var (first, last) = (after, before)
    if let after, let before, before < after { (first, last) = (before, after) }
    if let since, let last, last < since { return false }
    if let until, let first, first > until { return false }
    return true
  }
}

extension RecoveredRow {
  /// When the row was deleted, or the version replaced, by its witnesses.
  package var bracket: Bracket {
    func times(_ shows: Witness.Shows) -> [Double] {
      witnesses.filter { $0.shows == shows }.compactMap(\.time).filter(\.isFinite)
    }
    return Bracket(after: times(.present).max(), before: times(.absent).min())
  }

  /// The same, and where a change of the history says it just that moment.
  var ending: Bracket { deletedAt.map { Bracket(after: $0, before: $0) } ?? bracket }

  /// When the row was deleted, where a change of the history says it: the moment of the save, by the device's clock.
  package var deletedAt: Double? {
    kind == .deleted ? witnesses.lazy.filter(\.isDeletion).compactMap(\.time).first(where: \.isFinite) : nil
  }
}
