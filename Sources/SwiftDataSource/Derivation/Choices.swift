import StoreSwiftDataSchemas

/// How open rules are read in one derivation of an entity.
///
/// A rule is the framework's, so it is read in one way for all properties it touches: seven URLs make two variants. Where
/// a reading is about certain properties, they are the key's ``detail``.
struct ChoiceKey: Hashable, Comparable {
  var rule: OpenRule
  var detail = ""

  static func < (left: Self, right: Self) -> Bool { (left.rule, left.detail) < (right.rule, right.detail) }
}

/// The readings chosen, and those that were asked for and could have been others.
struct Choices {
  private let chosen: [ChoiceKey: Int]
  /// What each reading is called, by key.
  private(set) var met: [ChoiceKey: [String]] = [:]

  init(_ chosen: [ChoiceKey: Int] = [:]) { self.chosen = chosen }

  /// The reading of a rule; the first is the likeliest.
  mutating func pick<Option>(_ key: ChoiceKey, _ options: [(name: String, value: Option)]) -> Option? {
    met[key] = options.map(\.name)
    let position = chosen[key] ?? 0
    return options.indices.contains(position) ? options[position].value : options.first?.value
  }

  /// All combinations of the readings met, the likeliest first; nil where there are more than the limit.
  static func combinations(of met: [ChoiceKey: [String]], limit: Int) -> [[ChoiceKey: Int]]? {
    var all: [[ChoiceKey: Int]] = [[:]]
    for (key, options) in met.sorted(by: { $0.key < $1.key }) {
      guard all.count * options.count <= limit else { return nil }
      all = options.indices.flatMap { position in
        all.map { chosen in
          var chosen = chosen
          chosen[key] = position
          return chosen
        }
      }
    }
    return all
  }
}

/// What is found out about an entity besides its properties.
struct EntityNotes {
  var choices = Choices()
  var unmeasured: Set<UnmeasuredRule> = []
  var reasons: [SourceEntity.Reason] = []
}
