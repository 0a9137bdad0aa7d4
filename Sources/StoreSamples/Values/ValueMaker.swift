import StoreDataModel
import StoreScanning
import StoreWriting

/// Makes values for attributes: what a kind of content asks for, as far as the model's rules allow.
struct ValueMaker {
  let kind: SampleKind
  private(set) var random: SampleRandom
  /// Types of which one very large value has been made; there is one of each in a store.
  private var largest: Set<AttributeType> = []
  /// Attributes whose rules no value was found for, as "Note.title".
  private(set) var unsatisfied: [String] = []

  init(_ kind: SampleKind, _ random: SampleRandom) {
    self.kind = kind
    self.random = random
  }

  /// Lets others draw from the same numbers.
  mutating func withRandom<Result>(_ body: (inout SampleRandom) -> Result) -> Result { body(&random) }

  /// A value.
  ///
  /// - Parameters:
  ///   - number: how many objects of the entity were made before.
  ///   - attempt: how many values for this object were refused by a uniqueness constraint.
  mutating func value(_ leaf: SampleLeaf, of entity: String, number: Int, attempt: Int) -> StoredValue {
    if leaf.isDerived, !leaf.isRequired { return .null }
    if attempt == 0, let first = firstChoice(leaf, number: number) { return first }
    let salt = number + attempt * 7_919
    for round in 0..<64 {
      let candidate = plausible(leaf, number: salt, round: round)
      if leaf.accepts(candidate) { return candidate }
    }
    let place = "\(entity).\(leaf.path)"
    if !unsatisfied.contains(place) { unsatisfied.append(place) }
    return leaf.isRequired ? leaf.defaultValue ?? plausible(leaf, number: salt, round: 0) : .null
  }

  /// The value that the kind of content asks for before any other; nil for any plausible value.
  private mutating func firstChoice(_ leaf: SampleLeaf, number: Int) -> StoredValue? {
    switch kind {
    case .minimal:
      if let value = leaf.defaultValue, leaf.accepts(value) { return value }
      // Not in one expression: `nil` can be a stored NULL, too.
      guard !leaf.isRequired else { return nil }
      return .null
    case .typical:
      guard !leaf.isUnique, number % 5 == 4, let value = leaf.defaultValue, leaf.accepts(value) else { return nil }
      return value
    case .edge: return edge(leaf, number: number)
    }
  }

  /// A value at a bound; every fourth object has none where that is allowed.
  private mutating func edge(_ leaf: SampleLeaf, number: Int) -> StoredValue? {
    if number % 4 == 1, !leaf.isRequired { return .null }
    let turn = leaf.isRequired ? number : number - (number + 2) / 4
    let type = leaf.attribute.type
    if !leaf.isUnique, turn == 0, type == .string || type == .binary, !largest.contains(type) {
      // A value that could be in a file of its own is kept small enough for the store.
      let huge = huge(leaf, count: leaf.attribute.allowsExternalStorage ? 100_000 : 300_000)
      if leaf.accepts(huge) {
        largest.insert(type)
        return huge
      }
    }
    let values = leaf.edgeValues(&random).filter(leaf.accepts)
    guard !values.isEmpty else { return nil }
    guard !leaf.isUnique || turn < values.count else { return nil }
    return values[turn % values.count]
  }

  private func huge(_ leaf: SampleLeaf, count: Int) -> StoredValue {
    leaf.attribute.type == .string
      ? .text(longText(count)) : leaf.attribute.stored((0..<count).map { UInt8(truncatingIfNeeded: $0) })
  }

  // MARK: Plausible values

