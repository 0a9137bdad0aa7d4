import Testing

@testable import SwiftDataSource

@Suite struct DeclarationTests {
  private func file(_ text: String, defines: [String] = []) -> SourceFile {
    SourceFile(path: "Note.swift", bytes: Array(text.utf8), defines: BuildDefines(defines))
  }

  @Test func readsAClassWithPlaces() throws {
    let file = file(
      """
      import SwiftData
      extension SchemaV1 {
        @Model final class `Note`: Base {
          #Unique<Note>([\\.title, \\.date])
          @Attribute(.unique, originalName: "name") var title: String = "ä"
          var a, b: Int, c = 2, (d, e) = (1, 2)
          let tags: [String: Tag]?
          var short: String { get { title } set { } }
          var seen: SchemaV2.Kind! { didSet { } }
          static var shared: Note { .init() }
        }
      }
      """)
    let outer = try #require(file.declarations.types.first)
    #expect(outer.kind == .extension)
    #expect(outer.name == ["SchemaV1"])
    let note = try #require(outer.members.types.first)
    #expect(note.name == ["Note"])
    #expect(note.attributes.map(\.name) == ["Model"])
    #expect(note.inherited == [.path(["Base"])])
    #expect(file.place(note.nameSpan).description == "Note.swift:3:22")
    let variables = note.members.variables
    #expect(variables.map(\.name) == ["title", "a", "b", "c", "", "tags", "short", "seen", "shared"])
    #expect(
      variables.map { $0.type?.description } == [
        "String", "Int", "Int", nil, nil, "[String: Tag]?", "String", "SchemaV2.Kind?", "Note",
      ])
    #expect(
      variables.map(\.storage) == [
        .stored, .stored, .stored, .stored, .stored, .stored, .computed, .observed, .computed,
      ])
    #expect(variables[0].attributes[0].arguments[0].value.memberName == "unique")
    #expect(variables[0].attributes[0].arguments[1].value.stringValue == "name")
    #expect(variables[0].initialValue?.stringValue == "ä")
    #expect(file.place(variables[0].nameSpan).column == 51)
    let unique = try #require(note.members.macros.first)
    #expect(unique.name == "Unique")
    guard case .array(let paths) = unique.arguments[0].value.kind, case .keyPath(nil, let first) = paths[0].kind else {
      Issue.record("no key paths")
      return
    }
    #expect(first == ["title"])
  }

  @Test func readsListsOfTypesAndStages() throws {
    let file = file(
      """
      enum Plan: SwiftData.SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { return [V1.self] + more }
        static let first = MigrationStage.custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil) { context in
          try context.save()
        }
      }
      """)
    let plan = try #require(file.declarations.types.first)
    #expect(plan.inherited.first?.lastName == "SchemaMigrationPlan")
    guard case .sum(let parts)? = plan.members.variables[0].value?.kind, case .array(let list) = parts[0].kind else {
      Issue.record("no sum")
      return
    }
    #expect(list[0].selfType == .path(["V1"]))
    let (callee, arguments) = try #require(plan.members.variables[1].value?.call)
    #expect(callee.pathNames == ["MigrationStage", "custom"])
    #expect(arguments.map(\.label) == ["fromVersion", "toVersion", "willMigrate", nil])
    guard case .closure = arguments[3].value.kind else {
      Issue.record("no closure")
      return
    }
    #expect(file.place(arguments[3].value.span).line == 3)
  }

  @Test(arguments: [
    ([], ["A", "B", "C"]), (["DEBUG"], ["A"]), (["DEBUG=false"], ["B", "C"]), (["DEBUG=false", "BETA"], ["B"]),
  ])
  func conditionsDecideWhatTheyCan(defines: [String], names: [String]) {
    let file = file(
      """
      #if canImport(SwiftData) && !os(Linux)
      #if DEBUG
      class A {}
      #elseif BETA
      class B {}
      #else
      class C {}
      #endif
      #else
      class D {}
      #endif
      """, defines: defines)
    let expected = defines == ["DEBUG=false"] ? ["B", "C"] : names
    #expect(file.declarations.types.map { $0.name[0] } == expected)
    #expect(file.declarations.types.contains { $0.condition == .always } == (names.count == 1))
  }

  @Test func findsContainersWhereverTheyStand() {
    let file = file(
      """
      struct NotesApp: App {
        var body: some Scene {
          WindowGroup { ContentView() }.modelContainer(for: [Note.self])
        }
        func make() throws {
          let schema = Schema([Note.self], version: Schema.Version(2, 0, 0))
          _ = try SwiftData.ModelContainer(for: schema, migrationPlan: Plan.self)
        }
      }
      """)
    #expect(file.calls.map(\.kind) == [.modifier, .schema, .container])
    #expect(file.calls.map { file.place($0.span).line } == [3, 6, 7])
    #expect(file.localValues.keys.sorted() == ["body", "schema"])
  }

  @Test func wordsSayWhatAFileMayDeclare() {
    let words = SourceWords(
      Array("import Foundation\nenum  Mood: String {}\npublic struct `Größe` {}\n// @Modelled".utf8))
    #expect(words.declaredNames == ["Mood", "Größe"])
    #expect(!words.usesSwiftData)
    let extensions = "extension Mood { }\nextension V1.Place: Codable { }\nextension\n`Tag` : A where B == C { }"
    #expect(SourceWords(Array(extensions.utf8)).declaredNames == ["Place", "Tag"])
    #expect(SourceWords(Array("@SwiftData.Model class A {}".utf8)).usesSwiftData)
    #expect(SourceWords(Array("let s = Schema([A.self])".utf8)).usesSwiftData)
  }
}
