import StoreCoreData
import StoreDataModel
import StoreScanning
import StoreSQLite

/// An attribute, what becomes of its values, and what was seen of them.
final class AttributeUse {
  let name: String
  let decision: AnonymizingPolicy.Decision?
  let attribute: Attribute
  /// What the model allows; nil where it has no rules.
  let rules: AttributeRules?
  /// Values that the model itself names: defaults, constants in rules, cases of an enum.
  let named: Set<SQLiteValue>

  /// Texts that the model's rules look for in values.
  let parts: [String]

  private(set) var values: Int64 = 0
  private var integers: Set<Int64> = []
  private var seen: Set<SQLiteValue> = []
  private var isLarge = false
  /// Values that are NULL or kept for being named in the model.
  private(set) var namedValues: Int64 = 0

  /// The most different whole numbers that are codes, and how often each has to occur on average.
  private static let mostCodes = 16
  private static let occurrencesOfCode: Int64 = 8

  init(_ place: AttributePlace, _ attribute: Attribute, policy: AnonymizingPolicy, entities: [String]) {
    name = place.description
    self.attribute = attribute
    rules = attribute.validationPredicates.isEmpty ? nil : AttributeRules(attribute)
    let words = ([place.property.name] + place.path).joined(separator: ".")
    // The attribute itself comes before its entity, and that before the entities that inherit it.
    decision =
      entities.lazy.compactMap { policy.decisions["\($0).\(words)"] }.first
      ?? entities.lazy.compactMap { policy.decisions[$0] }.first
    var named: Set<SQLiteValue> = []
    switch attribute.defaultValue {
    case .boolean(let value): named.insert(.integer(value ? 1 : 0))
    case .integer(let value): named.insert(.integer(value))
    case .real(let value): named.insert(.real(value))
    case .string(let text), .uri(let text): named.insert(.text(text))
    case .data(let bytes): named.insert(.blob(bytes))
    default: break
    }
    if let rules {
      var turn = 0
      while turn < 1000, let constant = rules.constant(turn) {
        switch constant {
        case .string(let text): named.insert(.text(text))
        case .integer(let value): named.insert(.integer(value))
        default: break
        }
        turn += 1
      }
    }
    // An enum without raw values has a column for each case, with the case's name in it.
    if let leaf = place.path.last, attribute.type == .string { named.insert(.text(leaf)) }
    self.named = named
    var parts: [String] = []
    while let rules, parts.count < 100, let part = rules.part(parts.count), !parts.contains(part) { parts.append(part) }
    self.parts = parts
  }

  var isDate: Bool { attribute.type == .date }
  var isUUID: Bool { attribute.type == .uuid }
  var isWhole: Bool { [.integer16, .integer32, .integer64].contains(attribute.type) }

  // MARK: Survey

  /// Takes the value in a column of the current row.
  func see(_ row: Statement, _ column: Int) {
    let kind = row.kind(column)
    guard kind != .null else { return }
    values += 1
    if !named.isEmpty, named.contains(row.value(column)) { namedValues += 1 }
    if decision == .keep {
      if seen.count <= 1000 { seen.insert(row.value(column)) }
    } else if isWhole || attribute.type == .boolean {
      guard kind == .integer else {
        isLarge = true
        return
      }
      let number = row.int64(column)
      if number.magnitude > 10_000 { isLarge = true }
      if integers.count <= Self.mostCodes { integers.insert(number) }
    }
  }

  /// Whether its whole numbers are codes: few, small, and each there often.
  private var hasCodes: Bool {
    !isLarge && !integers.isEmpty && integers.count <= Self.mostCodes
      && values >= Int64(integers.count) * Self.occurrencesOfCode
  }

  /// Whether whole numbers stay.
  private(set) lazy var keepsIntegers = decision == nil && (attribute.type == .boolean || isWhole && hasCodes)

  /// What became of it.
  func summary(_ sizes: AnonymizingSizes) -> Anonymization.Attribute {
    let (decision, why): (AnonymizingPolicy.Decision, String) =
      switch self.decision {
      case .keep?: (.keep, "kept as asked for")
      case .drop?: (.drop, "dropped as asked for")
      case .replace?: (.replace, "replaced as asked for")
      case nil:
        if attribute.type == .boolean {
          (.keep, "true or false")
        } else if keepsIntegers {
          (.keep, "few different small numbers, which are taken for codes")
        } else {
          (.replace, Self.words(attribute.type, sizes))
        }
      }
    return .init(
      name: name, decision: decision, why: why, values: values,
      distinct: decision == .keep ? self.decision == .keep ? seen.count : integers.count : nil)
  }

  private static func words(_ type: AttributeType, _ sizes: AnonymizingSizes) -> String {
    let length = sizes == .rough ? "class of length" : "length"
    return switch type {
    case .integer16, .integer32, .integer64: "whole numbers, exchanged for others of the same sign and magnitude"
    case .decimal, .double, .float: "numbers, exchanged for others of the same sign and magnitude"
    case .date: "dates, all moved by the same number of days"
    case .string: "texts, replaced by others of the same \(length), script and case"
    case .uri: "URIs, replaced as texts are, alike everywhere"
    case .uuid: "UUIDs, replaced alike everywhere"
    case .binary: "bytes, replaced by others of the same \(length) and kind"
    case .transformable: "archives of the same classes with other contents, else bytes of the same \(length)"
    default: "it is not known what it holds"
    }
  }
}
