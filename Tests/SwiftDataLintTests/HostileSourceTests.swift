import Foundation
import SwiftDataSource
import TestSupport
import Testing

@testable import SwiftDataLint

/// Sources made to crash the checks, or to make them hang.
@Suite struct HostileSourceTests {
  /// A plan with a stage, a container and an error handler, so that every reader of syntax has something to read.
  private static func app(_ code: String) -> String {
    """
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] { [
        .custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { c in
          for n in try c.fetch(FetchDescriptor<V1.Note>()) { n.text = ""; c.delete(n) }
          \(code)
        }, didMigrate: help)
      ] }
      static func help(_ c: ModelContext) { \(code) }
    }
    enum V1: VersionedSchema {
      static var models: [any PersistentModel.Type] { [Note.self] }
      @Model final class Note { var text = ""; var tags: [Tag] = [] }
      @Model final class Tag { @Relationship(inverse: \\Note.tags) var notes: [Note] = [] }
    }
    enum V2: VersionedSchema {
      static var models: [any PersistentModel.Type] { [Note.self] }
      @Model final class Note { var text = 1; var stars: Int; var made = \(code) }
    }
    func open() {
      do { c = try ModelContainer(for: V1.Note.self, migrationPlan: Plan.self) } catch { \(code); fatalError() }
      let p = #Predicate<V1.Note> { $0.text == \(code) }
    }
    """
  }

  @Test(arguments: [
    ("a", ".b", 300), ("", "(", 100), ("", "{ ", 100), ("a", "()", 100), ("a", " + 1", 200), ("", "try? ", 100),
    ("", "[", 300), ("", "if a {} else ", 50), ("a = ", "b = ", 100), ("a", "?.b", 200), ("", "for a in ", 100),
  ])
  func depthIsBounded(before: String, repeated: String, count: Int) {
    let text = Self.app(before + String(repeating: repeated, count: count))
    let (reading, _) = lint(SourceProject(texts: ["App.swift": text]))
    #expect(reading.fileCount == 1)
  }

  /// Each step of a chain of calls once searched for the beginning of the chain: half a minute for 2,000 steps, and half an
  /// hour for as many as here. The limit is for that.
  @Test(.timeLimit(.minutes(10)), arguments: [".b", ".b()"])
  func longChainsAreReadInTime(step: String) {
    let chain = "a" + String(repeating: step, count: 16_000)
    let source = """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self] }
        static var stages: [MigrationStage] {
          [.custom(fromVersion: V1.self, toVersion: V1.self, willMigrate: { a in \(chain) }, didMigrate: nil)]
        }
      }
      enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [] } }
      """
    let project = SourceProject(texts: ["Plan.swift": source])
    #expect(LintSubject(project).plans.first?.stages.count == 1)
  }

  /// Syntax trees take a hundred times the bytes of the code, so there is a limit, and code beyond it is reported.
  @Test func codeBehindTheLimitIsNamed() {
    let project = SourceProject(texts: ["App.swift": Self.app("c.save()")])
    let (stages, handlers) = (LintCheck.swallowedError, LintCheck.fatalContainer)
    let whole = LintSubject(project)
    #expect(stages.findings(in: whole).skipped.isEmpty && handlers.findings(in: whole).skipped.isEmpty)
    #expect(handlers.findings(in: whole).findings.count == 1)
    let subject = LintSubject(project, codeBytes: 20)
    #expect(stages.findings(in: subject).skipped.count == 2)
    #expect(stages.findings(in: subject).skipped.first?.reason.contains("have more than") ?? false)
    #expect(handlers.findings(in: subject).skipped.count == 1)
    #expect(handlers.findings(in: subject).findings.isEmpty)
  }

  @Test func injuredSourceIsReadToItsEnd() {
    let seed = seedOfRun("SwiftDataLintTests.HostileSourceTests")
    var generator = SeededGenerator(seed: seed)
    let whole = Array(Self.app("c.save(); kept += 1").utf8)
    let pieces = [
      "{", "}", "(", ")", "\"", "\\", "@Model ", "V1.", "#if A\n", "//", "$0", "\u{0}", "é", "inverse: \\A.b",
    ]
    for _ in 0..<40 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let offset = Int.random(in: 0..<bytes.count, using: &generator)
        if Bool.random(using: &generator) {
          bytes.removeSubrange(offset..<min(bytes.count, offset + Int.random(in: 1...30, using: &generator)))
        } else {
          bytes.insert(contentsOf: (pieces.randomElement(using: &generator) ?? "").utf8, at: offset)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      let (_, found) = lint(SourceProject(texts: ["App.swift": text]))
      for finding in found.findings {
        #expect(finding.place.offset + finding.place.length <= text.utf8.count, "seed \(seed)")
      }
    }
  }
}