  /// A value as an app might have it. Later rounds try what the rules themselves name.
  private mutating func plausible(_ leaf: SampleLeaf, number: Int, round: Int) -> StoredValue {
    let attribute = leaf.attribute
    switch attribute.type {
    case .integer16: return whole(leaf, number: number, round: round, type: Int64(Int16.min)...Int64(Int16.max))
    case .integer32: return whole(leaf, number: number, round: round, type: Int64(Int32.min)...Int64(Int32.max))
    case .integer64: return whole(leaf, number: number, round: round, type: .min ... .max)
    case .boolean: return .integer(Int64(leaf.isUnique || round > 0 ? (number + round) % 2 : random.below(2)))
    case .decimal:
      let value = real(leaf, number: number, round: round, parts: 100)
      return Int64(exactly: value).map(StoredValue.integer) ?? .real(value)
    case .double: return .real(real(leaf, number: number, round: round, parts: 1000))
    case .float: return .real(Double(Float(real(leaf, number: number, round: round, parts: 8))))
    case .date: return .date(date(leaf, number: number, round: round))
    case .string: return .text(text(leaf, number: number, round: round))
    case .uri: return .text("https://example.com/\(leaf.name)/\(number + 1)")
    case .uuid: return .blob(random.uuid())
    case .binary: return attribute.stored(random.bytes(8 + random.below(57)))
    case .transformable: return attribute.stored(archivedSample(for: attribute, number))
    case .undefined, .objectID, .composite, .unknown: return .null
    }
  }

  private mutating func whole(
    _ leaf: SampleLeaf, number: Int, round: Int, type: ClosedRange<Int64>
  ) -> StoredValue {
    if round > 0, let constant = leaf.rules.constant(round - 1), case .integer(let value) = constant {
      return .integer(value)
    }
    let range = leaf.rules.integers.clamped(to: type)
    let width = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    let most = width.overflow ? Int64.max : width.partialValue
    let offset = Int64(leaf.isUnique ? number : random.below(1000))
    // From 0 on, or from the smallest value that is allowed.
    let start = range.contains(0) ? 0 : range.lowerBound
    let room = range.upperBound.subtractingReportingOverflow(start)
    if room.overflow || offset <= room.partialValue { return .integer(start + offset) }
    return .integer(range.lowerBound + (most == .max ? offset : offset % (most + 1)))
  }

  private mutating func real(_ leaf: SampleLeaf, number: Int, round: Int, parts: Int) -> Double {
    if round > 0, let constant = leaf.rules.constant(round - 1) {
      switch constant {
      case .integer(let value): return Double(value)
      case .real(let value): return value
      default: break
      }
    }
    let offset =
      leaf.isUnique ? Double(number) + 0.5 : Double(random.below(100_000)) / Double(parts)
    return leaf.rules.reals.place(offset, from: 0)
  }

  private mutating func date(_ leaf: SampleLeaf, number: Int, round: Int) -> Double {
    if round > 0, let constant = leaf.rules.constant(round - 1), case .date(let value) = constant { return value }
    // From 2020 on, at most three years in milliseconds.
    let offset =
      leaf.isUnique ? Double(number) * 3_600 : Double(random.below(94_608_000)) + Double(random.below(1_000)) / 1_000
    return leaf.rules.reals.place(offset, from: 599_616_000)
  }

  private mutating func text(_ leaf: SampleLeaf, number: Int, round: Int) -> String {
    if round > 0 || leaf.rules.hasPatterns {
      if round % 2 == 0, let text = leaf.rules.matchingText(choosing: { random.below($0) }) {
        return fitted(text, to: leaf.rules.lengths, number: number)
      }
      if round % 4 == 1, case .string(let text) = leaf.rules.constant(round / 4) { return text }
      if round % 4 == 3, let part = leaf.rules.part(round / 4) {
        return round < 32 ? part + " \(number + 1)" : "\(number + 1) " + part
      }
    }
    return fitted(plausibleText(leaf.name, number: number, random: &random), to: leaf.rules.lengths, number: number)
  }
}

extension ClosedRange<Double> {
  /// `start + offset` where that is in the range, or else a place in the range that depends on the offset.
  fileprivate func place(_ offset: Double, from start: Double) -> Double {
    let value = start + offset
    if contains(value) { return value }
    let width = upperBound - lowerBound
    guard width.isFinite, width > 0 else { return lowerBound.isFinite ? lowerBound : upperBound }
    let part = offset / (offset + 1_000)
    // Half of the bound's distance: whole numbers stay exact where the range is wide.
    let inside = lowerBound + (width * part).rounded(width > 10 ? .down : .toNearestOrEven)
    return contains(inside) ? inside : lowerBound + width / 2
  }
}
