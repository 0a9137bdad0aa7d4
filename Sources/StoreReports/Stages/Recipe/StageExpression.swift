import StoreDataModel
import StoreRepair
import StoreSQLite

/// A property or a value of before, in Swift.
struct StageOperand {
  /// The expression; its value is optional or not.
  var swift: String
  /// The attribute's type.
  var type: AttributeType
  /// Whether whole numbers are `Int64` and others `Double`, whatever the property's own type.
  var isWidened: Bool
}

/// Writes expressions of recipes as Swift.
struct StageExpression {
  var support: StageSupport
  /// Whether what was written can throw.
  var throwsErrors = false
  /// The paths of the expression, in their order.
  var operands: [StageOperand] = []

  init(_ support: StageSupport) { self.support = support }

  /// What the values of a step are in Swift; dates are seconds.
  enum Kind { case integer, real, text, truth, uuid, bytes }

  mutating func call(_ name: String, _ arguments: String..., throws: Bool = false) -> String {
    if `throws` { throwsErrors = true }
    return "\(support.call(name))(\(arguments.joined(separator: ", ")))"
  }

  // MARK: Kinds

  static func kind(_ type: ExpressionType) -> Kind? {
    switch type {
    case .null: nil
    case .integer: .integer
    case .real, .date: .real
    case .text: .text
    case .boolean: .truth
    case .uuid: .uuid
    case .bytes: .bytes
    }
  }

  private func kind(_ step: ExpressionStep) -> Kind? {
    switch step {
    case .constant(.null): nil
    case .constant(.integer): .integer
    case .constant(.real): .real
    case .constant(.text): .text
    case .constant(.blob): .bytes
    case .input(_, let type): Self.kind(type)
    case .real, .now: .real
    case .negate(let operand): kind(operand)
    case .arithmetic(_, let left, let right): kind(left) ?? kind(right)
    case .concatenate: .text
    case .compare, .isNull, .not, .all, .any: .truth
    case .choose(let choices, let otherwise):
      alternatives(choices.map(\.result) + [otherwise].compactMap(\.self))
    case .coalesce(let steps): alternatives(steps)
    case .madeUUID: .uuid
    case .call(let call, let steps):
      switch call {
      case .unix, .integerOfText, .integerOfReal, .length: .integer
      case .linear, .numberOfText, .round: .real
      case .absolute: steps.first.flatMap(kind)
      case .textOfNumber, .textOfBoolean, .textOfDate, .textOfUUID, .lower, .upper, .trim, .substring, .replace,
        .before, .after:
        .text
      case .uuidOfText: .uuid
      }
    }
  }

  /// A truth value among whole numbers is one of several constants.
  private func alternatives(_ steps: [ExpressionStep]) -> Kind? {
    let kinds = steps.compactMap(kind)
    return kinds.contains(.truth) ? .truth : kinds.contains(.real) ? .real : kinds.first
  }

  // MARK: Steps

