import StoreSwiftCode
import TestSupport
import Testing

/// Tests for a device are Swift whatever the names and values in a model are.
@Suite struct MigrationTestsTests {
  private static let hostile = "\"\\(exit(1)) */\n}\u{2028}\0class"

  private func tests(_ style: MigrationTests.Style, _ opening: MigrationTests.Opening) -> MigrationTests {
    var tested = MigrationTests.Version(name: Self.hostile)
    (tested.fixture, tested.uuid) = (Self.hostile, Self.hostile)
    let values: [MigrationTests.Value] = [
      .null, .boolean(true), .integer(.min), .real(-1.5e300), .real(.infinity), .date(-0.5), .text(Self.hostile),
      .uri(Self.hostile), .uuid(Self.hostile), .data([0, 255]), .data(Array(repeating: 1, count: 1000)), .links([]),
      .links([1, 2]), .unknown,
    ]
    tested.entities = ["class", Self.hostile, "Plain"].map { name in
      MigrationTests.Entity(
        name: name, className: name,
        columns: values.indices.map { .init(name: $0 == 2 ? "in" : Self.hostile + "\($0)", content: .plain) },
        objects: [.init(entity: name, key: 7, values: values)])
    }
    var untested = MigrationTests.Version(name: Self.hostile)
    untested.obstacle = Self.hostile
    return MigrationTests(
      style: style, model: Self.hostile, current: Self.hostile, opening: opening, versions: [tested, untested])
  }

  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc"), arguments: MigrationTests.Style.allCases)
  func typeChecks(_ style: MigrationTests.Style) throws {
    let coreData = tests(style, .coreData(bundle: Self.hostile)).swift
    #expect(try MigrationStandIns.complaints(aboutCoreData: coreData) == "")
    let opening = MigrationTests.Opening.swiftData(
      schema: nil, classes: ["class", Self.hostile, "Plain"], plan: Self.hostile)
    let swiftData = tests(style, opening).swift
    let classes = "class `class` { var `in` = 1 }\nclass Plain { var `in`: Int? }"
    #expect(try MigrationStandIns.complaints(aboutSwiftData: [swiftData, classes]) == "")
    #expect(swiftData.contains("first(objects1.map { $0.`in` })") && swiftData.contains("[\"-9223372036854775808\"]"))
  }

  @Test func asksForTheFirstThreeObjectsOfTheirOwnEntity() {
    var version = MigrationTests.Version(name: "1")
    version.fixture = "1"
    version.entities = [
      MigrationTests.Entity(
        name: "Note", className: nil, columns: [.init(name: "title", content: .plain)],
        objects: [(1, "Task"), (2, "Note"), (3, "Note"), (4, "Note"), (5, "Note")].map { key, entity in
          .init(entity: entity, key: key, values: [.text("t\(key)")])
        })
    ]
    let text = MigrationTests(
      style: .swiftTesting, model: "M", current: "2", opening: .coreData(bundle: "M"), versions: [version]
    ).swift
    #expect(text.contains("#expect(try store.count(\"Note\") == 5)"))
    #expect([2, 3, 4].allSatisfy { text.contains("#expect(object1_\($0)[\"title\"] as? String == \"t\($0)\")") })
    #expect(!text.contains("object1_1") && !text.contains("object1_5"))
  }
}
