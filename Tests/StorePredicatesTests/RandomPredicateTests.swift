import Foundation
import StorePredicates
import TestSupport
import Testing

/// Random predicates over random objects, against answers computed beside the text: each part of a predicate is made
/// together with a closure that decides it with Foundation alone, and knows nothing of the code.
@Suite struct RandomPredicateTests {
  @Test func agreesWithAnEvaluatorOfItsOwn() throws {
    var random = SeededGenerator(seed: seedOfRun("RandomPredicateTests"))
    let objects = (0..<60).map { _ in RandomNotes.note(&random) }
    var matches = 0
    for _ in LongRuns.seeds(300, whole: 30_000) {
      let (text, holds) = RandomNotes.predicate(depth: Int.random(in: 0...3, using: &random), &random)
      let predicate = try Notebook.resolved(text)
      for object in objects {
        let match = predicate.match { object.value(at: predicate.paths[$0]) }
        #expect(match == (holds(object) ? .matches : .differs), "\(text) for \(object.shown)")
        if match == .matches { matches += 1 }
      }
    }
    #expect(matches > 1_000)
  }
}

/// Makes objects and predicates.
private enum RandomNotes {
  typealias Part = (text: String, holds: (Object) -> Bool)

  private static let words = [
    "", "a", "A", "é", "É", "e", "Crème brûlée", "creme", "BRULEE", "Straße", "abc", "abcabc", "Ab C", "b", "Łódź", "ł",
  ]

  // MARK: Objects

