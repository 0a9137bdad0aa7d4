import StoreSwiftDataSchemas

/// An undecided rule, as a key for the alternative that one derivation of an entity assumes.
///
/// Each rule is the framework's, so one alternative holds for all properties concerned: an entity with seven URLs has
/// two variants. Where an alternative is about certain properties, ``detail`` names them.
struct ChoiceKey: Hashable, Comparable {
  var rule: OpenRule
  var detail = ""

  static func < (left: Self, right: Self) -> Bool { (left.rule, left.detail) < (right.rule, right.detail) }
}

/// The alternatives assumed for undecided rules, and the rules that mattered.
struct Choices {
  private let chosen: [ChoiceKey: Int]
  /// The names of each rule's alternatives, for the rules that mattered.
  private(set) var met: [ChoiceKey: [String]] = [:]
  /// The properties for which each rule mattered.
  private(set) var properties: [OpenRule: Set<String>] = [:]
  /// The property that is being read.
  var property: String?

  init(_ chosen: [ChoiceKey: Int] = [:]) { self.chosen = chosen }

  /// The alternative assumed for a rule; the first, which is the likeliest, unless another was chosen.
  mutating func pick<Option>(_ key: ChoiceKey, from options: [(name: String, value: Option)]) -> Option? {
    met[key] = options.map(\.name)
    if let property { properties[key.rule, default: []].insert(property) }
    let position = chosen[key] ?? 0
    return options.indices.contains(position) ? options[position].value : options.first?.value
  }

  /// All combinations of alternatives, the likeliest first; nil where there are more than the limit.
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

/// Notes on an entity besides its properties.
struct EntityNotes {
  var choices = Choices()
  var unmeasured: Set<UnmeasuredRule> = []
  /// What a property's type was taken for, in words.
  var assumed: Set<String> = []
  var reasons: [SourceEntity.Reason] = []
}
