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

  /// The Swift types of the values of a step; dates are seconds.
  enum Kind { case integer, real, text, truth, uuid, bytes }

  mutating func call(_ name: String, arguments: String..., throws: Bool = false) -> String {
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
    if kinds.contains(.truth) { return .truth }
    if kinds.contains(.real) { return .real }
    return kinds.first
  }

  // MARK: Steps

  /// A step as an expression whose value is of this kind, or nil.
  mutating func swift(_ step: ExpressionStep, as wanted: Kind) -> String {
    if let own = kind(step), own == .truth, wanted != .truth {
      let whole = call("whole", arguments: swift(step, as: .truth))
      return wanted == .real ? call("real", arguments: whole) : whole
    }
    switch step {
    case .constant(let value): return constant(value, as: wanted)
    case .input(let index, _):
      return operands.indices.contains(index) ? value(operands[index]) : "nil"
    case .real(let operand): return call("real", arguments: swift(operand, as: .integer))
    case .negate(let operand): return call("negate", arguments: swift(operand, as: wanted), throws: true)
    case .arithmetic(let arithmetic, let left, let right):
      return call(
        Self.name(arithmetic), arguments: swift(left, as: kind(left) ?? wanted),
        swift(right, as: kind(right) ?? wanted), throws: true)
    case .concatenate(let left, let right):
      return call("joined", arguments: swift(left, as: .text), swift(right, as: .text), throws: true)
    case .compare(let comparison, let left, let right):
      let kinds = (kind(left) ?? .integer, kind(right) ?? .integer)
      let isTruth = kinds.0 == .truth || kinds.1 == .truth
      let order = call(
        "compare", arguments: swift(left, as: isTruth ? .truth : kinds.0), swift(right, as: isTruth ? .truth : kinds.1))
      let sign = comparison == .equal ? "==" : comparison.rawValue
      return "\(order).map { $0 \(sign) 0 }"
    case .isNull(let operand, let isNegated):
      return "((\(swift(operand, as: kind(operand) ?? .text))) as Any? \(isNegated ? "!=" : "==") nil)"
    case .not(let operand): return call("not", arguments: swift(operand, as: .truth))
    case .all(let left, let right): return call("both", arguments: swift(left, as: .truth), swift(right, as: .truth))
    case .any(let left, let right): return call("either", arguments: swift(left, as: .truth), swift(right, as: .truth))
    case .choose(let choices, let otherwise):
      let parts = choices.map { "(\(swift($0.condition, as: .truth))) == true ? \(swift($0.result, as: wanted)) : " }
      return "(\(parts.joined())\(otherwise.map { swift($0, as: wanted) } ?? Self.null(wanted)))"
    case .coalesce(let steps):
      let some = steps.filter { if case .constant(.null) = $0 { false } else { true } }
      guard !some.isEmpty else { return Self.null(wanted) }
      return "(\(some.map { swift($0, as: wanted) }.joined(separator: " ?? ")))"
    case .madeUUID: return "UUID?.some(UUID())"
    case .now: return "now"
    case .call(let function, let steps): return swift(function, steps: steps, as: wanted)
    }
  }

  private mutating func swift(_ function: ExpressionCall, steps: [ExpressionStep], as wanted: Kind) -> String {
    func step(_ index: Int) -> ExpressionStep { steps.indices.contains(index) ? steps[index] : .constant(.null) }
    switch function {
    case .unix: return call("unix", arguments: swift(step(0), as: .real), throws: true)
    case .linear(let factor, let offset):
      return call("linear", arguments: swift(step(0), as: .real), "times: \(factor)", "plus: \(offset)", throws: true)
    case .numberOfText: return call("number", arguments: swift(step(0), as: .text))
    case .integerOfText: return call("wholeNumber", arguments: swift(step(0), as: .text))
    case .integerOfReal: return call("truncated", arguments: swift(step(0), as: .real), throws: true)
    case .absolute: return call("absolute", arguments: swift(step(0), as: kind(step(0)) ?? wanted), throws: true)
    case .round:
      return call("rounded", arguments: swift(step(0), as: .real), steps.count > 1 ? swift(step(1), as: .integer) : "0")
    case .textOfNumber: return call("text", arguments: swift(step(0), as: kind(step(0)) ?? .integer))
    case .textOfBoolean: return call("text", arguments: swift(step(0), as: .truth))
    case .textOfDate: return call("isoDate", arguments: swift(step(0), as: .real))
    case .textOfUUID: return call("text", arguments: swift(step(0), as: .uuid))
    case .lower: return call("lower", arguments: swift(step(0), as: .text))
    case .upper: return call("upper", arguments: swift(step(0), as: .text))
    case .trim: return call("trim", arguments: swift(step(0), as: .text))
    case .length: return call("length", arguments: swift(step(0), as: .text))
    case .substring:
      let count = steps.count > 2 ? ", " + swift(step(2), as: .integer) : ""
      return call("substring", arguments: swift(step(0), as: .text), swift(step(1), as: .integer) + count)
    case .replace:
      return call(
        "replace", arguments: swift(step(0), as: .text), swift(step(1), as: .text), swift(step(2), as: .text),
        throws: true)
    case .before: return call("part", arguments: swift(step(0), as: .text), "before: " + swift(step(1), as: .text))
    case .after: return call("part", arguments: swift(step(0), as: .text), "after: " + swift(step(1), as: .text))
    case .uuidOfText: return call("identifier", arguments: swift(step(0), as: .text))
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

  private func constant(_ value: SQLiteValue, as kind: Kind) -> String {
    switch value {
    case .integer(let number):
      switch kind {
      case .truth: "Bool?.some(\(number != 0))"
      case .real: "\(Double(number))"
      default: "Int64?.some(\(number))"
      }
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
    case .integer16, .integer32, .integer64:
      operand.isWidened ? operand.swift : call("integer", arguments: operand.swift)
    case .double, .float: operand.isWidened ? operand.swift : call("real", arguments: operand.swift)
    case .decimal: call("real", arguments: operand.swift)
    case .date: call("seconds", arguments: operand.swift)
    case .uri: call("address", arguments: operand.swift)
    case .undefined, .string, .boolean, .binary, .uuid, .transformable, .objectID, .composite, .unknown: operand.swift
    }
  }

  /// A value of a kind as an attribute's type takes it.
  mutating func fitted(_ swift: String, kind: Kind, to type: AttributeType) -> String {
    switch type {
    case .integer16, .integer32, .integer64:
      let whole = kind == .truth ? call("whole", arguments: swift) : swift
      return call(
        "fitted", arguments: whole + (support.isSwiftData ? "" : ", \(Self.integer(type)).self"), throws: true)
    case .boolean: return kind == .integer ? call("truth", arguments: swift, throws: true) : swift
    case .double: return kind == .integer ? call("real", arguments: swift) : swift
    case .float:
      return call("single", arguments: kind == .integer ? call("real", arguments: swift) : swift, throws: true)
    case .decimal: return call("decimal", arguments: kind == .integer ? call("real", arguments: swift) : swift)
    case .date: return call("date", arguments: swift)
    case .string: return call("plain", arguments: swift, throws: true)
    case .uri: return call("url", arguments: call("plain", arguments: swift, throws: true))
    case .undefined, .binary, .uuid, .transformable, .objectID, .composite, .unknown: return swift
    }
  }

  private static func integer(_ type: AttributeType) -> String {
    if type == .integer16 {
      "Int16"
    } else if type == .integer32 {
      "Int32"
    } else {
      "Int64"
    }
  }

  /// An operand as an attribute's type takes it; one of the same type as it is.
  mutating func fitted(_ operand: StageOperand, to type: AttributeType) -> String {
    let isNumber = [.integer16, .integer32, .integer64, .double, .float].contains(type)
    if operand.type == type, !isNumber { return operand.swift }
    let kind = ExpressionType(operand.type).flatMap(Self.kind) ?? .text
    return fitted(value(operand), kind: kind, to: type)
  }

  /// A stored value as a literal of an attribute's type.
  func literal(_ value: SQLiteValue, as type: AttributeType) -> String? {
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
