/// The frameworks (`NSPersistenceFrameworkVersion`) that read Swift source in one way.
///
/// ```
///   1327  iOS 17.0     1419  iOS 18.2     1522  iOS 26
/// ```
package struct FrameworkRange: Sendable, Hashable {
  /// The first that is likely to read it so; nil where the oldest are. Stores of older ones are not known to contradict it.
  package var from: Int?
  /// The first that certainly does not, as a store has shown; nil where the newest do.
  package var below: Int?

  /// A range; all frameworks unless said otherwise.
  package init(from: Int? = nil, below: Int? = nil) {
    self.from = from
    self.below = below
  }

  /// The first framework of iOS 26 that a store is known of.
  package static let firstOf26 = 1522
  /// The first framework after the newest of iOS 18 that a store is known of.
  package static let afterMeasured18 = 1420

  /// One of the frameworks.
  package var example: Int { from ?? below.map { $0 - 1 } ?? Self.firstOf26 }

  /// Whether today's systems read it so.
  package var isCurrent: Bool { below == nil }

  /// Whether a store of that framework may have been read so.
  package func allows(_ framework: Int) -> Bool { below.map { framework < $0 } ?? true }

  /// Whether a store of that framework was likely read so.
  package func contains(_ framework: Int) -> Bool { allows(framework) && from.map { framework >= $0 } ?? true }

  /// The frameworks of either.
  package func union(_ other: FrameworkRange) -> FrameworkRange {
    FrameworkRange(
      from: from.flatMap { own in other.from.map { min(own, $0) } },
      below: below.flatMap { own in other.below.map { max(own, $0) } })
  }

  /// The frameworks of both.
  package func intersection(_ other: FrameworkRange) -> FrameworkRange {
    FrameworkRange(
      from: [from, other.from].compactMap(\.self).max(), below: [below, other.below].compactMap(\.self).min())
  }

  /// "iOS 17 and 18", "iOS 26": the systems with such frameworks.
  package var systems: String {
    if below == nil { return from.map { $0 >= Self.afterMeasured18 } ?? false ? "iOS 26" : "all systems" }
    guard let below, below > 1403 else { return "iOS 17" }
    switch from {
    case Self.afterMeasured18?: return "iOS 18 after 18.2"
    case let from? where from >= 1403: return "iOS 18"
    default: return "iOS 17 and 18"
    }
  }

  /// "frameworks below 1420", "frameworks 1420 to 1521", "frameworks from 1522".
  package var numbers: String {
    switch (from, below) {
    case (nil, nil): "all frameworks"
    case (nil, let below?): "frameworks below \(below)"
    case (let from?, nil): "frameworks from \(from)"
    case (let from?, let below?): "frameworks \(from) to \(below - 1)"
    }
  }
}
