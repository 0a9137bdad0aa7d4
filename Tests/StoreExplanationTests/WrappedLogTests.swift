import StoreCoreData
import StoreExplanation
import TestSupport
import Testing

/// A mail, a chat or a terminal breaks the lines of a log; it says the same then.
@Suite struct WrappedLogTests {
  /// Each is one line.
  private static let entries = [
    """
    2025-03-01 09:12:44.120 Notes[412:9001] Error Domain=NSCocoaErrorDomain Code=134140 "Persistent store migration \
    failed, missing mapping model." UserInfo={reason=Can\u{2019}t find or automatically infer mapping model for \
    migration, destinationModel=(<NSManagedObjectModel: 0x600001234560>) isEditable 0, entity=Note, \
    attribute=titleOfTheNote, NSUnderlyingException=Source and destination attribute types are incompatible}
    """,
    """
    error: Error Domain=NSCocoaErrorDomain Code=1570 "Der Vorgang konnte nicht abgeschlossen werden." \
    UserInfo={NSValidationErrorObject=<NSManagedObject: 0x600000281f40> (entity: Note; id: 0xc3 \
    <x-coredata://8E430534-5F59-49DB-9479-C3290AE2713E/Note/p42>), NSValidationErrorKey=titleOfTheNote}
    """,
    """
    CoreData: error: -executeRequest: encountered exception = error during SQL execution : UNIQUE constraint failed: \
    ZNOTE.ZSLUG with userInfo = { NSFilePath = "/var/mobile/Containers/Data/Notes.sqlite"; NSSQLiteErrorDomain = 19; }
    """,
  ]

  private static func folded(_ line: String, at width: Int) -> [String] {
    let line = Array(line)
    return stride(from: 0, to: line.count, by: width).map { String(line[$0..<min($0 + width, line.count)]) }
  }

  private static func wrapped(_ line: String, at width: Int) -> [String] {
    var lines: [String] = []
    for word in line.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private func facts(_ lines: [String]) -> LogFacts {
    explain(log: Array(lines.joined(separator: "\n").utf8)).log ?? LogFacts()
  }

  /// Names and numbers, without where they stand and how names were put together.
  private func content(_ facts: LogFacts) -> LogFacts {
    var facts = facts
    facts.joinedLines = 0
    for index in facts.codes.indices { facts.codes[index].line = 0 }
    for index in facts.places.indices { facts.places[index].brokenEntity = nil }
    return facts
  }

  @Test(arguments: 60...132, ["", "> ", ">> "]) func aTerminalBreaksLines(_ width: Int, mark: String) throws {
    let truth = facts(Self.entries)
    let lines = Self.entries.flatMap { Self.folded($0, at: width) }
    let found = facts(lines.map { mark + $0 })
    #expect(content(found) == content(truth))
    #expect(found.joinedLines == lines.count - Self.entries.count)
    let before = Self.entries.dropLast().map { Self.folded($0, at: width).count }.reduce(0, +)
    let last = try #require(Self.entries.last)
    let domain = try #require(last.firstRange(of: "ErrorDomain"))
    let offset = last.distance(from: last.startIndex, to: domain.upperBound)
    #expect(found.codes.last?.line == before + offset / width + 1)
  }

  @Test(arguments: 60...100, ["", "> "]) func aMailBreaksLinesAtSpaces(_ width: Int, mark: String) {
    let truth = facts(Self.entries)
    let lines = Self.entries.flatMap { Self.wrapped($0, at: width) }
    #expect(content(facts(lines.map { mark + $0 })) == content(truth))
  }

  /// Of each sentence that is known, in lines of any width.
  @Test func everySentenceIsFoundInBrokenLines() {
    for reason in KnownReason.all {
      let line = "NSCocoaErrorDomain Code=134110 reason=\(reason.words), entity=Note"
      for width in [20, 33, 72] {
        #expect(facts(Self.folded(line, at: width)).reasons.contains(reason), "\(reason.words) at \(width)")
        #expect(facts(Self.wrapped(line, at: width)).reasons.contains(reason), "\(reason.words) at \(width)")
      }
    }
  }

  /// Two entries are never read as one, which would make names that no store has.
  @Test(arguments: [
    // The same length, without a date.
    ["app: saving of an object failed, entity=Note", "data: the object was of another entity=Item"],
    ["2025-03-01 09:12:44 saving of one failed, entity=Note", "2025-03-01 09:12:45 saving of one failed, entity=Item"],
    ["CoreData: warning: no class was found for entity=Note", "CoreData: warning: no class was found for entity=Item"],
    ["the object could not be saved, its store says entity=Note", "", "the model does not have an entity=Item"],
    // As wide as each other by chance: a terminal breaks wider ones.
    [
      "one object could not be saved, its store said: entity=Note",
      "the model has another one that it may be: entity=Item",
      "so much was said.",
      "and this line is wider than all of those above, so that no terminal can have broken them there",
    ],
    ["the object could not be saved; here is its {", "    entity = Note;", "}", "and that of another, entity = Item"],
  ]) func entriesStayApart(_ lines: [String]) {
    let found = facts(lines)
    #expect(found.places.map(\.text) == ["Note", "Item"])
    #expect(found.joinedLines == 0)
  }

  /// Where the name that two lines make is in no store, it is the one that the first ends with.
  @Test func theStoreTellsWhereANameEnds() throws {
    let store = try Store(path: Project.path("corpus/Notes.sqlite"))
    let lines = [
      "the object could not be saved, and its store says: entity=Note",
      "and the app went on with the next one, and with one more after",
      "that.",
    ]
    let log = try #require(explain(log: Array(lines.joined(separator: "\n").utf8)).log)
    #expect(log.joinedLines == 2)
    #expect(try LogInStore(log, in: store).statements.map(\.subject) == ["Note"])
  }
}
