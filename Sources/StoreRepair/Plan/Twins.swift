/// A group of duplicates.
struct Twins: Equatable {
  /// The key of the one that stays.
  var survivor: Int64
  /// The keys of the others, in the order in which the request would keep them: the next newest first.
  var others: [Int64]

  /// All keys, the survivor's first.
  var all: [Int64] { [survivor] + others }
}
