import StoreDataModel
import StorePropertyLists

extension SampleModels {
  /// A shop: values of every kind that checks examine, required ones, rules, constraints, archives and external data.
  package static func shop() throws -> Model {
    try Model(
      entities: [
        Entity(
          name: "Item", isAbstract: true,
          properties: [
            .attribute("name", .string, optional: false),
            .attribute("sku", .string) { $0.validationPredicates = [.matches("[A-Z]{2}-\\d+")] },
          ],
          uniquenessConstraints: [["sku"]]),
        Entity(
          name: "Book", parent: "Item",
          properties: [
            .attribute("label", .string) { $0.validationPredicates = [.length(.lessThanOrEqual, 20)] },
            .attribute("pages", .integer16, optional: false) {
              $0.defaultValue = .integer(1)
              $0.validationPredicates = [
                .value(.greaterThanOrEqual, .integer(1)), .value(.lessThanOrEqual, .integer(9000)),
              ]
            },
          ]),
        Entity(
          name: "Game", parent: "Item",
          properties: [
            .attribute("isNew", .boolean, optional: false), .attribute("label", .string, optional: false),
            .attribute("players", .integer32),
          ]),
        Entity(
          name: "Sale",
          properties: [
            .attribute("amount", .double), .attribute("code", .uuid, optional: false),
            .attribute("number", .integer64),
            .attribute("options", .transformable) { $0.valueTransformerName = "NSSecureUnarchiveFromData" },
            .attribute("page", .uri), .attribute("price", .decimal), .attribute("rate", .float),
            .attribute("receipt", .binary) { $0.allowsExternalStorage = true },
            .toOne("shop", "Shop", inverse: "sales"),
            Property(
              name: "size",
              kind: .attribute(
                Attribute(
                  type: .composite,
                  elements: [.attribute("depth", .double), .attribute("width", .double, optional: false)]))),
            .attribute("soldAt", .date, optional: false) {
              $0.validationPredicates = [.value(.greaterThanOrEqual, .date(0))]
            },
          ],
          uniquenessConstraints: [["number", "shop"]]),
        Entity(
          name: "Shop",
          properties: [.attribute("name", .string, optional: false), .toMany("sales", "Sale", inverse: "shop")]),
      ],
      versionIdentifiers: ["1"])
  }
}

extension Predicate {
  /// `SELF >= 1`.
  fileprivate static func value(_ kind: Operator, _ constant: Expression.Constant) -> Self {
    .comparison(Comparison(.evaluatedObject, kind, .constant(constant)))
  }

  /// `length <= 20`.
  fileprivate static func length(_ kind: Operator, _ length: Int64) -> Self {
    .comparison(Comparison(.keyPath("length"), kind, .constant(.integer(length))))
  }

  /// `SELF MATCHES "[a-z]+"`.
  fileprivate static func matches(_ pattern: String) -> Self {
    .comparison(Comparison(.evaluatedObject, .matches, .constant(.string(pattern))))
  }
}

extension SampleStores {
  /// A shop store: 2 shops, 3 books, 3 games, 6 sales.
  package static func writeShop(to path: String) throws {
    let store = try StoreWriter(
      creating: path,
      StoreDescription(
        model: try SampleModels.shop(), framework: 1526, uuid: "5C0FFEE0-0000-4000-8000-000000005409",
        usesWAL: false))
    try fillShop(store, books: 3, games: 3, sales: 6)
    try store.finish()
  }

  /// Two shops, books with keys from 1, games with those after them, and sales with keys from 1, all of them in order.
  package static func fillShop(_ store: StoreWriter, books: Int, games: Int, sales: Int) throws {
    let shops = try ["Corner", "Station"].map { try store.insert("Shop", ["name": .text($0)]) }
    for number in 1...books {
      try store.insert(
        "Book",
        [
          "name": .text("Book \(number)"), "sku": .text("BK-\(number)"), "label": .text("Shelf \(number)"),
          "pages": .integer(Int64(number % 1000 + 1)),
        ])
    }
    for number in 1...games {
      try store.insert(
        "Game",
        [
          "name": .text("Game \(number)"), "sku": .text("GM-\(number)"), "isNew": .integer(Int64(number % 2)),
          "label": .text("A game that is called number \(number)"), "players": 4,
        ])
    }
    var builder = KeyedArchiveBuilder()
    let words = [builder.string("gift"), builder.string("fragile")]
    let list = builder.array(words)
    let options = builder.binary(root: list)
    for number in 1...sales {
      let sale = try store.insert(
        "Sale",
        [
          "amount": .real(Double(number) / 4), "code": .blob(Array(repeating: UInt8(number % 256), count: 16)),
          "number": .integer(Int64(number)), "options": .blob(options), "page": .text("https://example.org/\(number)"),
          "price": 9.5, "rate": 0.5, "receipt": .blob([1] + Array("%PDF-1.4".utf8)), "size.depth": 2.5,
          "size.width": 1.5, "soldAt": .date(700_000_000 + Double(number)),
        ])
      try store.link(sale, "shop", to: shops[number % 2])
    }
  }
}
