/// A stand-in for what stages use of Core Data that keeps objects, so that generated code can be run: attributes as Core Data
/// hands them out, inverses that agree, delete rules, and keys in the order in which objects are made.
enum RunningCoreData {
  static let text = #"""
    import Foundation

    struct Property {
      var type = ""
      var destination: String?
      var inverse: String?
      var isToMany = false
      var isOrdered = false
      var deleteRule = "nullify"
      var standard: Any?
    }
    /// By entity and name; under "" the parent entity.
    typealias Schema = [String: [String: Property]]

    class NSManagedObjectID: NSObject {
      let entity: String
      let key: Int64
      init(entity: String, key: Int64) { (self.entity, self.key) = (entity, key) }
      func uriRepresentation() -> URL { URL(string: "x-coredata://store/\(entity)/p\(key)")! }
    }

    class NSManagedObject: NSObject {
      let objectID: NSManagedObjectID
      unowned let context: NSManagedObjectContext
      var values: [String: Any] = [:]
      var links: [String: [NSManagedObject]] = [:]
      var entity: String { objectID.entity }
      var key: Int64 { objectID.key }
      init(_ id: NSManagedObjectID, in context: NSManagedObjectContext) { (objectID, self.context) = (id, context) }

      func property(_ name: String) -> Property {
        guard let property = context.schema[entity]?[name] else { fatalError("\(entity) has no \(name)") }
        return property
      }
      func value(forKey name: String) -> Any? {
        let property = property(name)
        guard property.destination != nil else { return values[name] }
        guard property.isToMany else { return links[name]?.first }
        return property.isOrdered ? NSOrderedSet(array: links[name] ?? []) : NSSet(array: links[name] ?? [])
      }
      func value(forKeyPath path: String) -> Any? {
        let names = path.split(separator: ".", maxSplits: 1).map(String.init)
        let value = value(forKey: names[0])
        guard names.count > 1 else { return value }
        return (value as? NSManagedObject)?.value(forKeyPath: names[1])
      }
      func setValue(_ value: Any?, forKey name: String) {
        let property = property(name)
        guard property.destination == nil else {
          precondition(!property.isToMany)
          for old in links[name] ?? [] { unlink(name, old) }
          if let new = value as? NSManagedObject { link(name, new) }
          return
        }
        values[name] = property.kept(value)
      }
      func mutableSetValue(forKey name: String) -> Links { Links(self, name) }
      func mutableOrderedSetValue(forKey name: String) -> Links { Links(self, name) }

      func link(_ name: String, _ other: NSManagedObject) {
        guard links[name]?.contains(where: { $0 === other }) != true else { return }
        let property = property(name)
        if !property.isToMany { for old in links[name] ?? [] { unlink(name, old) } }
        links[name, default: []].append(other)
        guard let inverse = property.inverse, other.links[inverse]?.contains(where: { $0 === self }) != true else { return }
        if !other.property(inverse).isToMany { for old in other.links[inverse] ?? [] { other.unlink(inverse, old) } }
        other.links[inverse, default: []].append(self)
      }
      func unlink(_ name: String, _ other: NSManagedObject) {
        links[name]?.removeAll { $0 === other }
        if let inverse = property(name).inverse { other.links[inverse]?.removeAll { $0 === self } }
      }
    }

    extension Property {
      /// Numbers as Core Data hands them out: any of the number types can be read from them.
      func kept(_ value: Any?) -> Any? {
        switch (type, value) {
        case (_, nil): nil
        case ("integer", let number as any BinaryInteger): NSNumber(value: Int64(number))
        case ("real", let number as Double): NSNumber(value: number)
        case ("real", let number as Float): NSNumber(value: Double(number))
        default: value
        }
      }
    }

    struct Links {
      let owner: NSManagedObject
      let name: String
      init(_ owner: NSManagedObject, _ name: String) { (self.owner, self.name) = (owner, name) }
      var array: [Any] { owner.links[name] ?? [] }
      /// A set has no order, and code that needs one has to bring it.
      var allObjects: [Any] { (owner.links[name] ?? []).sorted { $0.key % 3 == $1.key % 3 ? $0.key > $1.key : $0.key % 3 < $1.key % 3 } }
      func add(_ object: Any) { owner.link(name, object as! NSManagedObject) }
      func removeAllObjects() { for object in owner.links[name] ?? [] { owner.unlink(name, object) } }
    }