  static func note(_ random: inout SeededGenerator) -> Object {
    func maybe(_ value: PredicateValue) -> PredicateValue { Int.random(in: 0..<4, using: &random) == 0 ? .null : value }
    let note = Object(
      key: .random(in: 1...5, using: &random),
      [
        "title": maybe(.text(word(&random))), "body": maybe(.text(word(&random) + word(&random))),
        "count": maybe(.integer(.random(in: -3...5, using: &random))),
        "size": maybe(.real(Double(Int.random(in: -4...8, using: &random)) / 2)),
        "price": maybe(.decimal(["-0.5", "0", "1.10", "1.1", "2", "10"].randomElement(using: &random) ?? "0")),
        "isDone": maybe(.boolean(.random(using: &random))),
        "createdAt": maybe(.date(Double(Int.random(in: 0...3, using: &random)) * 86_400)),
        "address.city": maybe(.text(word(&random))),
      ])
    if Bool.random(using: &random) { note.toOnes["folder"] = folder(&random, depth: 2) }
    note.toManys["tags"] = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Object(
        key: .random(in: 1...5, using: &random),
        ["name": maybe(.text(word(&random))), "weight": maybe(.integer(.random(in: -2...4, using: &random)))])
    }
    return note
  }

  private static func folder(_ random: inout SeededGenerator, depth: Int) -> Object {
    let folder = Object(key: .random(in: 1...5, using: &random))
    if Bool.random(using: &random) { folder.values["name"] = .text(word(&random)) }
    if depth > 0, Bool.random(using: &random) { folder.toOnes["parent"] = self.folder(&random, depth: depth - 1) }
    return folder
  }

  private static func word(_ random: inout SeededGenerator) -> String { words.randomElement(using: &random) ?? "" }

  // MARK: Predicates

  static func predicate(depth: Int, _ random: inout SeededGenerator) -> Part {
    guard depth > 0 else { return comparison(&random) }
    let left = predicate(depth: depth - 1, &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      let not = ["NOT", "!", "not"].randomElement(using: &random) ?? "NOT"
      return ("\(not) (\(left.text))", { !left.holds($0) })
    case 1:
      let right = predicate(depth: depth - 1, &random)
      let and = ["AND", "&&", "and"].randomElement(using: &random) ?? "AND"
      return ("(\(left.text)) \(and) (\(right.text))", { left.holds($0) && right.holds($0) })
    default:
      let right = predicate(depth: depth - 1, &random)
      let or = ["OR", "||", "Or"].randomElement(using: &random) ?? "OR"
      return (
        "(\(left.text) \(or) \(right.text))".replacing("(NOT", with: "( NOT"), { left.holds($0) || right.holds($0) }
      )
    }
  }

  private static func comparison(_ random: inout SeededGenerator) -> Part {
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: return number(&random)
    case 2, 3: return text(&random)
    case 4: return ofTags(&random)
    case 5: return null(&random)
    case 6: return list(&random)
    default: return pattern(&random)
    }
  }

  private static func compare<Value: Comparable>(_ sign: String, _ left: Value?, _ right: Value) -> Bool {
    guard let left else { return sign == "!=" || sign == "<>" }
    return switch sign {
    case "=", "==": left == right
    case "!=", "<>": left != right
    case "<": left < right
    case "<=", "=<": left <= right
    case ">": left > right
    default: left >= right
    }
  }

  private static let signs = ["=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"]

  private static func number(_ random: inout SeededGenerator) -> Part {
    let paths = ["count", "size", "price", "tags.@count", "tags.@sum.weight", "tags.@max.weight", "createdAt"]
    let path = paths.randomElement(using: &random) ?? ""
    let sign = signs.randomElement(using: &random) ?? "=="
    if path == "createdAt" {
      let day = Int.random(in: 1...4, using: &random)
      return ("\(path) \(sign) '2001-01-0\(day)'", { compare(sign, $0.number(path), Double(day - 1) * 86_400) })
    }
    let value = ["-1", "0", "1", "1.1", "2.5", "0x3", "-0.50"].randomElement(using: &random) ?? "0"
    let number = value == "0x3" ? 3 : Double(value) ?? 0
    let isTurned = Bool.random(using: &random) && (sign == "==" || sign == "!=")
    return (
      isTurned ? "\(value) \(sign) \(path)" : "\(path) \(sign) \(value)", { compare(sign, $0.number(path), number) }
    )
  }

  private static func folded(_ text: String, _ options: String) -> String {
    var compared: String.CompareOptions = []
    if options.contains("c") { compared.insert(.caseInsensitive) }
    if options.contains("d") { compared.insert(.diacriticInsensitive) }
    return text.folding(options: compared, locale: nil)
  }

  private static func holds(_ word: String, _ text: String?, _ wanted: String, _ options: String) -> Bool {
    guard let text else { return word == "!=" }
    let (left, right) = (Array(folded(text, options).utf8), Array(folded(wanted, options).utf8))
    switch word {
    case "==": return left == right
    case "!=": return left != right
    case "BEGINSWITH": return left.starts(with: right)
    case "ENDSWITH": return left.reversed().starts(with: right.reversed())
    default: return (0...max(0, left.count - right.count)).contains { left[$0...].starts(with: right) }
    }
  }

  private static let textPaths = ["title", "body", "address.city", "folder.name", "folder.parent.name"]

  private static func text(_ random: inout SeededGenerator) -> Part {
    let path = textPaths.randomElement(using: &random) ?? ""
    let word = ["==", "!=", "BEGINSWITH", "ENDSWITH", "CONTAINS"].randomElement(using: &random) ?? ""
    let options = ["", "c", "d", "cd"].randomElement(using: &random) ?? ""
    let bracket = options.isEmpty ? "" : "[\(options)]"
    let wanted = self.word(&random)
    return ("\(path) \(word)\(bracket) '\(wanted)'", { holds(word, $0.text(path), wanted, options) })
  }

  private static func ofTags(_ random: inout SeededGenerator) -> Part {
    let quantifier = ["ANY", "SOME", "ALL", "NONE"].randomElement(using: &random) ?? ""
    func decide(_ object: Object, _ holds: (Object) -> Bool) -> Bool {
      let tags = object.toManys["tags", default: []]
      return switch quantifier {
      case "ALL": tags.allSatisfy(holds)
      case "NONE": !tags.contains(where: holds)
      default: tags.contains(where: holds)
      }
    }
    if Bool.random(using: &random) {
      let (sign, value) = (signs.randomElement(using: &random) ?? "==", Int.random(in: -2...4, using: &random))
      return (
        "\(quantifier) tags.weight \(sign) \(value)",
        { decide($0) { compare(sign, $0.number("weight"), Double(value)) } }
      )
    }
    let word = ["==", "!=", "CONTAINS"].randomElement(using: &random) ?? ""
    let wanted = self.word(&random)
    return (
      "\(quantifier) tags.name \(word)[cd] '\(wanted)'", { decide($0) { holds(word, $0.text("name"), wanted, "cd") } }
    )
  }

  private static func null(_ random: inout SeededGenerator) -> Part {
    let paths = textPaths + ["count", "folder", "folder.parent", "isDone"]
    let path = paths.randomElement(using: &random) ?? ""
    let isEqual = Bool.random(using: &random)
    return ("\(path) \(isEqual ? "==" : "!=") \(isEqual ? "NULL" : "nil")", { $0.isNull(path) == isEqual })
  }

  private static func list(_ random: inout SeededGenerator) -> Part {
    let numbers = (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: -3...5, using: &random) }
    if Bool.random(using: &random) {
      let list = numbers.map(String.init).joined(separator: ", ")
      return ("count IN {\(list)}", { $0.number("count").map { numbers.map(Double.init).contains($0) } ?? false })
    }
    let (low, high) = (Int.random(in: -3...2, using: &random), Int.random(in: -1...5, using: &random))
    return (
      "size BETWEEN {\(low), \(high)}", { $0.number("size").map { $0 >= Double(low) && $0 <= Double(high) } ?? false }
    )
  }

  /// Foundation's regular expressions are ICU's.
  private static func pattern(_ random: inout SeededGenerator) -> Part {
    let path = textPaths.randomElement(using: &random) ?? ""
    let ignoresCase = Bool.random(using: &random)
    let isLike = Bool.random(using: &random)
    let pattern =
      isLike
      ? ["*", "a*", "*c*", "?", "??", "*a?c*", "crÈme*", "[a]*", "a.c"].randomElement(using: &random) ?? ""
      : [
        "a.*", "(ab?c)+", "[a-cé]+", "\\w+ \\w+", "\\S*", "[^a]*|a", "x{0,2}a?b{1}?", "(?:a|ab)(?:c|bcabc)?",
        "\\p{Lu}.*",
        "stra.e", "\\bcr.*", "", "(a|b|é)*",
      ].randomElement(using: &random) ?? ""
    let expression =
      isLike
      ? pattern.map { $0 == "*" ? ".*" : $0 == "?" ? "." : NSRegularExpression.escapedPattern(for: String($0)) }
        .joined()
      : pattern
    let options: NSRegularExpression.Options = ignoresCase ? [.caseInsensitive] : []
    return (
      "\(path) \(isLike ? "LIKE" : "MATCHES")\(ignoresCase ? "[c]" : "") '\(pattern.replacing("\\", with: "\\\\"))'",
      { object in
        guard let text = object.text(path),
          let regex = try? NSRegularExpression(pattern: "^(?:\(expression))$", options: options)
        else { return false }
        let all = NSRange(location: 0, length: (text as NSString).length)
        return regex.firstMatch(in: text, range: all)?.range == all
      }
    )
  }
}

