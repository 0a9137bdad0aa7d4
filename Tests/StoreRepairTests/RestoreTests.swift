import Foundation
import StoreCoreData
import StoreDataModel
import StoreGenerator
import StorePublishing
import StoreSQLite
import StoreWriting
import TestSupport
import Testing

@testable import StoreDiagnosis
@testable import StoreRepair

/// Deleted objects come back from an older copy, as they were, and nothing else changes.
@Suite struct RestoreTests {
  /// An older store and the same one after some objects were deleted, with SQL: rows, keys that led to them, and links.
  private struct Pair {
    let folder: TemporaryFolder
    let old: ObjectGraph
    let now: ObjectGraph

    var oldPath: String { folder("Old.sqlite") }
    var path: String { folder("Now.sqlite") }

    init(_ graphModel: GraphModel, _ random: inout SeededGenerator) throws {
      folder = try TemporaryFolder()
      let writer = try StoreWriter(creating: folder("Old.sqlite"), StoreDescription(model: graphModel.model))
      try graphModel.fill(writer, &random)
      try writer.finish()
      _ = try folder.write(contents(of: folder("Old.sqlite")), to: "Now.sqlite")
      old = try Self.graph(folder("Old.sqlite"))
      let gone = old.objects.keys.sorted().filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
      try Self.delete(gone, from: folder("Now.sqlite"))
      now = try Self.graph(folder("Now.sqlite"))
    }

    static func graph(_ path: String) throws -> ObjectGraph {
      let store = try Store(path: path)
      return try ObjectGraph(store, store.connection)
    }

    private static func delete(_ nodes: [Node], from path: String) throws {
      let store = try Store(path: path)
      let connection = try Connection(writing: path, create: false)
      defer { connection.close() }
      for node in nodes {
        let entity = try #require(store.layout.entity(named: node.root))
        try connection.execute("DELETE FROM \(entity.table) WHERE Z_PK = \(node.key)")
        for holder in store.layout.entities {
          for relationship in holder.relationships {
            guard let destination = relationship.destination.flatMap({ store.layout.entity(named: $0) }) else {
              continue
            }
            switch relationship.storage {
            case .key(let column?, let companion, let order) where destination.table == entity.table:
              let set = [column, companion, order].compactMap(\.self).map { "\($0) = NULL" }.joined(separator: ", ")
              try connection.execute("UPDATE \(holder.table) SET \(set) WHERE \(column) = \(node.key)")
            case .hiddenKey(let table, let column?, let order) where holder.table == entity.table:
              let set = [column, order].compactMap(\.self).map { "\($0) = NULL" }.joined(separator: ", ")
              try connection.execute("UPDATE \(table) SET \(set) WHERE \(column) = \(node.key)")
            default: break
            }
          }
        }
        for join in store.layout.joinTables {
          for end in [join.source, join.destination] {
            guard store.layout.entity(named: end.entity)?.table == entity.table else { continue }
            try connection.execute("DELETE FROM \(join.name) WHERE \(end.column) = \(node.key)")
          }
        }
      }
    }

    /// Nil where it is refused, since what comes back has faults that the older store had: a loop, too few or too many links.
    func repaired(_ item: Recipe.Restore) throws -> (outcome: RepairOutcome, graph: ObjectGraph)? {
      var recipe = Recipe()
      recipe.restore = [item]
      let target = OutputTarget(PosixPath(folder("Back.sqlite")), replaces: true)
      do {
        let outcome = try repair(recipe, of: Store(path: path), to: target)
        return (outcome, try Self.graph(folder("Back.sqlite")))
      } catch let error as RepairPlanError {
        let hadFault =
          try "\(error)".contains("loop") && old.hasLoop
          || "\(error)".contains("SD408")
            && diagnose(Examination(store: Store(path: oldPath))).findings.contains { $0.id == "SD408" }
        guard hadFault else { throw error }
        return nil
      }
    }
  }

  /// Most seeds are of stores without such faults.
  @Test func mostAreNotRefused() throws {
    var done = 0
    for seed: UInt64 in 0..<12 {
      var random = SeededGenerator(seed: seed)
      let models = try GraphModel.all()
      let pair = try Pair(models[Int(seed) % models.count], &random)
      done += try pair.repaired(.init(from: pair.oldPath)) == nil ? 0 : 1
    }
    #expect(done >= 5)
  }

