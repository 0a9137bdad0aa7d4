/// A group of duplicates.
struct Twins: Equatable {
  /// The key of the one that stays.
  var survivor: Int64
  /// The keys of the others, ascending.
  var others: [Int64]

  /// All keys, the survivor's first.
  var all: [Int64] { [survivor] + others }
}
