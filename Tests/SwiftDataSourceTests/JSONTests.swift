import StoreSwiftDataSchemas
import Testing

@testable import SwiftDataSource

@Suite struct JSONTests {
  @Test func whatIsWrittenIsRead() throws {
    let source = """
      enum V1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 2, 0)
        static var models: [any PersistentModel.Type] { [A.self] + others }
        @Model class A { #Index<A>([\\.u]); var u: URL; var s: S?; var m: Money; @Relationship(deleteRule: .deny) var b: B? }
        @Model class B { var a: [A]; var text = "x" }
      }
      struct S: Codable { var x: Int }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static let first = MigrationStage.custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil) { _ in }
      }
      let c = try ModelContainer(for: B.self, migrationPlan: Plan.self)
      let d = try ModelContainer(for: unknown())
      @Model class Live { var i: Int; var broken: Int = ( }
      """
    let reading = SourceProject(texts: ["A.swift": source]).reading
    #expect(
      !reading.schemas.isEmpty && !reading.plans.isEmpty && !reading.containers.isEmpty && !reading.problems.isEmpty)
    #expect(try SourceReading(Array(reading.json.text.utf8)) == reading)
    #expect(pieces(of: reading) == reading.json.lineText)
  }

  @Test func theLineIsThatOfTheWhole() {
    let place = SourcePlace(file: "A.swift", line: 1, column: 1, offset: 0, length: 1)
    let schema = SourceSchema(name: "V1", place: place, origin: .versioned, identifier: .left, entities: [])
    for schemas in [[], [schema], [schema, schema]] {
      let reading = SourceReading(schemas: schemas, fileCount: 1, parsedFileCount: 1)
      #expect(pieces(of: reading) == reading.json.lineText)
    }
    #expect(!SourceReading(schemas: [schema], fileCount: 1, parsedFileCount: 1).writeLine { _ in false })
  }

  private func pieces(of reading: SourceReading) -> String {
    var line = ""
    _ = reading.writeLine { piece in
      line += piece
      return true
    }
    return line
  }

  @Test func anotherVersionOfTheFormIsRefused() throws {
    let text = #"{"schema": "storedoctor.swiftdata/2", "fileCount": 0, "parsedFileCount": 0}"#
    #expect(
      performing: { try SourceReading(Array(text.utf8)) },
      throws: { "\($0)".hasPrefix("schema: 'storedoctor.swiftdata/1' is expected") })
    #expect(try SourceReading(Array(text.replacing("data/2", with: "data/1").utf8)).fileCount == 0)
  }
}
