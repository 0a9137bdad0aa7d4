import StoreDataModel
import StoreReports
import StoreText
import StoreWords

extension MigrationTests {
  /// The tests as one file of Swift.
  package var swift: String {
    var lines = head
    let isCoreData = if case .coreData = opening { true } else { false }
    lines += ["", "import \(isCoreData ? "CoreData" : "Foundation")"]
    if !isCoreData { lines.append("import SwiftData") }
    lines += ["import \(style == .xctest ? "XCTest" : "Testing")", ""]
    lines.append(
      style == .xctest ? "final class MigrationTests: XCTestCase {" : "@Suite struct MigrationTests {")
    var names: Set<String> = []
    for (position, version) in versions.enumerated() {
      if position > 0 { lines.append("") }
      lines += test(of: version, named: name(of: version, &names))
    }
    lines += ["}", ""]
    switch opening {
    case .coreData(let bundle, let manager): lines += Self.coreDataSupport(bundle, manager: manager)
    case .swiftData(let schema, let classes, let plan):
      lines += Self.swiftDataSupport(schema, classes: classes, plan: plan)
    }
    lines += [""] + Self.fixtureSupport(fileExtension)
    return lines.joined(separator: "\n") + "\n"
  }

  private var head: [String] {
    var words = [
      "Made by storedoctor \(toolVersion) from \(model), whose current version is '\(current)'.", "",
      "Tests of this kind were type-checked against stand-ins, but never run where this was made: Apple's frameworks are",
      "not there. Whoever runs them tests storedoctor's verdicts, too: please report what is different.", "",
      "Put this file into a test target of the app, with the folder Fixtures as a folder of its resources.",
    ]
    if case .swiftData = opening {
      words.append("Needed below: '@testable import' of the module that has the app's classes.")
      words.append("Lines about properties that are private to their class do not compile; leave them out.")
    } else {
      words.append("The app is their host: its model is looked for in the main bundle.")
      if case .coreData(_, let manager?) = opening {
        words.append("Needed below: the app's \(manager)(), which makes its NSStagedMigrationManager.")
      }
    }
    return words.map { $0.isEmpty ? "//" : "// " + StageNames.comment($0) }
  }

  /// "fromNotes2", once.
  private func name(of version: Version, _ names: inout Set<String>) -> String {
    let type = SwiftName.type(from: version.name).replacing("`", with: "")
    let name = (style == .xctest ? "testFrom" : "from") + type
    let free = [name] + (2...(versions.count + 1)).map { "\(name)_\($0)" }
    let chosen = free.first { !names.contains($0) } ?? name
    names.insert(chosen)
    return chosen
  }

  private func test(of version: Version, named name: String) -> [String] {
    var title = SwiftDataTypes.literal("from \(version.name)")
    if let obstacle = version.obstacle {
      let reason = SwiftDataTypes.literal(obstacle)
      title += ", .disabled(\(reason))"
      return style == .xctest
        ? ["  func \(name)() throws {", "    throw XCTSkip(\(reason))", "  }"]
        : ["  @Test(\(title))", "  func \(name)() {}"]
    }
    guard let fixture = version.fixture else { return [] }
    var lines = style == .xctest ? [] : ["  @Test(\(title))"]
    lines.append("  func \(name)() throws {")
    lines.append("    let store = try MigratedStore(copyOf: \(SwiftDataTypes.literal(fixture)))")
    let isCoreData = if case .coreData = opening { true } else { false }
    if isCoreData, let uuid = version.uuid { lines.append(equal("store.identifier", SwiftDataTypes.literal(uuid))) }
    for (position, entity) in version.entities.prefix(Self.mostEntities).enumerated() {
      lines += isCoreData ? coreDataLines(entity, number: position + 1) : swiftDataLines(entity, number: position + 1)
    }
    if version.entities.count > Self.mostEntities {
      lines.append("    // and \(version.entities.count - Self.mostEntities) more entities")
    }
    return lines + ["    withExtendedLifetime(store) {}", "  }"]
  }

  /// The most entities that a test asks for.
  private static let mostEntities = 200
  /// The objects of each entity that are looked at one by one.
  static let shownObjects = 3
  /// The most properties of an entity that are.
  static let mostColumns = 60
  /// The most characters of a text, or bytes of other values, that are written out.
  static let longestValue = 200

  // MARK: Assertions

  func equal(_ left: String, _ right: String) -> String {
    style == .xctest ? "    XCTAssertEqual(\(left), \(right))" : "    #expect(\(left) == \(right))"
  }

  func isNil(_ value: String) -> String {
    style == .xctest ? "    XCTAssertNil(\(value))" : "    #expect(\(value) == nil)"
  }

  // MARK: Support

  private static func fixtureSupport(_ fileExtension: String) -> [String] {
    """
    /// A new folder with a copy of a fixture.
    private func folderWithCopy(of fixture: String) throws -> URL {
      let bundle = Bundle(for: BundleOfTests.self)  // in a Swift package: Bundle.module
      guard
        let original = bundle.url(forResource: fixture, withExtension: "\(fileExtension)", subdirectory: "Fixtures")
          ?? bundle.url(forResource: fixture, withExtension: "\(fileExtension)")
      else { throw Missing(name: "Fixtures/\\(fixture).\(fileExtension) in the bundle of the tests") }
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: original, to: folder.appendingPathComponent("copy.\(fileExtension)"))
      return folder
    }

    private final class BundleOfTests {}

    private struct Missing: Error {
      let name: String
    }
    """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
