/// The order in which the to-many relationships of an entity have their bits in history.
///
/// It is that of a hash table: as many slots as one of a list of primes, chosen by the number of entries; a name goes into
/// the slot of its hash, or into the next one that is free; names are entered by name. Measured on eight steps between
/// versions of Photos, in which Core Data wrote the bits anew, with tables of 71 to 383 slots
/// (`docs/format/store-layout.md` §8). No other order that was tried, by name among them, explains more than a part.
struct ToManyOrder {
  private var slots: [String?]

  /// - Parameters:
  ///   - names: the to-many relationships of the entity, inherited ones included.
  ///   - properties: how many bits the entity has, and to-one relationships once more: these and their keys have an entry
  ///     each.
  init(_ names: [String], properties: Int) {
    let entries = properties + Self.ownEntries
    let size = Self.sizes.first { entries <= $0.most }?.slots ?? Self.largest
    slots = [String?](repeating: nil, count: max(size, 2 * names.count))
    for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      var slot = Int(Self.hash(name) % UInt64(slots.count))
      while slots[slot] != nil { slot = (slot + 1) % slots.count }
      slots[slot] = name
    }
  }

  /// The names for which a condition holds, in their order.
  func names(where condition: (String) -> Bool) -> [String] { slots.compactMap(\.self).filter(condition) }

  /// `Z_PK`, `Z_ENT` and `Z_OPT`.
  private static let ownEntries = 3
  /// How many slots there are for up to so many entries.
  private static let sizes: [(most: Int, slots: Int)] = [
    (3, 3), (6, 7), (11, 13), (19, 23), (32, 41), (52, 71), (85, 127), (118, 191), (155, 251), (237, 383), (390, 631),
    (672, 1087), (1065, 1723), (1732, 2803), (2795, 4523), (4543, 7351),
  ]
  private static let largest = 11959

  /// The hash of a name, of its length and its UTF-16 code units (of long names 96 of them), four of which are taken at a
  /// time.
  static func hash(_ name: String) -> UInt64 {
    let units = name.utf16.map(UInt64.init)
    let count = units.count
    var read = units[...]
    if count > 96 {
      let middle = count / 2
      read = units[..<32] + units[(middle - 16)..<(middle + 16)]
      read += units[(count - 32)...]
    }
    let units4 = read.count & ~3
    var hash = UInt64(count)
    var four: UInt64 = 0
    for (position, unit) in read.enumerated() {
      guard position < units4 else {
        hash = hash &* 257 &+ unit
        continue
      }
      four = four &* 257 &+ unit
      if position & 3 == 3 { (hash, four) = (hash &* 67_503_105 &+ four, 0) }
    }
    return hash &+ hash << UInt64(count & 31)
  }
}
