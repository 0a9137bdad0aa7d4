import Foundation
import StoreDataModel
import StorePublishing
import StoreSQLite
import TestSupport
import Testing

@testable import StoreSamples

/// What is in sample stores, read with SQL.
@Suite struct SampleContentTests {
  /// Folders in folders; notes that need one, with a title of three to eight characters.
  private func notes() throws -> Model {
    try Model(entities: [
      Entity(
        name: "Folder",
        properties: [
          attribute("name", .string, required: true),
          link("parent", "Folder", inverse: "children"),
          link("children", "Folder", inverse: "parent", many: 0),
          link("notes", "Note", inverse: "folder", many: 0, ordered: true),
        ], uniquenessConstraints: [["name"]]),
      Entity(
        name: "Note",
        properties: [
          attribute("title", .string, required: true) {
            $0.validationPredicates = [
              rule(.keyPath("length"), .greaterThanOrEqual, .integer(3)),
              rule(.keyPath("length"), .lessThanOrEqual, .integer(8)),
            ]
          },
          attribute("stars", .integer16) { $0.defaultValue = .integer(3) },
          attribute("size", .double),
          attribute("created", .date),
          link("folder", "Folder", inverse: "notes", required: true),
          link("tags", "Tag", inverse: "notes", many: 0),
        ]),
      Entity(name: "Task", parent: "Note", properties: [attribute("isDone", .boolean, required: true)]),
      Entity(
        name: "Tag", properties: [attribute("name", .string), link("notes", "Note", inverse: "tags", many: 3)]),
    ])
  }

