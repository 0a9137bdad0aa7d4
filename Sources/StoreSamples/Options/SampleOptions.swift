/// The purpose of a sample store, which decides its content.
package enum SampleKind: String, Sendable, CaseIterable {
  /// One object of each entity, with what the model requires and nothing else.
  case minimal
  /// Ten to twenty objects of each entity, with all attributes and relationships set.
  case typical
  /// Values, orders and counts at the bounds of what the model allows.
  case edge
}

/// Options for the content of a sample store.
package struct SampleOptions: Sendable, Equatable {
  /// The purpose of the store.
  package var kind: SampleKind
  /// Objects of each entity; nil for as many as the kind has.
  package var rows: Int?
  /// A store whose numbers of objects, NULLs and links it gets; nil for those of the kind, which then is `typical`.
  package var like: SampleShape?
  /// Decides everything that is random: equal seeds give equal bytes.
  package var seed: UInt64

  /// The most objects of each entity.
  package static let mostRows = 100_000

  /// By default typical content with seed 1.
  package init(kind: SampleKind = .typical, rows: Int? = nil, like: SampleShape? = nil, seed: UInt64 = 1) {
    self.kind = kind
    self.like = like
    self.rows = rows
    self.seed = seed
  }
}