  /// A step as an expression whose value is of this kind, or nil.
  mutating func swift(_ step: ExpressionStep, _ wanted: Kind) -> String {
    if let own = kind(step), own == .truth, wanted != .truth {
      let whole = call("whole", swift(step, .truth))
      return wanted == .real ? call("real", whole) : whole
    }
    switch step {
    case .constant(let value): return constant(value, wanted)
    case .input(let index, _):
      return operands.indices.contains(index) ? value(operands[index]) : "nil"
    case .real(let operand): return call("real", swift(operand, .integer))
    case .negate(let operand): return call("negate", swift(operand, wanted), throws: true)
    case .arithmetic(let arithmetic, let left, let right):
      return call(
        Self.name(arithmetic), swift(left, kind(left) ?? wanted), swift(right, kind(right) ?? wanted), throws: true)
    case .concatenate(let left, let right): return call("joined", swift(left, .text), swift(right, .text), throws: true)
    case .compare(let comparison, let left, let right):
      let kinds = (kind(left) ?? .integer, kind(right) ?? .integer)
      let isTruth = kinds.0 == .truth || kinds.1 == .truth
      let order = call("compare", swift(left, isTruth ? .truth : kinds.0), swift(right, isTruth ? .truth : kinds.1))
      let sign = comparison == .equal ? "==" : comparison.rawValue
      return "\(order).map { $0 \(sign) 0 }"
    case .isNull(let operand, let isNegated):
      return "((\(swift(operand, kind(operand) ?? .text))) as Any? \(isNegated ? "!=" : "==") nil)"
    case .not(let operand): return call("not", swift(operand, .truth))
    case .all(let left, let right): return call("both", swift(left, .truth), swift(right, .truth))
    case .any(let left, let right): return call("either", swift(left, .truth), swift(right, .truth))
    case .choose(let choices, let otherwise):
      let parts = choices.map { "(\(swift($0.condition, .truth))) == true ? \(swift($0.result, wanted)) : " }
      return "(\(parts.joined())\(otherwise.map { swift($0, wanted) } ?? Self.null(wanted)))"
    case .coalesce(let steps):
      let some = steps.filter { if case .constant(.null) = $0 { false } else { true } }
      guard !some.isEmpty else { return Self.null(wanted) }
      return "(\(some.map { swift($0, wanted) }.joined(separator: " ?? ")))"
    case .madeUUID: return "UUID?.some(UUID())"
    case .now: return "now"
    case .call(let function, let steps): return swift(function, steps, wanted)
    }
  }

  private mutating func swift(_ function: ExpressionCall, _ steps: [ExpressionStep], _ wanted: Kind) -> String {
    func step(_ index: Int) -> ExpressionStep { steps.indices.contains(index) ? steps[index] : .constant(.null) }
    switch function {
    case .unix: return call("unix", swift(step(0), .real), throws: true)
    case .linear(let factor, let offset):
      return call("linear", swift(step(0), .real), "times: \(factor)", "plus: \(offset)", throws: true)
    case .numberOfText: return call("number", swift(step(0), .text))
    case .integerOfText: return call("wholeNumber", swift(step(0), .text))
    case .integerOfReal: return call("truncated", swift(step(0), .real), throws: true)
    case .absolute: return call("absolute", swift(step(0), kind(step(0)) ?? wanted), throws: true)
    case .round: return call("rounded", swift(step(0), .real), steps.count > 1 ? swift(step(1), .integer) : "0")
    case .textOfNumber: return call("text", swift(step(0), kind(step(0)) ?? .integer))
    case .textOfBoolean: return call("text", swift(step(0), .truth))
    case .textOfDate: return call("isoDate", swift(step(0), .real))
    case .textOfUUID: return call("text", swift(step(0), .uuid))
    case .lower: return call("lower", swift(step(0), .text))
    case .upper: return call("upper", swift(step(0), .text))
    case .trim: return call("trim", swift(step(0), .text))
    case .length: return call("length", swift(step(0), .text))
    case .substring:
      let count = steps.count > 2 ? ", " + swift(step(2), .integer) : ""
      return call("substring", swift(step(0), .text), swift(step(1), .integer) + count)
    case .replace:
      return call("replace", swift(step(0), .text), swift(step(1), .text), swift(step(2), .text), throws: true)
    case .before: return call("part", swift(step(0), .text), "before: " + swift(step(1), .text))
    case .after: return call("part", swift(step(0), .text), "after: " + swift(step(1), .text))
    case .uuidOfText: return call("identifier", swift(step(0), .text))
    }
  }

  private static func null(_ kind: Kind) -> String {
    switch kind {
    case .integer: "Int64?.none"
    case .real: "Double?.none"
    case .text: "String?.none"
    case .truth: "Bool?.none"
    case .uuid: "UUID?.none"
    case .bytes: "Data?.none"
    }
  }

  private func constant(_ value: SQLiteValue, _ kind: Kind) -> String {
    switch value {
    case .integer(let number):
      kind == .truth ? "Bool?.some(\(number != 0))" : kind == .real ? "\(Double(number))" : "Int64?.some(\(number))"
    case .real(let number): "Double?.some(\(number))"
    case .text(let bytes): "String?.some(\(SwiftDataTypes.literal(String(decoding: bytes, as: UTF8.self))))"
    case .null, .blob: Self.null(kind)
    }
  }