/// The test's own way to a value.
extension Object {
  fileprivate func end(_ path: String) -> (object: Object, name: String)? {
    var (object, names) = (self, path.split(separator: ".").map(String.init))
    while names.count > 1, names[0] == "folder" || names[0] == "parent" {
      guard let next = object.toOnes[names.removeFirst()] else { return nil }
      object = next
    }
    return (object, names.joined(separator: "."))
  }

  fileprivate func text(_ path: String) -> String? {
    guard let (object, name) = end(path), case .text(let text)? = object.values[name] else { return nil }
    return text
  }

  fileprivate func number(_ path: String) -> Double? {
    if path.hasPrefix("tags.@") {
      let weights = toManys["tags", default: []].compactMap { $0.number("weight") }
      switch path {
      case "tags.@count": return Double(toManys["tags", default: []].count)
      case "tags.@max.weight": return weights.max()
      default: return weights.reduce(0, +)
      }
    }
    switch values[path] {
    case .integer(let value)?: return Double(value)
    case .real(let value)?, .date(let value)?: return value
    case .decimal(let digits)?: return Double(digits)
    default: return nil
    }
  }

  fileprivate func isNull(_ path: String) -> Bool {
    guard let (object, name) = end(path) else { return true }
    return object.toOnes[name] == nil && object.values[name, default: .null] == .null
  }

  fileprivate var shown: String {
    "\(key) \(values) folder \(toOnes["folder"]?.values ?? [:]) tags \(toManys["tags", default: []].map(\.values))"
  }
}