  @Test func minimalHasWhatIsRequired() throws {
    let store = try make(notes(), .minimal)
    #expect(store.sample.entities.map { "\($0.name) \($0.objects)" } == ["Folder 1", "Note 1", "Task 1", "Tag 1"])
    #expect(
      try store.rows("SELECT Z_ENT, ZTITLE, ZSTARS, ZSIZE, ZCREATED, ZFOLDER, ZISDONE FROM ZNOTE") == [
        "2 Title 1 3 - - 1 -", "3 Title 1 3 - - 1 0",
      ])
    #expect(try store.rows("SELECT ZNAME, ZPARENT FROM ZFOLDER") == ["Name 1 -"])
    #expect(try store.rows("SELECT count(*) FROM Z_2TAGS") == ["0"])
    #expect(
      try store.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY") == [
        "1 Folder 0 1", "2 Note 0 2", "3 Task 2 0", "4 Tag 0 1",
      ])
    #expect(store.sample.findings.isEmpty && store.sample.limits.isEmpty)
  }

  @Test func typicalSetsEverything() throws {
    let store = try make(notes(), .typical)
    for entity in store.sample.entities { #expect((10...20).contains(entity.objects), "\(entity.name)") }
    let unset = try store.rows(
      "SELECT count(*) FROM ZNOTE WHERE ZTITLE IS NULL OR ZSTARS IS NULL OR ZSIZE IS NULL OR ZCREATED IS NULL "
        + "OR ZFOLDER IS NULL OR Z_FOK_FOLDER IS NULL")
    #expect(unset == ["0"])
    // All but the topmost folder are in another, and above it in the file: no loops.
    #expect(try store.rows("SELECT Z_PK FROM ZFOLDER WHERE ZPARENT IS NULL") == ["1"])
    #expect(try store.rows("SELECT count(*) FROM ZFOLDER WHERE ZPARENT >= Z_PK") == ["0"])
    #expect(try store.rows("SELECT max(n) FROM (SELECT count(*) n FROM Z_2TAGS GROUP BY Z_4TAGS)") == ["3"])
    #expect(try store.rows("SELECT count(*) FROM ZNOTE WHERE length(ZTITLE) NOT BETWEEN 3 AND 8") == ["0"])
    #expect(
      store.sample.links
        == Int(try store.rows("SELECT (SELECT count(*) FROM Z_2TAGS) + count(ZFOLDER) FROM ZNOTE")[0])
        .map { $0 + store.count("Folder") - 1 })
  }

  @Test func rowsAreOfEachEntity() throws {
    let store = try make(notes(), .typical, rows: 300)
    #expect(store.sample.entities.map(\.objects) == [300, 300, 300, 300])
    #expect(try store.rows("SELECT Z_ENT, count(*) FROM ZNOTE GROUP BY 1") == ["2 300", "3 300"])
    #expect(try store.rows("SELECT count(DISTINCT ZNAME) FROM ZFOLDER") == ["300"])
  }

  @Test func edgeGoesToTheBounds() throws {
    let store = try make(notes(), .edge)
    #expect(
      try store.rows("SELECT min(ZSTARS), max(ZSTARS), count(*) - count(ZSTARS) FROM ZNOTE") == ["-32768 32767 10"])
    #expect(try store.rows("SELECT min(length(ZTITLE)), max(length(ZTITLE)) FROM ZNOTE") == ["3 8"])
    #expect(
      try store.rows("SELECT min(ZCREATED), max(ZCREATED), max(ZSIZE) = 1.7976931348623157e308 FROM ZNOTE")
        == ["-63114076800 64092211200 1"])
    // Empty and huge, and the same name twice where it need not be unique.
    #expect(try store.rows("SELECT max(length(ZNAME)) FROM ZTAG") == ["300000"])
    #expect(try store.rows("SELECT count(*) FROM ZTAG WHERE ZNAME = 'Duplicate'") == ["2"])
    #expect(try store.rows("SELECT count(*), count(DISTINCT ZNAME) FROM ZFOLDER") == ["20 20"])
    // Each folder is in the one before it.
    let depth = """
      WITH RECURSIVE deep(key, level) AS (
        SELECT Z_PK, 1 FROM ZFOLDER WHERE ZPARENT IS NULL
        UNION ALL SELECT Z_PK, level + 1 FROM ZFOLDER JOIN deep ON ZPARENT = key)
      SELECT max(level) FROM deep
      """
    #expect(try store.rows(depth) == ["19"])
    #expect(try store.rows("SELECT max(n) FROM (SELECT count(*) n FROM Z_2TAGS GROUP BY Z_4TAGS)") == ["3"])
    // The order of the links is not that of the keys.
    #expect(
      try store.rows(
        "SELECT count(*) > 0 FROM ZNOTE a JOIN ZNOTE b ON a.ZFOLDER = b.ZFOLDER AND a.Z_PK < b.Z_PK "
          + "AND a.Z_FOK_FOLDER > b.Z_FOK_FOLDER") == ["1"])
  }

  // MARK: Rules that ask for much

  @Test func requiredRelationshipsGetTheObjectsTheyNeed() throws {
    // A team has at least three players, a player exactly one team and one passport.
    let store = try make(
      Model(entities: [
        Entity(
          name: "Team", properties: [link("players", "Player", inverse: "team", many: 0, least: 3, required: true)]),
        Entity(
          name: "Player",
          properties: [
            link("team", "Team", inverse: "players", required: true),
            link("passport", "Passport", inverse: "holder", required: true),
          ]),
        Entity(name: "Passport", properties: [link("holder", "Player", inverse: "passport", required: true)]),
      ]), .minimal)
    #expect(store.sample.entities.map { "\($0.name) \($0.objects)" } == ["Passport 3", "Player 3", "Team 1"])
    #expect(try store.rows("SELECT ZTEAM, count(DISTINCT ZPASSPORT) FROM ZPLAYER") == ["1 3"])
    #expect(
      try store.rows(
        "SELECT count(*) FROM ZPLAYER JOIN ZPASSPORT ON ZPASSPORT.ZHOLDER = ZPLAYER.Z_PK "
          + "AND ZPLAYER.ZPASSPORT = ZPASSPORT.Z_PK") == ["3"])
    #expect(store.sample.findings.isEmpty)
  }

  @Test func whatCannotBeKeptIsSaid() throws {
    // Each node has two children and one parent: no finite number of nodes does.
    let store = try make(
      Model(entities: [
        Entity(
          name: "Node",
          properties: [
            link("parent", "Node", inverse: "children", required: true),
            link("children", "Node", inverse: "parent", many: 0, least: 2, required: true),
            attribute("code", .string, required: true) {
              $0.validationPredicates = [
                rule(.keyPath("length"), .lessThan, .integer(2)), rule(.evaluatedObject, .matches, .string("[a-z]{3}")),
              ]
            },
          ])
      ]), .typical)
    #expect(Set(store.sample.findings.map(\.id)).isSuperset(of: ["SD407", "SD507"]))
    #expect(store.sample.limits == ["Node.code: no value was found that its rules allow"])
  }

  @Test func uniquenessLimitsTheObjects() throws {
    let store = try make(
      Model(entities: [
        Entity(
          name: "Flag", properties: [attribute("isOn", .boolean, required: true)], uniquenessConstraints: [["isOn"]]),
        // A pair of a student and a course, once.
        Entity(name: "Student", properties: [link("seats", "Seat", inverse: "student", many: 0)]),
        Entity(name: "Course", properties: [link("seats", "Seat", inverse: "course", many: 0)]),
        Entity(
          name: "Seat",
          properties: [
            link("student", "Student", inverse: "seats", required: true),
            link("course", "Course", inverse: "seats", required: true),
          ], uniquenessConstraints: [["student", "course"]]),
      ]), .typical, rows: 40)
    #expect(store.count("Flag") == 2 && store.count("Seat") == 40)
    #expect(
      store.sample.limits == ["Flag has 2 of 40 objects: a uniqueness constraint leaves no room for more"])
    #expect(try store.rows("SELECT count(*) FROM (SELECT DISTINCT ZSTUDENT, ZCOURSE FROM ZSEAT)") == ["40"])
    #expect(store.sample.findings.isEmpty)
  }

  @Test(arguments: [
    "[a-z]{2,4}-\\d+", "(?i)(north|south)[.]?[0-9a-f]{6}", "^\\p{Lu}\\w*( \\w+)?$", "[^@]+@[^@]+\\.[a-z]{2}",
    "\\u0416+|[\\p{Lo}]{3}", "(a|b)*c(d|e)+", "[^a-zA-Z0-9]{5}",
  ])
  func textsMatchPatterns(_ pattern: String) throws {
    let store = try make(
      Model(entities: [
        Entity(
          name: "Item",
          properties: [
            attribute("code", .string, required: true) {
              $0.validationPredicates = [rule(.evaluatedObject, .matches, .string(pattern))]
            }
          ])
      ]), .typical)
    #expect(store.sample.findings.isEmpty)
    let codes = try store.rows("SELECT ZCODE FROM ZITEM")
    // Foundation's engine is another one.
    for code in codes {
      #expect(code.range(of: "^(?:\(pattern))$", options: .regularExpression) != nil, "\(code) and \(pattern)")
    }
    #expect(Set(codes).count > 1)
  }

  @Test func whatIsNotAsInTheAppIsSaid() throws {
    let store = try make(
      Model(entities: [
        Entity(
          name: "Item",
          properties: [
            attribute("count", .integer64) {
              $0.derivation = Derivation(expression: .function("count:", operand: nil, [.keyPath("parts")]))
            },
            attribute("look", .transformable) { $0.valueTransformerName = "LookTransformer" },
            attribute("shade", .transformable) { $0.valueClassName = "UIColor" },
            attribute("words", .transformable) { $0.valueClassName = "[String]" },
            attribute("code", .string) {
              $0.validationPredicates = [rule(.evaluatedObject, .matches, .string("(?=a)b"))]
            },
          ])
      ]), .typical)
    #expect(
      store.sample.limits == [
        "Item.code has a rule that values may break: the pattern has a group of the form '(?'",
        "Item.count is derived: its values, and the triggers that keep them, are not made",
        "Item.look has a keyed archive of a list of texts: what 'LookTransformer' writes is not known",
        "Item.shade has a keyed archive of a list of texts: what 'UIColor' writes is not known",
      ])
    #expect(
      try store.rows("SELECT count(ZCOUNT), count(ZLOOK) = count(*), count(ZCODE) = count(*) FROM ZITEM") == ["0 1 1"])
    #expect(store.sample.findings.isEmpty)
  }

  @Test func namesThatNoTableHasAreRefused() throws {
    for (name, words) in [("Zoë & Söhne", "cannot be the name"), ("", "cannot be the name")] {
      #expect { try make(Model(entities: [Entity(name: name)]), .minimal) } throws: { "\($0)".contains(words) }
    }
    #expect { try make(Model(entities: [Entity(name: "Note"), Entity(name: "NOTE")]), .minimal) } throws: {
      "\($0)" == "two entities have the table ZNOTE"
    }
  }

  // MARK: Making

  private struct Made {
    var folder: TemporaryFolder
    var sample: MadeSample

    func rows(_ sql: String) throws -> [String] {
      let connection = try Connection(reading: DatabaseFiles(path: sample.output))
      let statement = try connection.prepare(sql)
      var rows: [String] = []
      while try statement.step() {
        rows.append((0..<statement.columnCount).map { statement.string($0) ?? "-" }.joined(separator: " "))
      }
      return rows
    }

    func count(_ entity: String) -> Int { sample.entities.first { $0.name == entity }?.objects ?? -1 }
  }

  private func make(_ model: Model, _ kind: SampleKind, rows: Int? = nil) throws -> Made {
    let folder = try TemporaryFolder.inMemory()
    let source = ModelSource(path: "Model.json", format: .json, version: "1", model: model)
    let sample = try makeSample(
      of: source.versions[0], in: source, to: OutputTarget(PosixPath(folder("Sample.sqlite"))),
      SampleOptions(kind: kind, rows: rows))
    return Made(folder: folder, sample: sample)
  }
}

private func attribute(
  _ name: String, _ type: AttributeType, required: Bool = false, _ configure: (inout Attribute) -> Void = { _ in }
) -> Property {
  var attribute = Attribute(type: type)
  configure(&attribute)
  return Property(name: name, isOptional: !required, kind: .attribute(attribute))
}

/// A to-one relationship, or a to-many one with the most it may have (0 for any number).
private func link(
  _ name: String, _ destination: String, inverse: String, many: Int32 = 1, least: Int32 = 0, ordered: Bool = false,
  required: Bool = false
) -> Property {
  Property(
    name: name, isOptional: !required,
    kind: .relationship(
      Relationship(
        destination: destination, inverse: inverse, minimumCount: many == 1 && required ? 1 : least, maximumCount: many,
        isOrdered: ordered)))
}

// Foundation has types of these names, too.
private typealias Predicate = StoreDataModel.Predicate
private typealias Expression = StoreDataModel.Expression

private func rule(_ left: Expression, _ kind: Predicate.Operator, _ right: Expression.Constant) -> Predicate {
  .comparison(.init(left, kind, .constant(right)))
}