  private static func name(_ arithmetic: ExpressionSyntax.Arithmetic) -> String {
    switch arithmetic {
    case .add: "add"
    case .subtract: "subtract"
    case .multiply: "multiply"
    case .divide: "divide"
    case .remainder: "remainder"
    }
  }

  // MARK: Values

  /// An operand as expressions see it: `Int64`, `Double` (of dates too), `String`, `Bool`, `UUID` or `Data`.
  mutating func value(_ operand: StageOperand) -> String {
    switch operand.type {
    case .integer16, .integer32, .integer64: operand.isWidened ? operand.swift : call("integer", operand.swift)
    case .double, .float: operand.isWidened ? operand.swift : call("real", operand.swift)
    case .decimal: call("real", operand.swift)
    case .date: call("seconds", operand.swift)
    case .uri: call("address", operand.swift)
    default: operand.swift
    }
  }

  /// A value of a kind as an attribute's type takes it.
  mutating func fitted(_ swift: String, _ kind: Kind, to type: AttributeType) -> String {
    switch type {
    case .integer16, .integer32, .integer64:
      let whole = kind == .truth ? call("whole", swift) : swift
      return call("fitted", whole + (support.isSwiftData ? "" : ", \(Self.integer(type)).self"), throws: true)
    case .boolean: return kind == .integer ? call("truth", swift, throws: true) : swift
    case .double: return kind == .integer ? call("real", swift) : swift
    case .float: return call("single", kind == .integer ? call("real", swift) : swift, throws: true)
    case .decimal: return call("decimal", kind == .integer ? call("real", swift) : swift)
    case .date: return call("date", swift)
    case .string: return call("plain", swift, throws: true)
    case .uri: return call("url", call("plain", swift, throws: true))
    default: return swift
    }
  }

  private static func integer(_ type: AttributeType) -> String {
    type == .integer16 ? "Int16" : type == .integer32 ? "Int32" : "Int64"
  }

  /// An operand as an attribute's type takes it; one of the same type as it is.
  mutating func fitted(_ operand: StageOperand, to type: AttributeType) -> String {
    let isNumber = [.integer16, .integer32, .integer64, .double, .float].contains(type)
    if operand.type == type, !isNumber { return operand.swift }
    let kind = ExpressionType(operand.type).flatMap(Self.kind) ?? .text
    return fitted(value(operand), kind, to: type)
  }

  /// A stored value as a literal of an attribute's type.
  func literal(_ value: SQLiteValue, _ type: AttributeType) -> String? {
    switch (type, value) {
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)), (.integer64, .integer(let number)):
      support.isSwiftData ? String(number) : "\(Self.integer(type))(\(number))"
    case (.boolean, .integer(let number)): String(number != 0)
    case (.double, .real(let number)): String(number)
    case (.float, .real(let number)): "Float(\(number))"
    case (.decimal, .integer(let number)): "Decimal(\(number))"
    case (.decimal, .real(let number)): "Decimal(string: \"\(number)\")"
    case (.date, .integer(let number)): "Date(timeIntervalSinceReferenceDate: \(number))"
    case (.date, .real(let number)): "Date(timeIntervalSinceReferenceDate: \(number))"
    case (.string, .text(let bytes)): SwiftDataTypes.literal(String(decoding: bytes, as: UTF8.self))
    case (.uri, .text(let bytes)): "URL(string: \(SwiftDataTypes.literal(String(decoding: bytes, as: UTF8.self))))"
    case (.uuid, .blob(let bytes)) where bytes.count == 16:
      "UUID(uuid: (\(bytes.map(String.init).joined(separator: ", "))))"
    case (.binary, .blob(let bytes)): "Data([\(bytes.map(String.init).joined(separator: ", "))] as [UInt8])"
    default: nil
    }
  }
}
