/// Infers omitted types from initial values, as far as that works without a type checker.
extension NameTable {
  private static let integers: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
  ]
  private static let numbers = integers.union(["Double", "Float", "Decimal", "CGFloat"])
    .union(ScalarType.namesOfDouble)
  /// Members that are constants of their own type.
  private static let constants: Set<String> = [
    "zero", "max", "min", "pi", "infinity", "nan", "now", "distantPast", "distantFuture", "greatestFiniteMagnitude",
  ]

  /// Nil where only a compiler could tell.
  func inferredType(of value: SourceExpression, in scope: Scope, depth: Int = 0) -> ResolvedType? {
    guard depth < 8 else { return nil }
    switch value.kind {
    case .integer: return .foreign("Int")
    case .real: return .foreign("Double")
    case .string: return .foreign("String")
    case .boolean: return .foreign("Bool")
    case .call(let callee, let arguments): return created(callee, arguments: arguments, in: scope)
    case .member(let base?, let component):
      return constant(component.name, of: base, in: scope, depth: depth + 1)
        ?? part(component.name, of: inferredType(of: base, in: scope, depth: depth + 1), in: scope)
    case .cast(_, let type): return resolve(type, in: scope)
    case .array(let elements): return common(elements, in: scope, depth: depth + 1).map { .array($0) }
    case .dictionary(let pairs):
      guard let key = common(pairs.map(\.key), in: scope, depth: depth + 1),
        let value = common(pairs.map(\.value), in: scope, depth: depth + 1)
      else { return nil }
      return .dictionary(key, value)
    case .forced(let inner):
      // `UUID(uuidString: "…")!`: an initialiser that can fail gives an optional of its type, and one that cannot takes
      // no `!`.
      guard case .call(let callee, _) = inner.kind, case .foreign(let name)? = type(called: callee, in: scope),
        Self.numbers.contains(name) || ["UUID", "URL", "String", "Data", "Date"].contains(name)
      else { return nil }
      return .foreign(name)
    case .interpolation: return .foreign("String")
    case .sum(let operands): return combined(operands, ofNumbers: false, in: scope, depth: depth + 1)
    case .arithmetic(let operands): return combined(operands, ofNumbers: true, in: scope, depth: depth + 1)
    case .fallback(let operands): return fallback(operands, in: scope, depth: depth + 1)
    case .null, .name, .member, .keyPath, .type, .closure, .alternatives, .choice, .other: return nil
    }
  }

  /// The type of `60 * 60`, `1.5 + 2` and `"a" + "b"`: that of all operands, where a whole number in a literal takes the
  /// type of its neighbours.
  private func combined(
    _ operands: [SourceExpression], ofNumbers: Bool, in scope: Scope, depth: Int
  ) -> ResolvedType? {
    var types: Set<String> = []
    var literals: Set<String> = []
    for operand in operands {
      guard case .foreign(let name)? = inferredType(of: operand, in: scope, depth: depth) else { return nil }
      switch operand.kind {
      case .integer, .real: literals.insert(name)
      case .arithmetic, .sum: return nil
      default: types.insert(name)
      }
    }
    guard types.count <= 1 else { return nil }
    let literal = literals.contains("Double") ? "Double" : literals.first
    guard let name = types.first ?? literal else { return nil }
    if Self.numbers.contains(name) {
      // `Int` beside `1.5` does not compile, and what an operator of one's own would make is not known.
      return literals.contains("Double") && Self.integers.contains(name) ? nil : .foreign(name)
    }
    return name == "String" && !ofNumbers && literals.isEmpty ? .foreign(name) : nil
  }

  /// The type of `URL(string: "...") ?? other`: what the optionals wrap, if the last is none.
  private func fallback(_ operands: [SourceExpression], in scope: Scope, depth: Int) -> ResolvedType? {
    guard let last = operands.last, let first = operands.first,
      case .optional(.foreign(let name))? = inferredType(of: first, in: scope, depth: depth)
    else { return nil }
    switch last.kind {
    case .integer where Self.numbers.contains(name): return .foreign(name)
    case .real where Self.numbers.contains(name) && !Self.integers.contains(name): return .foreign(name)
    case .string where name == "String": return .foreign(name)
    default:
      guard case .foreign(name)? = inferredType(of: last, in: scope, depth: depth) else { return nil }
      return .foreign(name)
    }
  }

  /// The type of all elements.
  private func common(_ elements: [SourceExpression], in scope: Scope, depth: Int) -> ResolvedType? {
    guard let first = elements.first, case .foreign(let name)? = inferredType(of: first, in: scope, depth: depth) else {
      return nil
    }
    let areAlike = elements.dropFirst().allSatisfy {
      if case .foreign(name)? = inferredType(of: $0, in: scope, depth: depth) { true } else { false }
    }
    return areAlike ? .foreign(name) : nil
  }

  /// The type called by `Tags()`, `Tags.init()` and `[String]()`.
  private func type(called callee: SourceExpression, in scope: Scope) -> ResolvedType? {
    var callee = callee
    if case .member(let base?, let component) = callee.kind, component.name == "init" { callee = base }
    return callee.typeName.map { resolve($0, in: scope) }
  }

  private func created(
    _ callee: SourceExpression, arguments: [SourceArgument], in scope: Scope
  ) -> ResolvedType? {
    guard let type = type(called: callee, in: scope) else { return nil }
    switch type {
    case .array, .set, .dictionary: return type
    case .declared(let id):
      let kind = self[id].kind
      let canFail = self[id].parts.contains { part in
        part.declaration.members.functions.contains { $0.name == "init?" }
      }
      return (kind == .struct || kind == .class) && !canFail ? type : nil
    case .foreign(let name):
      if Self.cannotFail(name, arguments: arguments) { return type }
      return Self.canFail(name, arguments: arguments) ? .optional(type) : nil
    case .optional, .failed: return nil
    }
  }

  /// Whether an initialiser of a known type returns an optional: `Decimal(string: "0.1")`, `URL(string: "...")`,
  /// `UUID(uuidString: "...")`, `Int("5")`.
  private static func canFail(_ name: String, arguments: [SourceArgument]) -> Bool {
    guard let first = arguments.first else { return false }
    switch (name, first.label) {
    case ("Decimal", "string"), ("URL", "string"), ("UUID", "uuidString"), ("Data", "base64Encoded"): return true
    case (_, nil):
      return arguments.count == 1 && first.value.stringValue != nil && name != "Decimal" && name != "CGFloat"
        && (numbers.contains(name) || name == "Bool")
    default: return false
    }
  }

  /// Whether an initialiser of a known type returns no optional.
  private static func cannotFail(_ name: String, arguments: [SourceArgument]) -> Bool {
    let label = arguments.first?.label
    let isLiteral =
      switch arguments.first?.value.kind {
      case .integer, .real, .string, .boolean: arguments.count == 1 && label == nil
      default: false
      }
    switch name {
    case "UUID": return arguments.isEmpty
    case "URL": return label.map { ["fileURLWithPath", "filePath"].contains($0) } ?? false
    case "Date": return arguments.isEmpty || label?.hasPrefix("timeInterval") ?? false
    case "Data": return arguments.isEmpty || label == "count" || label == "repeating"
    case "String": return arguments.isEmpty || isLiteral || label == "localized" || label == "describing"
    default:
      guard numbers.contains(name) || name == "Bool" else { return false }
      // `Int("5")` may fail.
      return arguments.isEmpty || (isLiteral && arguments.first?.value.stringValue == nil)
    }
  }

  /// The type of `UUID().uuidString`, `Date.now.timeIntervalSince1970`, `Kind.work.rawValue`.
  private func part(_ name: String, of whole: ResolvedType?, in scope: Scope) -> ResolvedType? {
    switch (whole, name) {
    case (.foreign("UUID"), "uuidString"): .foreign("String")
    case (.foreign("Date"), "timeIntervalSince1970"), (.foreign("Date"), "timeIntervalSinceReferenceDate"):
      .foreign("Double")
    case (.declared(let id), "rawValue"): rawType(of: id).map { .foreign($0) }
    default: nil
    }
  }

  private func constant(_ name: String, of base: SourceExpression, in scope: Scope, depth: Int) -> ResolvedType? {
    guard let typeName = base.typeName else { return nil }
    switch resolve(typeName, in: scope) {
    case .foreign(let type):
      let isKnown = Self.numbers.contains(type) || type == "Date"
      return isKnown && Self.constants.contains(name) ? .foreign(type) : nil
    case .declared(let id):
      let type = self[id]
      let cases = type.parts.flatMap(\.declaration.members.cases)
      if cases.contains(where: { $0.name == name && !$0.hasPayload }) { return .declared(id) }
      guard let (file, variable) = type.staticVariable(name) else { return nil }
      let scope = Scope(file: file, type: id)
      if let written = variable.type { return resolve(written, in: scope) }
      return variable.initialValue.flatMap { inferredType(of: $0, in: scope, depth: depth) }
    case .array, .set, .dictionary, .optional, .failed: return nil
    }
  }
}
