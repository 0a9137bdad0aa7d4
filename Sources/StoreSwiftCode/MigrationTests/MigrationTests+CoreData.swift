import StoreDataModel
import StoreText

extension MigrationTests {
  /// Counts, and the first objects with their values and links.
  func coreDataLines(_ entity: Entity, number: Int) -> [String] {
    let name = SwiftDataTypes.literal(entity.name)
    var lines = ["", equal("try store.count(\(name))", String(entity.objects.count))]
    for object in entity.objects.lazy.filter({ $0.entity == entity.name }).prefix(Self.shownObjects) {
      let variable = "object\(number)_\(object.key)"
      let checks = zip(entity.columns, object.values).prefix(Self.mostColumns)
        .compactMap { check(variable, column: $0, value: $1) }
      guard !checks.isEmpty else { continue }
      lines.append("    let \(variable) = try store.object(\(name), \(object.key))")
      lines += checks
    }
    return lines
  }

  private func check(_ object: String, column: Column, value: Value) -> String? {
    let name = SwiftDataTypes.literal(column.name)
    let place = "\(object)[\(name)]"
    switch value {
    case .null: return isNil(place)
    case .boolean(let value): return equal("\(place) as? Bool", String(value))
    case .integer(let value): return equal("\(place) as? Int64", String(value))
    case .real(let value) where value.isFinite:
      return equal("\(place) as? \(column.content == .float ? "Float" : "Double")", String(value))
    case .date(let seconds) where seconds.isFinite:
      return equal("\(place) as? Date", "Date(timeIntervalSinceReferenceDate: \(seconds))")
    case .text(let text) where text.unicodeScalars.count <= Self.longestValue:
      return equal("\(place) as? String", SwiftDataTypes.literal(text))
    case .uri(let text) where text.unicodeScalars.count <= Self.longestValue:
      return equal("(\(place) as? URL)?.absoluteString", SwiftDataTypes.literal(text))
    case .uuid(let text): return equal("(\(place) as? UUID)?.uuidString", SwiftDataTypes.literal(text))
    case .data(let bytes):
      return bytes.count <= Self.longestValue
        ? equal("\(place) as? Data", "Data(base64Encoded: \(SwiftDataTypes.literal(base64(bytes))))")
        : equal("(\(place) as? Data)?.count", String(bytes.count))
    case .links(let keys) where keys.count <= Self.longestValue:
      return equal("\(object).links(\(name))", "[\(keys.map(String.init).joined(separator: ", "))]")
    case .real, .date, .text, .uri, .links, .unknown: return nil
    }
  }

  static func coreDataSupport(_ bundle: String, manager: String?) -> [String] {
    let name = SwiftDataTypes.literal(bundle)
    let opening = manager.map { staged($0, model: name) } ?? Self.lightweight
    return """
      /// A copy of a fixture, opened with the app's model; the migration is \(manager == nil ? "lightweight" : "staged").
      private final class MigratedStore {
        let identifier: String
        let context: NSManagedObjectContext
        private let coordinator: NSPersistentStoreCoordinator
        private let folder: URL

        init(copyOf fixture: String) throws {
          guard let place = Bundle.main.url(forResource: \(name), withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: place)
          else { throw Missing(name: "the app's model in the main bundle") }
          folder = try folderWithCopy(of: fixture)
          \(opening.joined(separator: "\n    "))
          identifier = store.identifier
          context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
          context.persistentStoreCoordinator = coordinator
        }

        deinit {
          for store in coordinator.persistentStores { try? coordinator.remove(store) }
          try? FileManager.default.removeItem(at: folder)
        }

        func count(_ entity: String) throws -> Int {
          try context.performAndWait { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity)) }
        }

        func object(_ entity: String, _ key: Int64) throws -> MigratedObject {
          guard let uri = URL(string: "x-coredata://\\(identifier)/\\(entity)/p\\(key)"),
            let id = coordinator.managedObjectID(forURIRepresentation: uri)
          else { throw Missing(name: "\\(entity) \\(key)") }
          return MigratedObject(object: try context.performAndWait { try context.existingObject(with: id) }, store: self)
        }
      }

      private struct MigratedObject {
        let object: NSManagedObject
        let store: MigratedStore

        subscript(name: String) -> Any? { store.context.performAndWait { object.value(forKey: name) } }

        /// The keys of the objects that a relationship leads to: in their order, or else sorted.
        func links(_ name: String) -> [Int64] {
          store.context.performAndWait { () -> [Int64] in
            switch object.value(forKey: name) {
            case let ordered as NSOrderedSet: return ordered.array.compactMap(key)
            case let set as NSSet: return set.allObjects.compactMap(key).sorted()
            case let one?: return [one].compactMap(key)
            case nil: return []
            }
          }
        }

        private func key(_ object: Any) -> Int64? {
          (object as? NSManagedObject).flatMap { Int64($0.objectID.uriRepresentation().lastPathComponent.dropFirst()) }
        }
      }
      """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static let lightweight = [
    "coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)",
    "let store = try coordinator.addPersistentStore(",
    "  ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent(\"copy.sqlite\"),",
    "  options: [",
    "    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,",
    "  ])",
  ]

  /// Stages ask their manager for a container, so that one opens the store.
  private static func staged(_ manager: String, model name: String) -> [String] {
    [
      "let container = NSPersistentContainer(name: \(name), managedObjectModel: model)",
      "let copy = NSPersistentStoreDescription(url: folder.appendingPathComponent(\"copy.sqlite\"))",
      "copy.setOption(\(manager)(), forKey: NSPersistentStoreStagedMigrationManagerOptionKey)",
      "container.persistentStoreDescriptions = [copy]", "var failure: Error?",
      "container.loadPersistentStores { _, error in failure = error }", "if let failure { throw failure }",
      "coordinator = container.persistentStoreCoordinator",
      "guard let store = coordinator.persistentStores.first else { throw Missing(name: \"the copy\") }",
    ]
  }
}
