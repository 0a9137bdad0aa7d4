import StoreDataModel
import StoreText

extension MigrationTests {
  /// Counts, the first values of each attribute when they are sorted, and the number of links.
  func swiftDataLines(_ entity: Entity, number: Int) -> [String] {
    guard let type = entity.className.flatMap(Self.typeName) else {
      return ["", "    // \(StageNames.comment(entity.name)): its class is not known"]
    }
    let objects = "objects\(number)"
    var lines = ["", equal("try store.count(\(type).self)", String(entity.objects.count))]
    var checks: [String] = []
    for (position, column) in entity.columns.prefix(Self.mostColumns).enumerated()
    where SwiftName.isIdentifier(column.name) {
      let values = entity.objects.map { $0.values.indices.contains(position) ? $0.values[position] : .unknown }
      if let line = check(values, column: column, expression: "\(objects).map { $0.\(SwiftName.escaped(column.name)) }")
      {
        checks.append(line)
      }
    }
    if !checks.isEmpty { lines.append("    let \(objects) = try store.all(\(type).self)") }
    return lines + checks
  }

  /// "SchemaV1.Note" with keywords in backticks; nil for what is no type in Swift.
  private static func typeName(_ path: String) -> String? {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map { String($0.replacing("`", with: "")) }
    return names.allSatisfy(SwiftName.isIdentifier) ? names.map(SwiftName.escaped).joined(separator: ".") : nil
  }

  private func check(_ values: [Value], column: Column, expression: String) -> String? {
    switch column.content {
    case .plain, .float:
      let texts = values.compactMap { text($0, isFloat: column.content == .float) }
      guard texts.count == values.count, !texts.isEmpty else { return nil }
      let first = texts.sorted().prefix(Self.shownObjects)
      guard first.allSatisfy({ $0.unicodeScalars.count <= Self.longestValue }) else { return nil }
      return equal("first(\(expression))", "[\(first.map(SwiftDataTypes.literal).joined(separator: ", "))]")
    case .date:
      let seconds = values.compactMap { value -> Double? in
        if case .date(let seconds) = value, seconds.isFinite { seconds } else { nil }
      }
      guard values.allSatisfy({ if case .date = $0 { true } else { $0 == .null } }), !seconds.isEmpty else {
        return nil
      }
      let first = seconds.sorted().prefix(Self.shownObjects).map { String($0) }
      return equal("first(dates: \(expression))", "[\(first.joined(separator: ", "))]")
    case .toOne, .toMany:
      let count = values.reduce(0) { sum, value in if case .links(let keys) = value { sum + keys.count } else { sum } }
      return equal("\(column.content == .toOne ? "linked" : "links")(\(expression))", String(count))
    case .other: return nil
    }
  }

  /// As Swift's interpolation writes it; nil for what tests do not ask for.
  private func text(_ value: Value, isFloat: Bool) -> String? {
    switch value {
    case .null: "nil"
    case .boolean(let value): String(value)
    case .integer(let value): isFloat ? "\(Float(value))" : String(value)
    case .real(let value): isFloat ? "\(Float(value))" : "\(value)"
    case .text(let text), .uuid(let text): text
    case .date, .uri, .data, .links, .unknown: nil
    }
  }

  static func swiftDataSupport(_ schema: String?, classes: [String], plan: String?) -> [String] {
    let types = classes.compactMap(typeName).map { "\($0).self" }.joined(separator: ", ")
    let all = schema.flatMap(typeName).map { "versionedSchema: \($0).self" } ?? "[\(types)]"
    let migration = plan.flatMap(typeName).map { " migrationPlan: \($0).self," } ?? ""
    return """
      /// A copy of a fixture, opened with the app's schema and plan.
      private final class MigratedStore {
        private let context: ModelContext
        private let container: ModelContainer
        private let folder: URL

        init(copyOf fixture: String) throws {
          folder = try folderWithCopy(of: fixture)
          let schema = Schema(\(all))
          let copy = ModelConfiguration(
            schema: schema, url: folder.appendingPathComponent("copy.store"), cloudKitDatabase: .none)
          container = try ModelContainer(for: schema,\(migration) configurations: [copy])
          context = ModelContext(container)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func count<T: PersistentModel>(_ type: T.Type) throws -> Int { try context.fetchCount(FetchDescriptor<T>()) }

        func all<T: PersistentModel>(_ type: T.Type) throws -> [T] { try context.fetch(FetchDescriptor<T>()) }
      }

      /// The first values as text, when they are sorted.
      private func first<T>(_ values: [T?]) -> [String] {
        Array(values.map { $0.map { "\\($0)" } ?? "nil" }.sorted().prefix(\(shownObjects)))
      }

      /// The first dates that are set, in seconds since 2001.
      private func first(dates: [Date?]) -> [Double] {
        Array(dates.compactMap { $0?.timeIntervalSinceReferenceDate }.sorted().prefix(\(shownObjects)))
      }

      /// How many objects are linked to one.
      private func linked<T>(_ objects: [T?]) -> Int { objects.filter { $0 != nil }.count }

      /// How many objects are linked to.
      private func links<T>(_ lists: [[T]?]) -> Int { lists.reduce(0) { $0 + ($1?.count ?? 0) } }
      """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