    class NSPredicate { init(format: String, _ arguments: Any...) {} }
    enum NSFetchRequestResultType { case managedObjectResultType, managedObjectIDResultType }
    class NSEntityDescription {
      static func insertNewObject(forEntityName name: String, into context: NSManagedObjectContext) -> NSManagedObject {
        context.insert(name)
      }
    }
    class NSFetchRequest<Result> {
      let entity: String
      var resultType = NSFetchRequestResultType.managedObjectResultType
      var returnsObjectsAsFaults = true
      var predicate: NSPredicate?
      init(entityName: String) { entity = entityName }
    }
    class NSManagedObjectContext {
      var schema: Schema
      var objects: [NSManagedObject] = []
      var last: [String: Int64] = [:]
      init(_ schema: Schema) { self.schema = schema }

      func insert(_ entity: String, key: Int64? = nil) -> NSManagedObject {
        let root = kinds(entity).last!
        let key = key ?? (last[root] ?? 0) + 1
        last[root] = max(last[root] ?? 0, key)
        let object = NSManagedObject(NSManagedObjectID(entity: entity, key: key), in: self)
        for (name, property) in schema[entity] ?? [:] where property.destination == nil {
          object.values[name] = property.kept(property.standard)
        }
        objects.append(object)
        return object
      }
      /// An entity and those it inherits from.
      func kinds(_ entity: String) -> [String] {
        [entity] + (schema[entity]?[""]?.destination.map(kinds) ?? [])
      }
      /// In no useful order.
      func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        let found = objects.filter { kinds($0.entity).contains(request.entity) }.sorted { $0.key > $1.key }
        return found.compactMap { (request.resultType == .managedObjectIDResultType ? $0.objectID : $0) as? T }
      }
      func object(with id: NSManagedObjectID) -> NSManagedObject { objects.first { $0.objectID === id }! }
      func delete(_ object: NSManagedObject) {
        guard let place = objects.firstIndex(where: { $0 === object }) else { return }
        objects.remove(at: place)
        for (name, property) in schema[object.entity] ?? [:] where property.destination != nil && name != "" {
          let others = object.links[name] ?? []
          for other in others { object.unlink(name, other) }
          if property.deleteRule == "cascade" { for other in others { delete(other) } }
        }
      }
      func save() throws {}
      func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }

      /// The structural step: what both versions have stays, and new attributes have their defaults.
      func migrate(to new: Schema) {
        let old = schema
        schema = new
        objects.removeAll { new[$0.entity] == nil }
        for object in objects {
          for name in Set(object.values.keys).subtracting(new[object.entity]!.keys) { object.values[name] = nil }
          for name in Set(object.links.keys).subtracting(new[object.entity]!.keys) { object.links[name] = nil }
          for (name, property) in new[object.entity]! where old[object.entity]?[name] == nil && property.destination == nil {
            object.values[name] = property.kept(property.standard)
          }
        }
      }

      var lines: [String] {
        objects.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }.map { object in
          let own = (schema[object.entity] ?? [:]).filter { $0.key != "" }
          let values = own.sorted { $0.key < $1.key }.map { name, property -> String in
            guard property.destination == nil else {
              let keys = (object.links[name] ?? []).map(\.key)
              return name + "=" + (property.isOrdered ? keys : keys.sorted()).map(String.init).joined(separator: ",")
            }
            return name + "=" + text(object.values[name], property.type)
          }
          return "\(object.entity) \(object.key) \(values.joined(separator: "|"))"
        }
      }
      private func text(_ value: Any?, _ type: String) -> String {
        switch value {
        case nil: "nil"
        case let number as NSNumber where type == "real": "\(number.doubleValue)"
        case let number as NSNumber where type == "integer": "\(number.int64Value)"
        case let flag as Bool: "\(flag)"
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let uuid as UUID: uuid.uuidString
        case let text as String: text.debugDescription
        default: fatalError("\(value!)")
        }
      }
    }
    class NSPersistentContainer {
      let context: NSManagedObjectContext
      init(_ context: NSManagedObjectContext) { self.context = context }
      func newBackgroundContext() -> NSManagedObjectContext { context }
    }
    func run(_ stage: NSCustomMigrationStage, from old: Schema, to new: Schema, _ fill: (NSManagedObjectContext) -> Void) {
      let context = NSManagedObjectContext(old)
      fill(context)
      let manager = NSStagedMigrationManager([stage])
      manager.container = NSPersistentContainer(context)
      do {
        try stage.willMigrateHandler?(manager, stage)
        context.migrate(to: new)
        try stage.didMigrateHandler?(manager, stage)
        print(context.lines.joined(separator: "\n"))
      } catch { print("failed: \(error)") }
      print("--")
    }
    """# + "\n" + StandIns.stages
}
