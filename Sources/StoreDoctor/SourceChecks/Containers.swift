extension SourceCheck {
  package static let fatalContainer = SourceCheck(
    "SD991", "crash-on-container-failure", .warning, needs: [.containers],
    summary: "A container that cannot be made ends the app.",
    looksFor: "`try!` on a container, or `fatalError` and the like in the `catch` around it.",
    matters: "Every mistake in the schema becomes a crash at launch, without a word to the user.",
    bad: "do { c = try ModelContainer(for: Note.self) } catch { fatalError(\"\\(error)\") }",
    good: "do { c = try ModelContainer(for: Note.self) } catch { failure = error }",
    remedy: "Show a screen that says what happened and how to get help, and keep the store as it is.")

  package static let storeDeleted = SourceCheck(
    "SD992", "store-deleted-on-failure", .error, needs: [.containers],
    summary: "A container that cannot be made costs the user's data.",
    looksFor: """
      `removeItem`, `deletePersistentStore` or `destroyPersistentStore` in the `catch` around a container; a warning where
      a copy is made first. Names of side files built with `appendingPathExtension("wal")` are a note.
      """,
    matters: "The data is lost without a word, and most such failures are mistakes a next release could mend.",
    bad: "catch { try? FileManager.default.removeItem(at: storeURL) }",
    good: "catch { try FileManager.default.moveItem(at: storeURL, to: backupURL) }",
    remedy: "Move the three files of the store aside and say so; never delete them.")

  package static let memoryFallback = SourceCheck(
    "SD993", "fallback-to-memory", .warning, needs: [.containers],
    summary: "A container that cannot be made is replaced by one in memory.",
    looksFor: "`isStoredInMemoryOnly: true` in the `catch` around a container.",
    matters: "The user works on, and everything is gone with the next launch.",
    bad: "catch { c = try! ModelContainer(for: s, configurations: .init(isStoredInMemoryOnly: true)) }",
    good: "catch { failure = error }", remedy: "Say that the store cannot be opened.")

  package static let mutableStatic = SourceCheck(
    "SD995", "static-var-in-version", .note,
    summary: "A version or plan keeps a constant in a stored `static var`.",
    looksFor: "`static var versionIdentifier = …`; stages in a stored `static var` are a warning.",
    matters: "Under Swift 6 it does not compile: \"static property is not concurrency-safe\".",
    bad: "static var versionIdentifier = Schema.Version(1, 0, 0)",
    good: "static let versionIdentifier = Schema.Version(1, 0, 0)", remedy: "Write `let`.")

  package static let unfoundedSilence = SourceCheck(
    "SD997", "silence-without-reason", .warning,
    summary: "A comment silences a finding and does not say why, or names no check.",
    looksFor: "`// storedoctor:ignore` or `storedoctor:disable` without a check that exists, or without a reason.",
    matters: "Nobody can tell later whether the finding was looked at or only in the way.",
    bad: "var title: String  // storedoctor:ignore SD945",
    good: "var title: String  // storedoctor:ignore SD945 the name was never shown",
    remedy: "Write why the finding is accepted.")
}
