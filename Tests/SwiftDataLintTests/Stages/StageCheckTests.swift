import Testing

@testable import SwiftDataLint

/// SD921 to SD931.
@Suite struct StageCheckTests {
  /// Two versions with a custom stage between them, which begins in line 15.
  private func plan(_ stage: String, v1: String = "", v2: String = "", more: String = "") -> String {
    """
    enum V1: VersionedSchema {
      static var models: [any PersistentModel.Type] { [V1.Note.self, V1.Tag.self] }
      @Model final class Note { var text = ""; var tags: [V1.Tag] = []; \(v1) }
      @Model final class Tag { var name = "" }
    }
    enum V2: VersionedSchema {
      static var models: [any PersistentModel.Type] { [V2.Note.self, V1.Tag.self] }
      @Model final class Note { var text = ""; var rank = 0; \(v2) }
    }
    enum V3: VersionedSchema { static var models: [any PersistentModel.Type] { [V3.Note.self] }
      @Model final class Note { var text = "" }
    }
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] { [\(stage)] }
      \(more)
    }
    """
  }

  private func will(_ body: String, more: String = "") -> String {
    plan(
      ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { c in\n\(body)\n}, didMigrate: nil)", more: more)
  }

  private func did(_ body: String, more: String = "") -> String {
    plan(
      ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: { c in\n\(body)\n})", more: more)
  }

