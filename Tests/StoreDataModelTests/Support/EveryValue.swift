import StoreDataModel
import StoreGenerator

/// Every form of default, constant, expression and predicate, and everything that is not compared.
enum EveryValue {
  static let defaults: [DefaultValue] = [
    .boolean(false), .integer(.min), .real(0.1), .real(.infinity), .real(-.infinity), .string("a\u{0}\u{202E}"),
    .date(-0.5), .data([]), .data([0, 255]), .decimal("-12.5"), .uuid(Array(0..<16)), .uri("a:b"),
    .object(className: "C"), .unreadable("today"),
  ]

  static let constants: [Expression.Constant] = [
    .null, .boolean(true), .integer(.max), .real(1), .string(""), .date(0), .list([.null, .list([])]),
    .object(className: "C"),
  ]

  static let expressions: [Expression] =
    constants.map { .constant($0) } + [
      .evaluatedObject, .keyPath("a.b"), .path(of: .variable("X"), "b"), .function("now", operand: nil, []),
      .function("f:", operand: .evaluatedObject, [.keyPath("a")]), .aggregate([.evaluatedObject]), .text("a + b"),
      .other(className: "C"),
    ]

  static var predicates: [Predicate] {
    var all: [Predicate] = [
      .compound(.not, [.constant(true)]), .compound(.and, []), .compound(.or, [.text("x"), .other(className: "C")]),
    ]
    for expression in expressions {
      all.append(.comparison(.init(expression, .in, .evaluatedObject, modifier: 2, options: 3)))
    }
    for kind in Predicate.Operator.allCases {
      all.append(.comparison(.init(.evaluatedObject, kind, .evaluatedObject)))
    }
    return all
  }

  static func model() throws -> Model {
    var properties = defaults.enumerated().map { position, value in
      Property.attribute("d\(position)", .binary) { $0.defaultValue = value }
    }
    properties[0].sourceFields = ["syncable": "NO"]
    properties[1].userInfo = ["k": "v", "": ""]
    properties.append(
      .attribute("all", AttributeType(rawValue: -7)) {
        $0.validationPredicates = predicates
        $0.validationTexts = ValidationTexts(minimum: "", maximum: "9")
        $0.derivation = Derivation(expression: .evaluatedObject, filter: .constant(false))
        $0.elements = []
        $0.locationComponents = ["a", "b"]
      })
    var entity = Entity(
      name: "E", className: "", properties: properties, versionHashModifier: "", renamingIdentifier: "e")
    entity.indexes = [
      FetchIndex(
        name: "i", elements: [.init("e", expression: expressions[0], isAscending: false, kind: .rTree)],
        partialPredicate: predicates[0])
    ]
    entity.userInfo = ["k": "v"]
    entity.sourceFields = ["syncable": "YES"]
    var request = FetchRequest(name: "all", entityName: "E", predicate: predicates[1])
    request.sourceFields = ["elementID": "y"]
    return try Model(
      entities: [entity], configurations: ["C": ["E", "A"], "D": []], versionIdentifiers: ["", "2"],
      fetchRequests: [request])
  }
}
