import StorePropertyLists

extension ModelArchiveReader {
  private static var maximumDepth: Int { 64 }

  /// A predicate of a class found in real archives; for an unknown class only its name is kept.
  mutating func predicate(
    _ object: KeyedArchive.Object, at place: String, depth: Int
  ) throws(ModelArchiveError) -> Predicate {
    try enter(place, depth: depth)
    switch object.className {
    case "NSComparisonPredicate": return .comparison(try comparison(object, at: place, depth: depth))
    case "NSCompoundPredicate":
      var parts: [Predicate] = []
      for part in try elements(object["NSSubpredicates"], at: place) {
        parts.append(try predicate(part, at: place, depth: depth + 1))
      }
      let kind = Predicate.Compound(rawValue: Int(object["NSCompoundPredicateType"]?.integer ?? 1)) ?? .and
      return .compound(kind, parts)
    case "NSTruePredicate": return .constant(true)
    case "NSFalsePredicate": return .constant(false)
    case let name: return .other(className: name ?? "unknown")
    }
  }

  private mutating func comparison(
    _ object: KeyedArchive.Object, at place: String, depth: Int
  ) throws(ModelArchiveError) -> Predicate.Comparison {
    guard let left = object["NSLeftExpression"], let right = object["NSRightExpression"],
      let archived = object["NSPredicateOperator"],
      let kind = Predicate.Operator(rawValue: Int(archived["NSOperatorType"]?.integer ?? -1))
    else { throw ModelArchiveError(place: place, message: "a comparison lacks a side or its operator") }
    return Predicate.Comparison(
      try expression(left, at: place, depth: depth + 1), kind, try expression(right, at: place, depth: depth + 1),
      modifier: Int(archived["NSModifier"]?.integer ?? 0),
      options: Int(archived["NSOptions"]?.integer ?? archived["NSFlags"]?.integer ?? 0))
  }

  /// An expression of a class found in real archives; for an unknown class only its name is kept.
  mutating func expression(
    _ object: KeyedArchive.Object, at place: String, depth: Int
  ) throws(ModelArchiveError) -> Expression {
    try enter(place, depth: depth)
    switch object.className {
    case "NSSelfExpression": return .evaluatedObject
    case "NSVariableExpression": return .variable(try requiredText(of: object, keys.variable, place: place))
    case "NSKeyPathSpecifierExpression": return .keyPath(try requiredText(of: object, keys.keyPath, place: place))
    case "NSConstantValueExpression": return .constant(try constant(object["NSConstantValue"], at: place, depth: depth))
    case "NSKeyPathExpression": return try keyPath(object, at: place, depth: depth)
    case "NSFunctionExpression": return try function(object, at: place, depth: depth)
    case "NSAggregateExpression":
      return .aggregate(try expressions(object["NSCollection"], at: place, depth: depth))
    case let name: return .other(className: name ?? "unknown")
    }
  }

  private mutating func expressions(
    _ list: KeyedArchive.Object?, at place: String, depth: Int
  ) throws(ModelArchiveError) -> [Expression] {
    var result: [Expression] = []
    for element in try elements(list, at: place) { result.append(try expression(element, at: place, depth: depth + 1)) }
    return result
  }

  /// `valueForKey:` or `valueForKeyPath:` called on an operand; its only argument is the path.
  private mutating func keyPath(
    _ object: KeyedArchive.Object, at place: String, depth: Int
  ) throws(ModelArchiveError) -> Expression {
    let arguments = try expressions(object["NSArguments"], at: place, depth: depth)
    guard let operand = object["NSOperand"], arguments.count == 1, case .keyPath(let path) = arguments[0] else {
      throw ModelArchiveError(place: place, message: "a key path expression without its path")
    }
    let base = try expression(operand, at: place, depth: depth + 1)
    return base == .evaluatedObject ? .keyPath(path) : .path(of: base, path)
  }

  private mutating func function(
    _ object: KeyedArchive.Object, at place: String, depth: Int
  ) throws(ModelArchiveError) -> Expression {
    let selector = try requiredText(of: object, keys.selectorName, place: place)
    let arguments = try expressions(object["NSArguments"], at: place, depth: depth)
    let operand = object["NSOperand"]
    // Built-in functions are called on the class `_NSPredicateUtilities`, which the format text omits.
    if try text(operand?["NSConstantValueClassName"], at: place) == "_NSPredicateUtilities" {
      return .function(selector, operand: nil, arguments)
    }
    guard let operand else { return .function(selector, operand: nil, arguments) }
    return .function(selector, operand: try expression(operand, at: place, depth: depth + 1), arguments)
  }

  private mutating func constant(
    _ object: KeyedArchive.Object?, at place: String, depth: Int
  ) throws(ModelArchiveError) -> Expression.Constant {
    try enter(place, depth: depth)
    guard let object else { return .null }
    if let text = try text(object, at: place) { return .string(text) }
    if let value = object.boolean { return .boolean(value) }
    if let value = object.integer { return .integer(value) }
    if let value = object.real { return .real(value) }
    if let value = object.date { return .date(value) }
    guard object.elements != nil else { return .object(className: object.className ?? "unknown") }
    var list: [Expression.Constant] = []
    for element in try elements(object, at: place) { list.append(try constant(element, at: place, depth: depth + 1)) }
    return .list(list)
  }

  private mutating func enter(_ place: String, depth: Int) throws(ModelArchiveError) {
    try spend(8, at: place)
    guard depth <= Self.maximumDepth else {
      throw ModelArchiveError(place: place, message: "predicates nest deeper than \(Self.maximumDepth) levels")
    }
  }
}
