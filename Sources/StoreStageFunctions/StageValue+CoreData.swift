// Generated stages have these functions written out: scripts/embed-swift puts this file's text into StoreSwiftCode. A piece
// is what follows a comment that names it; `needs` are the pieces that it calls.

#if canImport(CoreData)
  import CoreData
  import Foundation

  extension StageValue {
    // piece: context; needs Failure
    /// A context for the store at the stage's version.
    static func context(_ manager: NSStagedMigrationManager) throws -> NSManagedObjectContext {
      guard let container = manager.container else { throw Failure(reason: "the migration has no container") }
      return container.newBackgroundContext()
    }

    // piece: inOrder; needs key, Objects
    /// The objects of an entity in the order of their keys, read from the store 500 at a time.
    static func inOrder(_ entity: String, _ context: NSManagedObjectContext) throws -> Objects {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
      request.resultType = .managedObjectIDResultType
      let found = try context.fetch(request).map { (key: key(of: $0), id: $0) }
      return Objects(ids: found.sorted { $0.key < $1.key }.map(\.id), entity: entity, context: context)
    }

    // piece: Objects
    struct Objects: Sequence, IteratorProtocol {
      let ids: [NSManagedObjectID]
      let entity: String
      let context: NSManagedObjectContext
      var place = 0
      var batch: [NSManagedObject] = []

      mutating func next() -> NSManagedObject? {
        guard place < ids.count else { return nil }
        if place % 500 == 0 {
          // Only a warm-up: an object that is not in the batch is read by itself.
          let request = NSFetchRequest<NSManagedObject>(entityName: entity)
          request.predicate = NSPredicate(format: "SELF IN %@", Array(ids[place..<Swift.min(place + 500, ids.count)]))
          request.returnsObjectsAsFaults = false
          batch = (try? context.fetch(request)) ?? []
        }
        place += 1
        return context.object(with: ids[place - 1])
      }
    }

    // piece: key
    /// The key of an object, which a migration keeps; that of a new one is behind all others.
    static func key(of id: NSManagedObjectID) -> Int64 {
      Int64(id.uriRepresentation().lastPathComponent.dropFirst()) ?? .max
    }
  }
#endif
