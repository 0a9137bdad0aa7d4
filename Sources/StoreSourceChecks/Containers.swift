import StoreFindings

extension SourceCheck {
  package static let fatalContainer = SourceCheck(
    "SD991", "crash-on-container-failure", .warning, needs: [.containers],
    summary: "A container that cannot be made ends the app.",
    looksFor: """
      `try!` on a container, or `fatalError` and the like in the `catch` around it, in the `else` behind `try?`, or where
      the closure behind `.modelContainer(for:)` gets a failure.
      """,
    matters: "Every mistake in the schema becomes a crash at launch, without a word to the user.",
    bad: "do { c = try ModelContainer(for: Note.self) } catch { fatalError(\"\\(error)\") }",
    good: "do { c = try ModelContainer(for: Note.self) } catch { failure = error }",
    remedy: "Show a screen that says what happened and how to get help, and keep the store as it is.")

  package static let storeDeleted = SourceCheck(
    "SD992", "store-deleted-on-failure", .error, needs: [.containers],
    summary: "A container that cannot be made costs the user's data.",
    looksFor: """
      `removeItem`, `deletePersistentStore` or `destroyPersistentStore` where a container cannot be made: in the `catch`
      around it or around a call of its function, in what such a clause falls through to, and in functions and closures
      that are called there; a warning where a copy is made first. It says where side files are removed alone or left
      behind, and where the store is another file. What removes a copy that was made just before is a note, as are names
      of side files built with `appendingPathExtension("wal")`.
      """,
    matters: "The data is lost without a word, and most such failures are mistakes a next release could mend.",
    bad: "catch { try? FileManager.default.removeItem(at: storeURL) }",
    good: "catch { try FileManager.default.moveItem(at: storeURL, to: backupURL) }",
    remedy: "Move the three files of the store aside and say so; never delete them.")

  package static let memoryFallback = SourceCheck(
    "SD993", "fallback-to-memory", .warning, needs: [.containers],
    summary: "A container that cannot be made is replaced by one in memory.",
    looksFor: "`isStoredInMemoryOnly: true` in the `catch` around a container, or in a function that it calls.",
    matters: "The user works on, and everything is gone with the next launch.",
    bad: "catch { c = try! ModelContainer(for: s, configurations: .init(isStoredInMemoryOnly: true)) }",
    good: "catch { failure = error }", remedy: "Say that the store cannot be opened.")

  package static let migrationInMemory = SourceCheck(
    "SD994", "migration-test-in-memory", .warning, needs: [.tests],
    summary: "A test of a migration reopens a store that was kept in memory.",
    looksFor: """
      Test functions that make a container, and then one with `migrationPlan:` that has `isStoredInMemoryOnly: true`. The
      same name does not make it the same store.
      """,
    matters: """
      A container in memory begins empty: nothing is migrated, and the test passes whatever the plan does. A fresh install
      does the same: a store that is made new has the current model from the start, and no stage runs.
      """,
    bad: "ModelConfiguration(\"migration\", isStoredInMemoryOnly: true)",
    good: "ModelConfiguration(url: temporaryFolder.appending(path: \"v1.store\"))",
    remedy: "Let both containers have one file in a temporary folder, or copy a store of the release there.")

  package static let mutableStatic = SourceCheck(
    "SD995", "static-var-in-version", .note,
    summary: "A version or plan keeps a constant in a stored `static var`.",
    looksFor: "`static var versionIdentifier = …`; stages in a stored `static var` are a warning.",
    matters: "Under Swift 6 it does not compile: \"static property is not concurrency-safe\".",
    bad: "static var versionIdentifier = Schema.Version(1, 0, 0)",
    good: "static let versionIdentifier = Schema.Version(1, 0, 0)", remedy: "Write `let`.")

  package static let ownStoresOnly = SourceCheck(
    "SD996", "no-shipped-store-in-tests", .note, needs: [.tests],
    summary: "Tests open a migration plan, and no store is in the repository.",
    looksFor: """
      Containers with `migrationPlan:` in tests, where neither the project nor its repository has a store (`.store`,
      `.sqlite`, `.db`), no test reads a resource, and `--store` gives none.
      """,
    matters: """
      A store that the test itself wrote has whatever shape the process bound first, and proves nothing about those that
      users have. The one in a simulator stays there when the app is built again, and is of whatever build wrote it.
      """,
    bad:
      "let v1 = try ModelContainer(for: V1.Note.self, configurations: configuration)  // then reopened with the plan",
    good: "Tests/Fixtures/V1.store  // written once by the released build",
    remedy: "Keep a store that each released build wrote, with rows, and open copies of them in the tests.")

  package static let unfoundedSilence = SourceCheck(
    "SD997", "silence-without-reason", .warning,
    summary: "A comment silences a finding and does not say why, or names no check.",
    looksFor: "`// storedoctor:ignore` or `storedoctor:disable` without a check that exists, or without a reason.",
    matters: "Nobody can tell later whether the finding was looked at or only in the way.",
    bad: "var title: String  // storedoctor:ignore SD945",
    good: "var title: String  // storedoctor:ignore SD945 the name was never shown",
    remedy: "Write why the finding is accepted.")
}
