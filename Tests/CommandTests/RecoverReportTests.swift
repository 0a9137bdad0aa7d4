import Foundation
import StoreSQLite
import TestSupport
import Testing

/// What `recover` writes for other programs and people, by the built program.
@Suite struct RecoverReportTests {
  private func recover(_ store: String, _ options: [String]) throws -> Program.Outcome {
    try Program.run(
      ["recover", store, "--entity", "Note", "--grade", "shown"] + options,
      environment: ["SOURCE_DATE_EPOCH": "1700000000"])
  }

  private func rows(_ store: String, _ options: [String] = []) throws -> [[String: Any]] {
    try recover(store, ["--format", "jsonl"] + options).output.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  /// What was trimmed from the history still proves, as long as its bytes are there.
  @Test(arguments: [true, false]) func changesThatWereTrimmedProve(checkpointed: Bool) throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let writer = try Connection(writing: store, create: false)
    try writer.execute(
      """
      PRAGMA secure_delete = 0; PRAGMA wal_autocheckpoint = 0;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_ENT > 16000; DELETE FROM ACHANGE; DELETE FROM ATRANSACTION;
      \(checkpointed ? "PRAGMA wal_checkpoint(TRUNCATE);" : "")
      """)
    let copy = folder("Copy.sqlite")
    // Closed, it would write its log into the main file.
    try withExtendedLifetime(writer) {
      for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: store + suffix, toPath: copy + suffix) }
    }
    let trimmed = try rows(copy).flatMap { row in
      (row["witnesses"] as? [[String: Any]] ?? []).compactMap { witness -> String? in
        guard let what = witness["what"] as? String, what.hasSuffix(", trimmed from the history") else { return nil }
        let change = what.split(separator: " ")[2]
        return "\(row["key"] ?? "?"): change \(change == "in" ? "?" : change), time \(witness["time"] ?? "?")"
      }
    }
    #expect(
      trimmed == [
        "2: change 902, time 2023-03-10T00:13:20.500Z", "5: change 905, time 2023-03-11T04:00:00.000Z",
      ])
  }

  /// Keys of which nothing is known stand together.
  @Test func keysThatFollowEachOtherAreOneLine() throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let writer = try Connection(writing: store, create: false)
    try writer.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 5000 WHERE Z_NAME = 'Note'; PRAGMA wal_checkpoint(TRUNCATE)")
    let text = try Program.run(["recover", store, "--entity", "Note"]).output
    #expect(text.contains("  19 to 5000 (4,982 keys): deleted, implied [5 to 4986]\n"))
    #expect(text.split(separator: "\n").count < 60)
    let page = try Program.run(["recover", store, "--entity", "Note", "--format", "html"]).output
    #expect(page.contains("ZNOTE 19 to 5000 (4,982 keys)"))
  }

  // MARK: Time

  @Test func theBracketLiesBetweenTheLastWitnessAndTheFirstWithout() throws {
    let folder = try TemporaryFolder()
    let rows = try rows(try deletedNotes(in: folder))
    let brackets = rows.map { row in
      let between = row["between"] as? [String: String] ?? [:]
      return "\(row["key"] ?? "") \(row["kind"] ?? "") \(between["after"] ?? "?") \(between["before"] ?? "?")"
    }
    #expect(
      brackets == [
        "1 earlier-version ? 2023-03-10T00:13:20.500Z",
        "2 deleted ? 2023-03-10T00:13:20.500Z",
        "3 deleted ? ?",
        "4 deleted 2023-03-10T00:13:20.500Z 2023-03-11T04:00:00.000Z",
        "5 deleted 2023-03-10T00:13:20.500Z 2023-03-11T04:00:00.000Z",
      ])
  }

  @Test(arguments: [
    (["--since", "2023-03-11"], [1: false, 2: false, 4: true, 5: true]),
    (["--since", "2023-03-11T04:00:01Z"], [1: false, 2: false, 4: false, 5: false]),
    // Of 2 and 5 a change of the history has the moment.
    (["--until", "2023-03-10"], [1: true, 2: true, 4: true, 5: false]),
    (["--until", "2023-03-10T00:13:20.4Z"], [1: true, 2: false, 4: false, 5: false]),
  ])
  func resultsStayWhoseTimeMayLieInside(_ limits: [String], _ expected: [Int: Bool]) throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let keys = try rows(store, limits).compactMap { $0["key"] as? Int }
    #expect(Set(keys) == Set(expected.filter(\.value).map(\.key)))
    // The row of which nothing is known is left out, and said.
    #expect(try recover(store, limits).output.contains("1 result of whose time nothing is known was left out"))
    #expect(
      try recover(store, limits + ["--format", "csv"]).errors.contains("1 result of whose time nothing is known"))
  }

  @Test func aTimeThatIsNoneIsWrongUsage() throws {
    for limits in [["--since", "yesterday"], ["--until", "2023-13-01"]] {
      #expect(try recover(Project.path("corpus/Notes.sqlite"), limits).status == 64)
    }
    #expect(
      try recover(Project.path("corpus/Notes.sqlite"), ["--summary", "--since", "2023-01-01"]).status == 64)
  }

  // MARK: Formats

  @Test func jsonIsAsItsSchemaSays() throws {
    let folder = try TemporaryFolder()
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/recovery.json"), encoding: .utf8))
    let text = try recover(deletedNotes(in: folder), ["--format", "json"]).output
    #expect(try schema.violations(in: JSONTree(text)).isEmpty)
  }

  /// Python's csv module reads the same results as JSON has, and no cell begins a formula.
  @Test(.enabled(if: Python.isPresent)) func csvHasTheSameResultsAsJSON() throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let text = try recover(store, ["--format", "csv"]).output
    let script = """
      import csv, io, json, sys
      for row in csv.DictReader(io.TextIOWrapper(sys.stdin.buffer, newline='')):
        assert None not in row and not any(cell[:1] in ('=', '+', '-', '@') for cell in row.values())
        values = json.loads(row['values'])
        print(json.dumps([row['entity'], row['key'], row['kind'], row['grade'], row['file'], row['start'], values['title']]))
      """
    let read = try String(decoding: Python.run(script, input: Array(text.utf8)), as: UTF8.self).split(separator: "\n")
      .map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String] }
    let expected = try rows(store).map { row -> [String] in
      let place = (row["places"] as? [[String: Any]])?.first
      let title = (row["values"] as? [[String: Any]])?.first { $0["name"] as? String == "title" }
      return [
        row["entity"], row["key"], row["kind"], row["grade"], place?["file"], place?["start"], title?["value"],
      ].map { $0.map { "\($0)" } ?? "" }
    }
    #expect(read == expected && read.count == 5)
  }

  /// The page has every result, and nothing of a store acts: read by Python's HTML parser.
  @Test(.enabled(if: Python.isPresent)) func thePageHasEveryResultAndNothingActs() throws {
    let folder = try TemporaryFolder()
    let page = try recover(deletedNotes(in: folder), ["--format", "html"]).output
    let script = """
      import html.parser, sys
      class Reader(html.parser.HTMLParser):
        titles, texts, inside = [], [], None
        def handle_starttag(self, tag, attributes):
          assert tag not in ('script', 'img', 'iframe', 'object', 'embed', 'link', 'form', 'a', 'base'), tag
          assert not any(name.startswith('on') or name in ('src', 'href', 'style') for name, _ in attributes), attributes
          self.inside = tag
          if tag in ('h3', 'dd'): self.texts.append('')
        def handle_endtag(self, tag):
          if tag in ('h3', 'dd'): self.inside = None
        def handle_data(self, text):
          if self.inside in ('h3', 'dd', 'span') and self.texts: self.texts[-1] += text
      reader = Reader()
      reader.feed(sys.stdin.read())
      print('\\n--\\n'.join(reader.texts))
      """
    let texts = try String(decoding: Python.run(script, input: Array(page.utf8)), as: UTF8.self)
      .components(separatedBy: "\n--\n")
    #expect(
      texts.filter { $0.contains(" Note ") && $0.contains(" deleted ") }.map {
        $0.components(separatedBy: " Z_OPT 1")[0]
      }
        == ["2", "3", "4", "5"].enumerated().map { number, key in
          "\(number + 1) Note \(key) deleted \(key == "3" ? "shown" : "proved")"
        })
    #expect(texts.contains("=1+1</script><img src=x onerror=alert(1)>\""))
    #expect(texts.contains("two\nlines"))
    #expect(page.contains("What cannot be known") && page.contains("2023-11-14T22:13:20"))
  }

  @Test(.enabled(if: Chromium.program != nil && Python.isPresent)) func thePageFitsAPhoneADeskAndPaper() throws {
    let folder = try TemporaryFolder()
    let page = try folder.write(
      Array(recover(deletedNotes(in: folder), ["--format", "html"]).output.utf8), to: "page.html")
    let facts = """
      ({ scroll: document.documentElement.scrollWidth - innerWidth,
         beyond: [...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1
           && !one.closest('thead')).map(one => one.outerHTML),
         rows: document.querySelectorAll('.row h3').length, files: document.querySelectorAll('.cover .file').length, hidden: document.querySelectorAll('details').length })
      """
    for result in try #require(try Chromium.evaluate(facts, inPage: page, widths: [390, 1280]).list) {
      #expect(result["value"]?["scroll"]?.wholeNumber == 0 && result["value"]?["beyond"]?.list == [])
      // Five results, and the two files on the first sheet; what a printer gets is what a reader sees.
      #expect(result["value"]?["rows"]?.wholeNumber == 5 && result["value"]?["hidden"]?.wholeNumber == 0)
      #expect(result["value"]?["files"]?.wholeNumber == 2)
      #expect(result["messages"]?.list?.isEmpty == true && result["requests"]?.list?.count == 1)
    }
  }

  /// The documented fields, by a script with their table; and the facts, by the files themselves.
  @Test(.enabled(if: Python.isPresent)) func caseHasTheDocumentedFields() throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let text = try recover(store, ["--format", "case"]).output
    let document = try folder.write(Array(text.utf8), to: "case.jsonld")
    let check = Project.path("scripts/check-case")
    #expect(try Program.launch([check, document]).status == 0)
    for (found, injury) in [
      ("\"uco-core:isDirectional\": true,", ""), ("recordFieldName", "recordFieldTitle"), ("SHA256", "SHA-256"),
      ("uco-observable:TableField\"", "uco-observable:TableCell\""), ("xsd:hexBinary", "xsd:hex"),
    ] {
      let injured = try folder.write(
        Array(text.replacingOccurrences(of: found, with: injury).utf8), to: "injured.jsonld")
      #expect(try Program.launch([check, injured]).status == 1, "\(found)")
    }
    let facts = """
      import hashlib, json, sys
      graph = json.load(open(sys.argv[1]))['@graph']
      kinds = lambda kind: [thing for thing in graph if thing['@type'] == kind]
      for file in kinds('uco-observable:File'):
        path, content = [facet for facet in file['uco-core:hasFacet']]
        data = open(path['uco-observable:filePath'], 'rb').read()
        assert len(data) == content['uco-observable:sizeInBytes']
        for one in content['uco-observable:hash']:
          method = getattr(hashlib, one['uco-types:hashMethod'].lower())
          assert method(data).hexdigest().upper() == one['uco-types:hashValue']['@value']
      names = {thing['@id']: thing for thing in graph}
      for thing in kinds('uco-observable:ObservableRelationship'):
        for facet in thing.get('uco-core:hasFacet', []):
          file = names[thing['uco-core:target']['@id']]['uco-core:hasFacet'][0]['uco-observable:filePath']
          row = names[thing['uco-core:source'][0]['@id']]['uco-core:name']
          start, size = facet['uco-observable:rangeOffset'], facet['uco-observable:rangeSize']
          if row == 'Note 4': assert b'Note 4' in open(file, 'rb').read()[start:start + size]
      print(len(kinds('uco-observable:RecoveredObject')), len(kinds('uco-observable:TableField')),
            *(kinds('case-investigation:InvestigativeAction')[0]['uco-action:startTime'].values()))
      """
    let fields = try rows(store).map { ($0["values"] as? [Any])?.count ?? 0 }.reduce(0, +)
    #expect(
      try String(decoding: Python.run(facts, [document]), as: UTF8.self)
        == "5 \(fields) xsd:dateTime 2023-11-14T22:13:20.000000000Z\n")
  }

  @Test func twoRunsAreEqualByteByByte() throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    for format in ["csv", "html", "case"] {
      let text = try recover(store, ["--format", format]).output
      #expect(!text.isEmpty)
      #expect(try recover(store, ["--format", format]).output == text)
    }
  }
}