  @Test func newTypeBefore() {
    #expect(
      findings(
        .newTypeBefore,
        will("for n in try c.fetch(FetchDescriptor<V1.Note>()) {\nc.insert(V2.Note(n.text)) }\ntry c.save()"))
        == ["17: error: willMigrate knows the classes of V1 only, and V2.Note is of V2"])
    #expect(
      places(
        .newTypeBefore,
        will("for n in try c.fetch(FetchDescriptor<V1.Note>()) { n.text = n.text.trimmed() }\ntry c.save()")) == [])
    // Both versions have this class.
    #expect(places(.newTypeBefore, will("try c.fetch(FetchDescriptor<V1.Tag>())")) == [])
  }

  @Test func helpersAndAliasesAreFollowed() {
    #expect(
      places(.newTypeBefore, will("Self.fill(c)", more: "static func fill(_ c: ModelContext) { c.insert(V2.Note()) }"))
        == ["18 error"])
    #expect(
      findings(.newTypeBefore, will("c.insert(Note())") + "\ntypealias Note = V2.Note") == [
        "16: error: willMigrate knows the classes of V1 only, and Note (V2.Note) is of V2"
      ])
    let named = plan(
      ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: prepare, didMigrate: nil)",
      more: "static let prepare: (ModelContext) throws -> Void = { c in c.insert(V2.Note()) }")
    #expect(places(.newTypeBefore, named) == ["16 error"])
    let unknown = plan(".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: elsewhere, didMigrate: nil)")
    #expect(
      skips(.newTypeBefore, unknown) == [
        "willMigrate of the stage to V2 is a name that is not found in the same files"
      ])
  }

  @Test(arguments: ["struct Migrator { ", "enum Migrator { }\nextension Migrator { "])
  func aFunctionOfAnotherTypeIsFollowed(type: String) {
    let stage = plan(".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: Migrator.run)")
    let more =
      "static func run(_ c: ModelContext) throws { try fill(c) }; static func fill(_ c: ModelContext) { V1.Note() } }"
    #expect(places(.oldTypeAfter, stage + "\n" + type + more).count == 1)
    // A function of the same name in the plan is another function.
    let own = "static func run(_ c: ModelContext) throws { }"
    #expect(
      skips(.oldTypeAfter, stage.replacing("] }\n  \n", with: "] }\n  \(own)\n")) == [
        "didMigrate of the stage to V2 is a name that is not found in the same files"
      ])
  }

  @Test func oldTypeAfter() {
    #expect(
      findings(.oldTypeAfter, did("let old = try c.fetch(FetchDescriptor<V1.Note>())")) == [
        "16: error: didMigrate knows the classes of V2 only, and V1.Note is of V1"
      ])
    #expect(places(.oldTypeAfter, did("let new = try c.fetch(FetchDescriptor<V2.Note>()); try c.save()")) == [])
  }

  @Test func liveTypeInStage() {
    #expect(
      findings(.liveTypeInStage, will("try c.fetch(FetchDescriptor<Note>())") + "\ntypealias Note = V3.Note") == [
        "16: error: the stage from V1 to V2 names Note (V3.Note), which is of V3"
      ])
    #expect(
      findings(.liveTypeInStage, will("try c.fetch(FetchDescriptor<Note>())") + "\ntypealias Note = V1.Note") == [
        "16: warning: Note (V1.Note) is named without its version: the stage changes when the name moves on"
      ])
    #expect(
      findings(
        .liveTypeInStage, will("try c.fetch(FetchDescriptor<Folder>())") + "\n@Model final class Folder { var n = 0 }")
        == ["16: warning: the stage from V1 to V2 names Folder, a live class: neither version has it"])
    #expect(places(.liveTypeInStage, will("try c.fetch(FetchDescriptor<V1.Note>())")) == [])
    // In a key path the version is the root, and the class is a part: `V1.Note`, and not the live `Note`.
    for call in [#"fill(\V1.Note.text, in: c)"#, #"SortDescriptor(\V1.Note.text?.count)"#] {
      #expect(places(.liveTypeInStage, will(call) + "\ntypealias Note = V3.Note") == [], "\(call)")
      #expect(places(.newTypeBefore, will(call.replacing("V1", with: "V2"))) == ["16 error"], "\(call)")
    }
    // A class of the wrong version under a bare name is reported as SD921 only.
    #expect(places(.liveTypeInStage, will("c.insert(Note())") + "\ntypealias Note = V2.Note") == [])
  }

  @Test func unsavedChanges() {
    let loop = "for n in try c.fetch(FetchDescriptor<V2.Note>()) {\nn.rank = 1 }"
    #expect(
      findings(.unsavedChanges, did(loop)) == [
        "17: warning: didMigrate of the stage to V2 assigns to n.rank and never saves"
      ])
    #expect(places(.unsavedChanges, did(loop + "\ntry c.save()")) == [])
    #expect(
      places(
        .unsavedChanges,
        did(loop + "\ntry finish(c)", more: "static func finish(_ c: ModelContext) throws { try c.save() }"))
        == [])
    #expect(places(.unsavedChanges, will("c.delete(n)")) == ["16 warning"])
    // `insert` of a set and an assignment to a struct change no object.
    #expect(places(.unsavedChanges, will("var seen: Set<String> = []\nseen.insert(\"a\")\noptions.limit = 1")) == [])
  }

  @Test(arguments: [
    "for (i, n) in try c.fetch(FetchDescriptor<V2.Note>()).enumerated() { n.rank = i }",
    "let d = FetchDescriptor<V2.Note>()\nlet ns = try c.fetch(d)\n_ = ns.map { $0.rank = 1 }",
    "_ = try c.fetch(FetchDescriptor<V2.Note>()).compactMap({ n in n.rank = 1 })",
    "for case let n? in notes { n.rank = 1 }",
  ])
  func changesInLoopsOfAllForms(body: String) {
    #expect(places(.unsavedChanges, did(body)).count == 1)
    #expect(places(.unsavedChanges, did(body + "\ntry c.save()")) == [])
  }

  @Test func changesOfWhatIsNoObject() {
    let fetch = "let ns = try c.fetch(FetchDescriptor<V2.Note>())\n"
    #expect(places(.unsavedChanges, did(fetch + "log(ns.reduce(into: Sum()) { $0.total += $1.rank })")) == [])
    #expect(places(.unsavedChanges, did(fetch + "state.withLock { $0.count = 1 }")) == [])
  }

  @Test func whetherEnumerateSavesIsNotKnown() {
    let loop = "try c.enumerate(FetchDescriptor<V2.Note>(), batchSize: 200) { n in n.rank = 1 }"
    #expect(places(.unsavedChanges, did(loop)) == [])
    #expect(
      skips(.unsavedChanges, did(loop)) == ["whether enumerate saves the context it is called on is not known"])
    #expect(skips(.unsavedChanges, did(loop + "\ntry c.save()")) == [])
    #expect(skips(.unsavedChanges, did(loop.replacing("n.rank = 1", with: "print(n.rank)"))) == [])
  }

  /// The save has to be of the same context, after the change, and on every path with the change.
  @Test(arguments: [
    ("c.insert(a)\ntry c.save()", false),
    ("try c.save()\nc.insert(a)", true),
    ("c.insert(a)\ntry file.save()", true),
    ("c.insert(a)\nif done { try c.save() }", true),
    ("c.insert(a)\nguard done else { try c.save(); return }", true),
    ("c.insert(a)\nif done { print(1) } else { try c.save() }", true),
    ("c.insert(a)\nswitch kind { case .one: try c.save()\ndefault: break }", true),
    ("c.insert(a)\ndo { try check() } catch { try c.save() }", true),
    ("c.insert(a)\nTask { try c.save() }", true),
    // Forms that apps use.
    ("c.insert(a)\nif c.hasChanges { try c.save() }", false),
    ("c.insert(a)\ndo { try c.save() } catch { throw error }", false),
    ("defer { try? c.save() }\nc.insert(a)", false),
    ("if let a { c.insert(a)\ntry c.save() }", false),
    ("guard let a else { return }\nc.insert(a)\ntry c.save()", false),
    ("for a in all { c.insert(a)\nif full { try c.save() } }\ntry c.save()", false),
    ("for a in all { c.insert(a)\nif full { try c.save() } }", true),
    ("let context = c\ncontext.insert(a)\ntry context.save()", false),
    ("try c.transaction { c.insert(a) }", false),
    ("for n in try c.fetch(FetchDescriptor<V1.Note>()) { n.text = \"\"\nif full { continue } }\ntry c.save()", false),
  ])
  func aSaveOnEveryPath(body: String, isUnsaved: Bool) {
    #expect(places(.unsavedChanges, will(body)).isEmpty != isUnsaved)
  }

  @Test func helpersThatTakeTheContextAreFollowed() {
    let save = "static func finish(_ context: ModelContext) throws { try context.save() }"
    #expect(places(.unsavedChanges, will("c.insert(a)\ntry finish(c)", more: save)) == [])
    #expect(places(.unsavedChanges, will("try finish(c)\nc.insert(a)", more: save)) == ["17 warning"])
    #expect(
      findings(
        .unsavedChanges,
        will(
          "c.insert(a)\ntry finish(c)",
          more: save.replacing("try context", with: "if x { try context")
            + " }")) == [
          "16: warning: willMigrate of the stage to V2 inserts objects and does not save them on every path"
        ])
    let fill = "static func fill(_ it: ModelContext) throws { it.insert(a) }"
    #expect(places(.unsavedChanges, will("try fill(c)", more: fill)) == ["18 warning"])
    #expect(places(.unsavedChanges, will("try fill(c)\ntry c.save()", more: fill)) == [])
    // It is not known what a function in another file does.
    #expect(places(.unsavedChanges, will("c.insert(a)\ntry Importer.run(c)")) == [])
    #expect(
      skips(.unsavedChanges, will("c.insert(a)\ntry Importer.run(c)")) == [
        "whether run saves the context it is given is not known"
      ])
    #expect(skips(.unsavedChanges, will("c.insert(a)\nlet store = NoteStore(c)\ntry store.finish()")).count == 1)
  }

  @Test func methodsOfTheContextAreFollowed() {
    let change = "c.insert(a)\ntry c.wrapUp()"
    let method = { (body: String) in "\nextension ModelContext { func wrapUp() throws { \(body) } }" }
    #expect(places(.unsavedChanges, will(change) + method("if hasChanges { try save() }")) == [])
    #expect(places(.unsavedChanges, will(change) + method("try self.save()")) == [])
    #expect(places(.unsavedChanges, will(change) + method("print(hasChanges)")) == ["16 warning"])
    #expect(places(.unsavedChanges, will("try c.wrapUp()") + method("insert(a)")).count == 1)
    // With an overload of `insert` in an extension, it is still not taken to save.
    let overload = "\nextension ModelContext { func insert(_ all: [A]) { for a in all { insert(a) }; try? save() } }"
    #expect(places(.unsavedChanges, will("c.insert(a)") + overload) == ["16 warning"])
    // Helpers are looked into one level deep; what others do is not known.
    #expect(
      skips(.unsavedChanges, will(change) + method("try finish()") + "\nextension ModelContext { func finish() { } }")
        == [
          "whether finish saves the context it is called on is not known"
        ])
    #expect(places(.unsavedChanges, will(change)) == [])
    #expect(skips(.unsavedChanges, will(change)) == ["whether wrapUp saves the context it is called on is not known"])
    #expect(places(.unsavedChanges, will("c.insert(a)\nc.rollback()")) == ["16 warning"])
  }

  @Test func notLightweightStage() {
    let stage = ".lightweight(fromVersion: V1.self, toVersion: V2.self)"
    #expect(
      findings(.notLightweightStage, plan(stage, v1: "var size = \"1\"", v2: "var size = 1")).map { $0.prefix(64) } == [
        "15: error: a lightweight stage cannot lead from V1 to V2: Note.s"
      ])
    #expect(
      places(.notLightweightStage, plan(stage, v1: "var date: Date?", v2: "var date: Date")) == ["15 error"])
    #expect(
      findings(
        .notLightweightStage,
        plan(stage, v1: "var size = 1", v2: "var size = 1; @Attribute(.unique) var id: String = \"\"")
      ) == [
        "15: error: a lightweight stage cannot lead from V1 to V2: Note is unique by id now, and all rows get the same value"
      ])
    #expect(places(.notLightweightStage, plan(stage, v1: "var size = 1", v2: "var size = 1")) == [])
    #expect(places(.notLightweightStage, plan(stage, v1: "var date: Date", v2: "var date: Date?")) == [])
    // Without stages the migration is inferred, with the same result.
    #expect(places(.notLightweightStage, plan("", v1: "var size = \"1\"", v2: "var size = 1")) == ["6 error"])
    // Unknown stages may do it.
    #expect(places(.notLightweightStage, plan("make()", v1: "var size = \"1\"", v2: "var size = 1")) == [])
    // A mapping is inferred for a custom stage too: code before it may fill what is missing, and code behind it is too late.
    let custom = ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: fill, didMigrate: nil)"
    #expect(places(.notLightweightStage, plan(custom, v1: "var date: Date?", v2: "var date: Date")) == [])
    let late = custom.replacing("willMigrate: fill, didMigrate: nil", with: "willMigrate: nil, didMigrate: fill")
    #expect(places(.notLightweightStage, plan(late, v1: "var date: Date?", v2: "var date: Date")) == ["15 error"])
    #expect(
      findings(.notLightweightStage, plan(custom, v1: "var size = \"1\"", v2: "var size = 1")).map { $0.prefix(84) }
        == [
          "15: error: between the two closures of the custom stage a mapping is inferred, which"
        ])
  }

  @Test func emptyCustomStage() {
    #expect(
      findings(
        .emptyCustomStage, plan(".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: nil)"))
        == ["15: note: the custom stage from V1 to V2 does nothing: it is a lightweight one"])
    #expect(places(.emptyCustomStage, plan(".lightweight(fromVersion: V1.self, toVersion: V2.self)")) == [])
  }

  @Test func staticCarrier() {
    let stage = """
      .custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { c in
        Self.kept = try c.fetch(FetchDescriptor<V1.Note>()).map(\\.text)
        try c.delete(model: V1.Note.self)
      }, didMigrate: { c in
        for text in kept { print(text) }
      })
      """
    let kept = "nonisolated(unsafe) static var kept: [String] = []"
    #expect(
      findings(.staticCarrier, plan(stage, more: kept)) == [
        "16: warning: willMigrate keeps values in kept for didMigrate: they are gone if the app ends in between"
      ])
    #expect(
      places(
        .staticCarrier,
        plan(
          stage.replacing("Self.kept = ", with: "kept.append(contentsOf: ").replacing("(\\.text)", with: "(\\.text))"))
          + "\nvar kept: [String] = []") == ["16 warning"])
    #expect(places(.staticCarrier, plan(stage, more: "static let kept: [String] = []")) == [])
    #expect(
      places(.staticCarrier, plan(stage.replacing("in kept", with: "in []"), more: "static var kept: [String] = []"))
        == [])
    // Nothing is lost between the versions; the rows are only counted.
    let counted = stage.replacing("  try c.delete(model: V1.Note.self)\n", with: "")
    #expect(places(.staticCarrier, plan(counted, more: kept)) == [])
    // The next version lacks the property that is read, or has it with another type.
    let dated = counted.replacing("\\.text", with: "\\.day")
    #expect(places(.staticCarrier, plan(dated, v1: "var day: Date?", more: kept)) == ["16 warning"])
    #expect(
      places(.staticCarrier, plan(dated, v1: "var day: Date?", v2: "var day: Int?", more: kept)) == ["16 warning"])
    #expect(
      places(.staticCarrier, plan(dated, v1: "var day: Date?", v2: "var day: Date?", more: kept)) == [])
  }

  @Test func swallowedError() {
    #expect(
      findings(.swallowedError, will("try? c.save()")) == [
        "16: warning: try? in willMigrate of the stage to V2 swallows the error: the migration ends as if all were well"
      ])
    #expect(places(.swallowedError, will("do { try c.save() }\ncatch { }")) == ["17 warning"])
    #expect(
      findings(.swallowedError, will("do {\ntry c.save()\n} catch {\nprint(\"Migration failed: \\(error)\")\n}")) == [
        "18: warning: a catch that only prints in willMigrate of the stage to V2 swallows the error: the migration ends as "
          + "if all were well"
      ])
    #expect(
      places(.swallowedError, will("do { try c.save() } catch { Self.logger.error(\"\\(error)\"); return }")) == [
        "16 warning"
      ])
    #expect(places(.swallowedError, will("do { try c.save() } catch { throw error }")) == [])
    #expect(places(.swallowedError, will("do { try c.save() } catch { print(error); throw error }")) == [])
    #expect(places(.swallowedError, will("do { try c.save() } catch { failure = error; print(error) }")) == [])
    #expect(places(.swallowedError, will("do { try c.save() } catch { alert.error(\"\\(error)\") }")) == [])
    #expect(places(.swallowedError, will("let number = try? parse(text)\ntry c.save()")) == [])
  }

  @Test func missingPrefetch() {
    let loop =
      "var d = FetchDescriptor<V1.Note>()\nlet notes = try c.fetch(d)\nfor n in notes {\ntotal += n.tags.count }"
    #expect(
      findings(.missingPrefetch, will(loop)) == [
        "19: note: each Note reads tags by a query of its own: no relationshipKeyPathsForPrefetching names it"
      ])
    #expect(
      places(
        .missingPrefetch, will(loop.replacing("\nlet", with: "\nd.relationshipKeyPathsForPrefetching = [\\.tags]\nlet"))
      )
        == [])
    #expect(places(.missingPrefetch, will(loop.replacing("n.tags", with: "n.text"))) == [])
    // An assignment does not read the property.
    #expect(places(.missingPrefetch, will(loop.replacing("total += n.tags.count", with: "n.tags = []"))) == [])
    #expect(places(.missingPrefetch, will(loop.replacing("total += n", with: "n.tags = n"))) == ["19 note"])
    #expect(
      places(.missingPrefetch, will(loop.replacing("total += n.tags.count", with: "n.tags += [t]"))) == ["19 note"])
    let forEach = "try c.fetch(FetchDescriptor<V1.Note>()).forEach { $0.tags = tags }"
    #expect(places(.missingPrefetch, will(forEach)) == [])
  }

  @Test func recreatedRows() {
    #expect(
      findings(.recreatedRows, will("try c.delete(model: V1.Note.self)")) == [
        "16: warning: willMigrate deletes all rows of Note, which V2 has too: new rows have new identifiers and no links"
      ])
    let loop = "for n in try c.fetch(FetchDescriptor<V1.Note>()) { c.delete(n) }"
    #expect(places(.recreatedRows, will(loop)) == ["16 warning"])
    // Only some of the rows.
    #expect(
      places(.recreatedRows, will(loop.replacing("{ c.", with: "where seen.contains(n) { if old { c.") + "}")) == [])
    #expect(places(.recreatedRows, will(loop.replacing("{ c.", with: "where n.text.isEmpty { c."))) == [])
    #expect(
      places(.recreatedRows, will(loop.replacing("Note>()", with: "Note>(predicate: #Predicate { $0.text == \"\" })")))
        == [])
  }
}
