/// A count, with the first few of the counted things as examples.
package struct ExampleTally {
  /// How many there are.
  package private(set) var count: Int64 = 0
  /// The first of them.
  package private(set) var examples: [Finding.Example] = []
  /// The most examples.
  package let limit: Int

  /// An empty tally that keeps at most `limit` examples.
  package init(limit: Int) { self.limit = limit }

  /// A tally of things counted elsewhere.
  package init(count: Int64, examples: [Finding.Example], limit: Int) {
    self.count = count
    self.examples = examples
    self.limit = limit
  }

  /// Counts a thing; the example is made only if it is one of the first.
  package mutating func add(_ example: @autoclosure () -> Finding.Example) {
    count += 1
    if examples.count < limit { examples.append(example()) }
  }

  /// Adds things that come after these.
  package mutating func add(_ later: ExampleTally) {
    count += later.count
    examples += later.examples.prefix(limit - examples.count)
  }
}
