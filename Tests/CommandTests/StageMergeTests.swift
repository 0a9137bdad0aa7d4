import Foundation
import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

/// The Swift of a stage that merges twins does what the recipe does: both are run here, the Swift on a few lines of code
/// that keep objects, inverses and delete rules as Core Data's documentation says.
@Suite struct StageMergeTests {
  private static let old = [
    "Cover: note ->Note?~cover", "Folder: name String?; colour String?; notes ->>Note?~folder delete(cascade)",
    "Note: title String?; body String?; folder ->Folder?~notes; cover ->Cover?~note delete(cascade); "
      + "pages ->>Page?~note delete(cascade); tags ->>Tag?~notes",
    "Page: note ->Note?~pages", "Tag: notes ->>Note?~tags",
  ]

  private static let recipe = """
    version: 1
    willMigrate:
      dedupe:
        - {entity: Folder, by: [name], keep: first, others: merge}
        - {entity: Note, by: [title], keep: last, others: merge}
    """

  /// Objects in the order of their keys, then their links.
  private static let objects: [(entity: String, values: [String: String])] = [
    ("Folder", ["name": "Home"]), ("Folder", ["name": "Home", "colour": "red"]), ("Folder", ["name": "Work"]),
    ("Note", ["title": "Milk", "body": "one"]), ("Note", ["title": "Milk", "body": "two"]),
    ("Note", ["title": "Milk"]),
    ("Note", ["title": "Bread"]), ("Tag", [:]), ("Tag", [:]), ("Page", [:]), ("Page", [:]), ("Page", [:]),
    ("Cover", [:]),
    ("Cover", [:]),
  ]
  private static let links = [
    (4, "folder", 1), (3, "tags", 7), (4, "tags", 7), (4, "tags", 8), (5, "tags", 8), (9, "note", 4),
    (10, "note", 5), (11, "note", 6), (12, "note", 4), (13, "note", 3),
  ]

  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc"))
  func givesWhatTheRecipeGives() throws {
    let folder = try TemporaryFolder()
    try writeStore(in: folder)
    let outcome = try Program.run([
      "migrate", folder("Old.sqlite"), "--model", folder("Notes.xcdatamodeld"), "--opening", "staged", "--stages",
      "custom:Old>New", "--perform", "Old>New=\(folder("stage.yaml"))", "--output", folder("New.sqlite"),
      "--stage-swift", folder("Stage.swift"), "--allow-lossy",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let expected = try stored(folder("New.sqlite"))
    // The last note stays, and takes what it lacks from the one before it.
    #expect(expected.prefix(3) == ["Cover 1 note 3", "Cover 2", "Folder 1 colour=red name=Home"])
    #expect(expected.contains("Note 3 body=two title=Milk cover 1 folder 1 pages 1 2 tags 1 2"), "\(expected)")
    let code = try String(contentsOfFile: folder("Stage.swift"), encoding: .utf8)
    #expect(!code.contains("#warning"))
    let printed = try SwiftCompiler.output(
      ofProgram: Self.memory + code.replacing("import CoreData", with: "") + "\n" + Self.main)
    #expect(printed.split(separator: "\n").map(String.init) == expected)
  }

  private func writeStore(in folder: TemporaryFolder) throws {
    try ModelBundle.write(
      [("Old", Self.old), ("New", Self.old + ["Zone: name String?"])], to: folder("Notes.xcdatamodeld"))
    try Self.recipe.write(toFile: folder("stage.yaml"), atomically: true, encoding: .utf8)
    let writer = try StoreWriter(
      creating: folder("Old.sqlite"), StoreDescription(model: ModelNotation.model(Self.old), usesWAL: false))
    let keys = try Self.objects.map { try writer.insert($0.entity, $0.values.mapValues { .text($0) }) }
    for (from, name, to) in Self.links { try writer.link(keys[from], name, to: keys[to]) }
    try writer.finish()
  }

  /// "Note 3 body=two title=Milk cover 1 folder 1 pages 1 2 tags 1 2", in the order of entities and keys.
  private func stored(_ path: String) throws -> [String] {
    let connection = try Connection(reading: DatabaseFiles(path: path))
    func list(_ sql: String) throws -> [[String]] {
      let rows = try connection.prepare(sql)
      var found: [[String]] = []
      while try rows.step() { found.append((0..<rows.columnCount).map { rows.string($0) ?? "" }) }
      return found
    }
    func keys(_ name: String, _ sql: String) throws -> String {
      let keys = try list(sql).map { $0[0] }.filter { !$0.isEmpty }
      return keys.isEmpty ? "" : " \(name) " + keys.joined(separator: " ")
    }
    func values(_ names: [String], _ row: ArraySlice<String>) -> String {
      zip(names, row).map { $1.isEmpty ? "" : " \($0)=\($1)" }.joined()
    }
    var lines = try list("SELECT Z_PK, ZNOTE FROM ZCOVER ORDER BY 1").map {
      "Cover \($0[0])" + ($0[1].isEmpty ? "" : " note \($0[1])")
    }
    for row in try list("SELECT Z_PK, ZCOLOUR, ZNAME FROM ZFOLDER ORDER BY 1") {
      lines.append("Folder \(row[0])" + values(["colour", "name"], row[1...]))
    }
    for row in try list("SELECT Z_PK, ZBODY, ZTITLE, ZCOVER, ZFOLDER FROM ZNOTE ORDER BY 1") {
      let links =
        try zip(["cover", "folder"], row[3...]).map { $1.isEmpty ? "" : " \($0) \($1)" }.joined()
        + keys("pages", "SELECT Z_PK FROM ZPAGE WHERE ZNOTE = \(row[0]) ORDER BY 1")
        + keys("tags", "SELECT Z_5TAGS FROM Z_3TAGS WHERE Z_3NOTES = \(row[0]) ORDER BY 1")
      lines.append("Note \(row[0])" + values(["body", "title"], row[1...2]) + links)
    }
    return lines
  }

  /// What the stage needs of Core Data.
  private static let memory = """
    import Foundation

    struct Link { var isMany = false; var inverse: String; var cascades = false }
    let links: [String: [String: Link]] = [
      "Cover": ["note": Link(inverse: "cover")],
      "Folder": ["notes": Link(isMany: true, inverse: "folder", cascades: true)],
      "Note": [
        "folder": Link(inverse: "notes"), "cover": Link(inverse: "note", cascades: true),
        "pages": Link(isMany: true, inverse: "note", cascades: true), "tags": Link(isMany: true, inverse: "notes"),
      ],
      "Page": ["note": Link(inverse: "pages")], "Tag": ["notes": Link(isMany: true, inverse: "tags")],
    ]
    final class NSManagedObjectID: NSObject {
      let entity: String, key: Int
      init(_ entity: String, _ key: Int) { (self.entity, self.key) = (entity, key) }
      func uriRepresentation() -> URL { URL(string: "x-coredata://S/\\(entity)/p\\(key)")! }
    }
    final class NSManagedObject: NSObject {
      let objectID: NSManagedObjectID
      var values: [String: String] = [:]
      var others: [String: [NSManagedObject]] = [:]
      init(_ id: NSManagedObjectID) { objectID = id }
      func link(_ name: String) -> Link? { links[objectID.entity]?[name] }
      func value(forKey key: String) -> Any? { link(key) == nil ? values[key] : others[key]?.first }
      func setValue(_ value: Any?, forKey key: String) {
        guard let link = link(key) else { return values[key] = value as? String }
        for old in others[key] ?? [] { drop(key, old) }
        if let other = value as? NSManagedObject { take(key, other) }
      }
      func take(_ name: String, _ other: NSManagedObject) {
        guard let link = link(name), let back = other.link(link.inverse), others[name]?.contains(other) != true else { return }
        if !link.isMany { for old in others[name] ?? [] { drop(name, old) } }
        if !back.isMany { for old in other.others[link.inverse] ?? [] { other.drop(link.inverse, old) } }
        others[name, default: []].append(other)
        other.others[link.inverse, default: []].append(self)
      }
      func drop(_ name: String, _ other: NSManagedObject) {
        others[name]?.removeAll { $0 === other }
        if let link = link(name) { other.others[link.inverse]?.removeAll { $0 === self } }
      }
      func mutableSetValue(forKey key: String) -> NSMutableSet { NSMutableSet(self, key) }
    }
    final class NSMutableSet {
      let owner: NSManagedObject, name: String
      init(_ owner: NSManagedObject, _ name: String) { (self.owner, self.name) = (owner, name) }
      var allObjects: [Any] { owner.others[name] ?? [] }
      func add(_ other: Any) { if let other = other as? NSManagedObject { owner.take(name, other) } }
      func removeAllObjects() { for other in owner.others[name] ?? [] { owner.drop(name, other) } }
    }
    struct NSPredicate { init(format: String, _ arguments: Any...) {} }
    enum NSFetchRequestResultType { case managedObjectIDResultType }
    final class NSFetchRequest<Result> {
      let entityName: String
      var resultType: NSFetchRequestResultType?
      var returnsObjectsAsFaults = true
      var predicate: NSPredicate?
      init(entityName: String) { self.entityName = entityName }
    }
    final class NSManagedObjectContext {
      var objects: [NSManagedObject] = []
      func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        let found = objects.filter { $0.objectID.entity == request.entityName }
        return found.compactMap { $0 as? T ?? $0.objectID as? T }
      }
      func object(with id: NSManagedObjectID) -> NSManagedObject { objects.first { $0.objectID === id }! }
      func delete(_ object: NSManagedObject) {
        guard objects.contains(object) else { return }
        objects.removeAll { $0 === object }
        for (name, link) in links[object.objectID.entity] ?? [:] {
          for other in object.others[name] ?? [] {
            object.drop(name, other)
            if link.cascades { delete(other) }
          }
        }
      }
      func save() throws {}
      func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }
    }
    final class NSPersistentContainer {
      let context = NSManagedObjectContext()
      func newBackgroundContext() -> NSManagedObjectContext { context }
    }
    struct NSManagedObjectModelReference { init(name: String, in bundle: Bundle?, versionChecksum: String) {} }
    class NSMigrationStage { var label: String? }
    final class NSCustomMigrationStage: NSMigrationStage {
      var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
      var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
      init(migratingFrom: NSManagedObjectModelReference, to: NSManagedObjectModelReference) {}
    }
    final class NSStagedMigrationManager {
      var container: NSPersistentContainer? = NSPersistentContainer()
      init(_ stages: [NSMigrationStage]) {}
    }

    """

  /// Makes the objects, runs the stage, and prints what is left.
  private static var main: String {
    let made = objects.map { "(\"\($0.entity)\", \($0.values.isEmpty ? "[:]" : "\($0.values)"))" }
    return """
      let manager = NSStagedMigrationManager([])
      let context = manager.container!.context
      var keys: [String: Int] = [:]
      for (entity, values) in [\(made.joined(separator: ", "))] as [(String, [String: String])] {
        keys[entity, default: 0] += 1
        let object = NSManagedObject(NSManagedObjectID(entity, keys[entity]!))
        object.values = values
        context.objects.append(object)
      }
      let made = context.objects
      for (from, name, to) in \(links) as [(Int, String, Int)] { made[from].take(name, made[to]) }
      let stage = oldToNew()
      try stage.willMigrateHandler!(manager, stage)
      func keys(_ objects: [NSManagedObject]) -> String {
        objects.map(\\.objectID.key).sorted().map { " \\($0)" }.joined()
      }
      for entity in ["Cover", "Folder", "Note"] {
        for object in made where object.objectID.entity == entity && context.objects.contains(object) {
          let values = object.values.sorted { $0.key < $1.key }.map { " \\($0.key)=\\($0.value)" }.joined()
          let others = object.others.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty && $0.key != "notes" }
          print("\\(entity) \\(object.objectID.key)\\(values)" + others.map { " \\($0.key)\\(keys($0.value))" }.joined())
        }
      }
      """
  }
}