  @Test(arguments: LongRuns.seeds(20, whole: 200))
  func allIsBackAndNothingElseChanged(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let models = try GraphModel.all()
    let pair = try Pair(models[Int(seed) % models.count], &random)
    guard pair.now != pair.old else { return }
    guard let (outcome, after) = try pair.repaired(.init(from: pair.oldPath)) else { return }
    #expect(after == pair.old, "seed \(seed)\n\(outcome.plan.obstacles)\n\(changes(pair.old, after))")
    // A second time there is nothing left to do.
    var recipe = Recipe()
    recipe.restore = [.init(from: pair.oldPath)]
    let again = try planRepair(recipe, of: Store(path: pair.folder("Back.sqlite")))
    #expect(again.operations.isEmpty, "seed \(seed)")
  }

  /// Of some objects only: they and their links come back, what they require and was not asked for holds them back, and no
  /// link is made that neither state has.
  @Test(arguments: LongRuns.seeds(15, whole: 200))
  func someAreBackWithTheirLinks(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 500)
    let models = try GraphModel.all()
    let graphModel = models[Int(seed) % models.count]
    let pair = try Pair(graphModel, &random)
    let gone = pair.old.objects.filter { pair.now.objects[$0.key] == nil }
    guard let entity = gone.values.map(\.entity).sorted().first else { return }
    for related in [false, true] {
      guard let (outcome, after) = try pair.repaired(.init(from: pair.oldPath, entity: entity, related: related))
      else { continue }
      let back = after.objects.filter { pair.now.objects[$0.key] == nil }
      let name = "seed \(seed), \(entity), related: \(related)"
      for (node, object) in back {
        #expect(object.attributes == pair.old.objects[node]?.attributes, "\(name): \(node)")
        #expect(related || object.entity == entity, "\(name): \(node)")
      }
      for (node, object) in after.objects {
        for (relationship, links) in object.links {
          let known =
            (pair.old.objects[node]?.links[relationship] ?? []) + (pair.now.objects[node]?.links[relationship] ?? [])
          #expect(Set(links).isSubset(of: known), "\(name): \(node).\(relationship)")
        }
        // What the store had is there still.
        guard let before = pair.now.objects[node] else { continue }
        #expect(object.attributes == before.attributes, "\(name): \(node)")
        for (relationship, links) in before.links {
          #expect(Set(links).isSubset(of: object.links[relationship] ?? []), "\(name): \(node).\(relationship)")
        }
      }
      // Every link of the older state between objects that are there now is there.
      for (node, object) in pair.old.objects {
        guard let now = after.objects[node] else { continue }
        for (relationship, links) in object.links {
          let present = links.filter { after.objects[$0] != nil }
          #expect(Set(present).isSubset(of: now.links[relationship] ?? []), "\(name): \(node).\(relationship)")
        }
      }
      let asked = gone.filter { $0.value.entity == entity }.count
      let held = outcome.plan.obstacles.filter { $0.repair == .restore }.map(\.count).reduce(0, +)
      #expect(back.values.count { $0.entity == entity } + (related ? 0 : held) >= asked, "\(name)")
    }
  }

  private func changes(_ wanted: ObjectGraph, _ got: ObjectGraph) -> String {
    let (wanted, got) = (Set(wanted.lines), Set(got.lines))
    return (["wanted:"] + wanted.subtracting(got).sorted() + ["got:"] + got.subtracting(wanted).sorted())
      .joined(separator: "\n")
  }

  @Test func anotherStoreIsRefused() throws {
    let folder = try TemporaryFolder()
    let model = try GraphModel.all()[0].model
    for name in ["One.sqlite", "Other.sqlite"] {
      let writer = try StoreWriter(creating: folder(name), StoreDescription(model: model))
      _ = try writer.insert("Tag", ["name": .text(name)])
      try writer.finish()
    }
    let connection = try Connection(writing: folder("Other.sqlite"), create: false)
    try connection.execute("UPDATE Z_METADATA SET Z_UUID = '00000000-0000-4000-8000-000000000001'")
    connection.close()
    var recipe = Recipe()
    recipe.restore = [.init(from: folder("Other.sqlite"))]
    let plan = try planRepair(recipe, of: Store(path: folder("One.sqlite")))
    #expect(plan.refusals.map(\.message).contains { $0.contains("their UUIDs differ") })
  }

  /// What the copy itself may lack is said, and a damaged one is refused.
  @Test func doubtsOfTheCopyAreSaid() throws {
    let folder = try TemporaryFolder()
    let model = try GraphModel.all()[0].model
    let writer = try StoreWriter(creating: folder("Now.sqlite"), StoreDescription(model: model, usesWAL: false))
    for number in 0..<2000 { _ = try writer.insert("Tag", ["name": .text("tag \(number)")]) }
    try writer.finish()
    var bytes = try contents(of: folder("Now.sqlite"))
    func words() throws -> String {
      _ = try folder.write(bytes, to: "Old.sqlite")
      var recipe = Recipe()
      recipe.restore = [.init(from: folder("Old.sqlite"), entity: "Tag")]
      let plan = try planRepair(recipe, of: Store(path: folder("Now.sqlite")))
      return (plan.notices + plan.refusals.map(\.message)).joined(separator: "\n")
    }
    #expect(try !words().contains("Old.sqlite': WAL"))
    (bytes[18], bytes[19]) = (2, 2)
    #expect(try words().contains("Old.sqlite': WAL mode, no -wal beside it"))
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    let leaf = try #require((1..<bytes.count / size).first { bytes[$0 * size] == 13 && bytes[$0 * size + 4] > 50 })
    for index in leaf * size..<leaf * size + 8 { bytes[index] = 0xff }
    #expect(try words().contains("Old.sqlite' is damaged"))
  }

  /// The content of an external file comes into the row; where it is lost and required, nothing is put back.
  @Test func externalContentComesWithTheRow() throws {
    let folder = try TemporaryFolder()
    let name = "01234567-89AB-CDEF-0123-456789ABCDEF"
    let model = try ModelNotation.model(["Photo: data Binary ext"])
    let writer = try StoreWriter(creating: folder("Old.sqlite"), StoreDescription(model: model, usesWAL: false))
    _ = try writer.insert("Photo", ["data": .blob([1, 7])])
    try writer.finish()
    _ = try folder.write(contents(of: folder("Old.sqlite")), to: "Now.sqlite")
    for (file, sql) in [
      ("Old.sqlite", "UPDATE ZPHOTO SET ZDATA = CAST(char(2) || '\(name)' AS BLOB) || x'00'"),
      ("Old.sqlite", "UPDATE ZPHOTO SET ZDATA = CAST(ZDATA AS BLOB)"), ("Now.sqlite", "DELETE FROM ZPHOTO"),
    ] {
      let connection = try Connection(writing: folder(file), create: false)
      try connection.execute(sql)
      connection.close()
    }
    var recipe = Recipe()
    recipe.restore = [.init(from: folder("Old.sqlite"))]
    let lost = try planRepair(recipe, of: Store(path: folder("Now.sqlite")))
    #expect(lost.notices.contains { $0.contains("in neither store") }, "\(lost.notices)")
    #expect(lost.refusals.contains { $0.message.contains("SD501") }, "\(lost.refusals)")

    let support = folder(".Old_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: support, withIntermediateDirectories: true)
    _ = try folder.write([8, 9], to: ".Old_SUPPORT/_EXTERNAL_DATA/\(name)")
    let target = OutputTarget(PosixPath(folder("Back.sqlite")), replaces: false)
    _ = try repair(recipe, of: Store(path: folder("Now.sqlite")), to: target)
    let statement = try Store(path: folder("Back.sqlite")).connection.prepare("SELECT ZDATA FROM ZPHOTO")
    #expect(try statement.step() && statement.value(0) == .blob([1, 8, 9]))
  }

  /// A unique value that another object has by now is said, and nothing is written.
  @Test func aUniqueValueThatIsTakenIsSaid() throws {
    let folder = try TemporaryFolder()
    let model = try ModelNotation.model(["Tag unique(name): name String?"])
    let writer = try StoreWriter(creating: folder("Old.sqlite"), StoreDescription(model: model))
    _ = try writer.insert("Tag", ["name": .text("a")])
    try writer.finish()
    _ = try folder.write(contents(of: folder("Old.sqlite")), to: "Now.sqlite")
    let connection = try Connection(writing: folder("Now.sqlite"), create: false)
    try connection.execute("UPDATE ZTAG SET Z_PK = 2; UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Tag'")
    connection.close()
    var recipe = Recipe()
    recipe.restore = [.init(from: folder("Old.sqlite"), entity: "Tag", keys: [1])]
    let plan = try planRepair(recipe, of: Store(path: folder("Now.sqlite")))
    #expect(plan.refusals.contains { $0.keys == [1] && $0.message.contains("unique") }, "\(plan.obstacles)")
  }
}

extension ObjectGraph {
  /// Whether an object is its own ancestor along a to-one relationship.
  fileprivate var hasLoop: Bool {
    objects.contains { node, object in
      object.links.contains { name, links in
        var (next, steps) = (links.count == 1 ? links.first : nil, 0)
        while let other = next, steps < objects.count {
          if other == node { return true }
          let further = objects[other]?.links[name] ?? []
          next = further.count == 1 ? further.first : nil
          steps += 1
        }
        return false
      }
    }
  }
}
