import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreGenerator
import StoreModels
import StorePublishing
import StoreRows
import StoreSQLite
import Synchronization
import TestSupport
import Testing

@testable import StoreMigrator

/// A store migrated by a random mapping model equals the objects that an interpreter of such models makes of its objects,
/// written into a fresh store.
@Suite struct MappingLawTests {
  @Test(arguments: LongRuns.seeds(200, whole: 2000))
  func equalsWhatAnInterpreterMakes(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var maker = ModelMaker()
    let source = try maker.model(&random)
    let target = try maker.changed(source, &random)
    guard source.versionHashes != target.versionHashes else { return count("equal") }
    let rows = MadeRows(source, &random)
    let made = MappingMaker(source: source, target: target).mappings(&random)
    let expected = MappingInterpreter(rows: rows, target: target, mappings: made) { mapping, object in
      mapping.filter == nil || (object.values["p1"] ?? .null) != .null
    }.result()
    let folder = try TemporaryFolder()
    try rows.write(to: folder("Old.sqlite"))
    var file = XcodeMappingFile(from: source, to: target)
    file.mappings = made
    try file.write(to: folder("OldToNew.xcmappingmodel"))
    var candidates = CandidateOptions(models: try [("old", source), ("new", target)].map(modelSource))
    candidates.mappings = try MappingSources([PosixPath(folder("OldToNew.xcmappingmodel"))])
    let run = MigrationRun(candidates, allowsAssumed: true, now: 700_000_000)
    let old = try Store(path: folder("Old.sqlite"))
    let verdict = try #require(
      diagnose(Examination(store: old, options: DiagnosisOptions(candidates: candidates))).deciding)
    if verdict.verdict == .blockedByData { #expect(expected.lacksRequired, "seed \(seed)") }
    if expected.lacksPlainValue(by: made, of: rows) { #expect(verdict.verdict == .blockedByData, "seed \(seed)") }
    do {
      let performed = try migrate(old, to: OutputTarget(PosixPath(folder("New.sqlite"))), run: run)
      #expect(expected.fault == nil && !expected.lacksRequired, "seed \(seed)")
      #expect(performed.hops.first?.mapping != nil, "seed \(seed)")
      guard expected.fault == nil, !expected.lacksRequired else { return }
      try expected.write(to: folder("Fresh.sqlite"))
      let (new, fresh) = (try Store(path: folder("New.sqlite")), try Store(path: folder("Fresh.sqlite")))
      var options = ComparisonOptions()
      options.pairing = .key
      var changes: [String] = []
      _ = try compareStores(new, fresh, options: options) { change in
        changes.append("\(change.kind) \(change.entity) \(change.keyBefore ?? 0) \(change.values)")
      }
      #expect(changes == [], "seed \(seed)")
      #expect(try objects(of: new) == objects(of: fresh), "seed \(seed)")
      #expect(
        try lines("SELECT * FROM Z_PRIMARYKEY ORDER BY Z_ENT", new)
          == lines("SELECT * FROM Z_PRIMARYKEY ORDER BY Z_ENT", fresh), "seed \(seed)")
      #expect(try places(new) == places(fresh), "seed \(seed)")
      #expect(new.layout.unexplained == [], "seed \(seed)")
      #expect(try planMigration(of: new, run).hops.isEmpty)
      count("performed")
    } catch let refused as MigrationRefused {
      #expect(expected.fault != nil || expected.lacksRequired, "seed \(seed): \(refused.refusals.map(\.message))")
      let isNamed = refused.refusals.contains { $0.reason.contains("without a value, which is required") }
      if isNamed { #expect(expected.lacksRequired, "seed \(seed): \(refused.refusals.map(\.message))") }
      if expected.fault == nil { #expect(isNamed, "seed \(seed): \(refused.refusals.map(\.message))") }
      #expect(FileSystem.kind(of: PosixPath(folder("New.sqlite"))) == nil)
      count("refused")
    }
  }

  private func objects(of store: Store) throws -> [String] {
    try lines("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name", store)
  }

  /// Companions and order keys, which a comparison of objects does not look at.
  private func places(_ store: Store) throws -> [String] {
    try store.shape.tables.keys.filter { $0 != "Z_METADATA" && $0 != "Z_MODELCACHE" }.sorted().flatMap { table in
      let columns = store.shape.tables[table]?.columns.map(\.name).filter { $0 != "Z_OPT" } ?? []
      return try lines("SELECT '\(table)', \(columns.joined(separator: ", ")) FROM \(table) ORDER BY 1, 2, 3", store)
    }
  }

  private static let counts = Mutex<[String: Int]>([:])

  /// Counts what became of mapping models: a law that is asked of few of them says little.
  private func count(_ outcome: String) {
    let counts = Self.counts.withLock { counts in
      counts[outcome, default: 0] += 1
      return counts
    }
    guard counts.values.reduce(0, +) == LongRuns.seeds(200, whole: 2000).count, counts.values.reduce(0, +) > 50 else {
      return
    }
    #expect(counts["performed", default: 0] * 2 > counts.values.reduce(0, +), "\(counts)")
  }
}

/// Makes random mapping models between two models.
private struct MappingMaker {
  let source: Model
  let target: Model

  func mappings(_ random: inout SeededGenerator) -> [XcodeMappingFile.EntityMapping] {
    var mappings: [XcodeMappingFile.EntityMapping] = []
    for entity in target.entities where !entity.isAbstract {
      var from = source.entity(named: entity.name)?.name
      if Int.random(in: 0..<6, using: &random) == 0 { from = source.entities.randomElement(using: &random)?.name }
      guard let from, Int.random(in: 0..<12, using: &random) > 0 else {
        mappings.append(.init(nil, to: entity.name))
        continue
      }
      var mapping = XcodeMappingFile.EntityMapping(from, to: entity.name)
      // One entity mapping for a pair of entities: its name is made of both.
      if Int.random(in: 0..<8, using: &random) == 0, source.property("p1", of: from)?.attribute != nil {
        mapping.filter = "p1 != nil"
      }
      for (name, inherited) in target.properties(of: entity.name).sorted(by: { $0.key < $1.key }) {
        if let attribute = inherited.property.attribute {
          if let stated = self.attribute(name, attribute, from: from, &random) { mapping.attributes.append(stated) }
        } else if inherited.property.relationship != nil {
          mapping.relationships.append(.init(name))
        }
      }
      mappings.append(mapping)
    }
    return mappings.filter { mapping in mapping.source == nil || isPossible(mapping) }.shuffled(using: &random)
  }

  /// Relationships of equal names that lead elsewhere are of no use to a test of those that lead to the same.
  private func isPossible(_ mapping: XcodeMappingFile.EntityMapping) -> Bool { true }

  private func attribute(
    _ name: String, _ attribute: Attribute, from entity: String, _ random: inout SeededGenerator
  ) -> XcodeMappingFile.PropertyMapping? {
    func isAlike(_ path: String, _ type: AttributeType?) -> Bool { type == attribute.type }
    let own = source.properties(of: entity).sorted { $0.key < $1.key }.map { ($0.key, $0.value.property) }
    let same = own.first { $0.0 == name }?.1.attribute
    var paths = own.filter { isAlike($0.0, $0.1.attribute?.type) }.map(\.0)
    for (relationship, property) in own {
      guard let to = property.relationship, !to.isToMany else { continue }
      paths += source.properties(of: to.destination).sorted { $0.key < $1.key }
        .filter { isAlike($0.key, $0.value.property.attribute?.type) }.map { "\(relationship).\($0.key)" }
    }
    let constant: Expression.Constant? =
      switch attribute.type {
      case .string: .string("it's <a> & b")
      case .integer16, .integer32, .integer64: .integer(41)
      case .double: .real(2.25)
      default: nil
      }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: if let constant { return .init(name, .constant(constant)) }
    case 1, 2:
      if let path = paths.randomElement(using: &random) { return .init(name, .path(of: .variable("source"), path)) }
    // Nothing is said of it: the default stays.
    case 3: return nil
    default: break
    }
    if same == nil || same?.type == attribute.type { return .init(name) }
    return constant.map { .init(name, .constant($0)) }
  }
}

/// What history says of objects is carried by a mapping model, under their new keys.
@Suite struct MappedHistoryTests {
  @Test func changesNameTheSameObjects() throws {
    let (old, new) = (
      try ModelNotation.model(["A: x String?", "B: mid String?; zed String?"]),
      try ModelNotation.model(["B: alpha String?; mid String?; zed String?", "C: x I64?"])
    )
    let folder = try TemporaryFolder()
    let writer = try StoreWriter(
      creating: folder("old.sqlite"), StoreDescription(model: old, keepsHistory: true, usesWAL: false))
    for key in [4, 9] { try writer.insert("B", ["mid": .text("m\(key)")], key: Int64(key)) }
    // B is 2 of 2. One object was deleted: its number must not become another's.
    try writer.database.execute(
      """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) VALUES
        (1, 16001, 0, 2, 4, 1, NULL), (2, 16001, 1, 2, 9, 1, x'80'), (3, 16001, 1, 2, 9, 1, x'40'),
        (4, 16001, 2, 2, 1, 1, NULL);
      """)
    try writer.finish()
    var file = XcodeMappingFile(from: old, to: new)
    file.mappings = [.generated("B", to: "B", in: new), .init(nil, to: "C"), .init("A", to: nil)]
    try file.write(to: folder("m.xcmappingmodel"))
    var candidates = CandidateOptions(models: try [("old", old), ("new", new)].map(modelSource))
    candidates.mappings = try MappingSources([PosixPath(folder("m.xcmappingmodel"))])
    let store = try Store(path: folder("old.sqlite"))
    let performed = try migrate(
      store, to: OutputTarget(PosixPath(folder("new.sqlite"))),
      run: MigrationRun(candidates, allowsAssumed: true, now: 0))
    #expect(performed.assumptions.contains { $0.hasPrefix("history: ") })
    let result = try Store(path: folder("new.sqlite"))
    #expect(
      try lines("SELECT ZENTITY, ZENTITYPK, ZCHANGETYPE, hex(ZCOLUMNS) FROM ACHANGE ORDER BY Z_PK", result)
        == ["1|1|0|", "1|2|1|40", "1|2|1|20", "1|3|2|"])
    #expect(try lines("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'B'", result) == ["3"])
  }
}
