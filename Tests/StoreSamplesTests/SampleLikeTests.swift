import StoreCoreData
import StoreModels
import StorePublishing
import StoreSQLite
import TestSupport
import Testing

@testable import StoreSamples

/// A sample like a store has as much of everything, and nothing of what it says.
@Suite struct SampleLikeTests {
  private static let stores = ["Club", "Guests", "Notes", "School", "SchoolBridge", "Shapes", "Shop"]

  /// By table and column of the store's own SQL: rows, rows with a value, and of keys how often each number of equal ones
  /// occurs. Tables of the same version have the same names.
  private static func counts(_ path: String) throws -> [String: String] {
    let connection = try Connection(writing: path, create: false)
    defer { connection.close() }
    func rows(_ sql: String) throws -> [[SQLiteValue]] {
      let statement = try connection.prepare(sql)
      var rows: [[SQLiteValue]] = []
      while try statement.step() { rows.append((0..<statement.columnCount).map { statement.value($0) }) }
      return rows
    }
    var counts: [String: String] = [:]
    let tables = try rows(
      """
      SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'
      AND (m.name GLOB 'Z[A-Z]*' OR m.name GLOB 'Z_[0-9]*') AND c.name NOT GLOB 'Z_[A-Z]*'
      """)
    for names in tables {
      guard case .text(let table) = names[0], case .text(let column) = names[1] else { continue }
      let (name, key) = (String(decoding: table, as: UTF8.self), String(decoding: column, as: UTF8.self))
      // The order of links is not counted.
      if key.hasPrefix("Z_FOK") { continue }
      counts["\(name).\(key)"] = "\(try rows("SELECT COUNT(*), COUNT(\(key)) FROM \(name)"))"
    }
    return counts
  }

  private func make(_ store: String, _ folder: TemporaryFolder, seed: UInt64 = 1) throws -> (
    path: String, made: MadeSample
  ) {
    let path = folder("Sample\(seed).sqlite")
    let source = try readModel(PosixPath(store))
    let shape = try SampleShape(of: Store(path: store))
    let made = try makeSample(
      of: source.versions[0], in: source, to: OutputTarget(PosixPath(path)), SampleOptions(like: shape, seed: seed))
    return (path, made)
  }

  @Test(arguments: stores) func hasAsMuchOfEverything(_ name: String) throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/\(name).sqlite"))
    let sample = try make(store, folder)
    #expect(sample.made.limits.filter { $0.contains("fewer than the store") } == [])
    #expect(try Self.counts(sample.path) == Self.counts(store))
    let (shape, its) = try (SampleShape(of: Store(path: store)), SampleShape(of: Store(path: sample.path)))
    for entity in try Store(path: store).layout.entities where shape.objects[entity.name] != nil {
      let count = shape.objects[entity.name] ?? 0
      for relationship in entity.relationships {
        #expect(
          its.degrees(entity.name, relationship.name, count: count)
            == shape.degrees(entity.name, relationship.name, count: count), "\(entity.name).\(relationship.name)")
      }
    }
  }

  /// Not one text of the store is in the sample.
  @Test func hasNoneOfItsValues() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let bytes = try contents(of: make(store, folder).path)
    let connection = try Connection(writing: store, create: false)
    defer { connection.close() }
    let texts = try connection.prepare(
      "SELECT ZTITLE FROM ZNOTE UNION SELECT ZNAME FROM ZFOLDER UNION SELECT ZNAME FROM ZTAG")
    var searched = 0
    while try texts.step() {
      guard case .text(let text) = texts.value(0), text.count >= 6 else { continue }
      searched += 1
      #expect(bytes.firstRange(of: text) == nil, "\(String(decoding: text, as: UTF8.self))")
    }
    #expect(searched > 10)
  }

  /// Of many objects, too, and another seed gives others.
  @Test func manyObjectsHaveAsManyLinks() throws {
    let folder = try TemporaryFolder()
    let store = folder("Many.sqlite")
    let source = try readModel(PosixPath(Project.path("corpus/Notes.sqlite")))
    _ = try makeSample(
      of: source.versions[0], in: source, to: OutputTarget(PosixPath(store)), SampleOptions(kind: .edge, rows: 2_000))
    let (one, two) = try (make(store, folder), make(store, folder, seed: 2))
    #expect(try Self.counts(one.path) == Self.counts(store))
    #expect(one.made.limits.filter { $0.contains("fewer than the store") } == [])
    #expect(try contents(of: one.path) != contents(of: two.path))
  }

  /// Of real stores each object is there, and what is not is said.
  @Test(.needsSharedData) func realStores() throws {
    let folder = try TemporaryFolder()
    var made = 0
    for path in Catalogue.real.map(\.path) where LongRuns.areWanted || made < 8 {
      guard let source = try? readModel(PosixPath(path)), !source.versions.isEmpty else { continue }
      let shape = try SampleShape(of: Store(path: path))
      let target = OutputTarget(PosixPath(folder("Like.sqlite")), replaces: true)
      let sample = try makeSample(of: source.versions[0], in: source, to: target, SampleOptions(like: shape))
      let wanted = shape.objects.filter { name, _ in sample.entities.contains { $0.name == name } }.values.reduce(0, +)
      #expect(sample.objects == wanted || sample.limits.contains { $0.contains("leaves no room for more") }, "\(path)")
      made += 1
    }
    #expect(made >= 8)
  }
}
