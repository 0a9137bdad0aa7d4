import StoreDataModel
import StoreText
import TestSupport

/// A stand-in for what stages use of SwiftData that keeps objects: classes whose properties are kept by `RunningCoreData`'s
/// objects, and identifiers that are encoded as those of a device are.
enum RunningSwiftData {
  /// After `RunningCoreData`, whose objects hold the values.
  static let text = #"""

    struct PersistentIdentifier: Hashable, Codable {
      struct Implementation: Hashable, Codable {
        var entityName: String
        var primaryKey: String
      }
      var implementation: Implementation
    }
    protocol BackingData<Model> { associatedtype Model: PersistentModel }
    struct MadeBackingData<Model: PersistentModel>: BackingData {}
    protocol PersistentModel: AnyObject, Hashable {
      var persistentModelID: PersistentIdentifier { get }
    }
    extension PersistentModel {
      static func createBackingData<P: PersistentModel>() -> some BackingData<P> { MadeBackingData<P>() }
    }
    protocol VersionedSchema {}
    protocol SchemaMigrationPlan {}
    enum MigrationStage {
      case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)
    }
    struct FetchDescriptor<T: PersistentModel> {
      var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []
      init() {}
    }

    /// What the macro makes of a class: an object whose values stand elsewhere.
    class Face: PersistentModel {
      var object: NSManagedObject!
      init() {}
      required init(of object: NSManagedObject) { self.object = object }
      class var entity: String { fatalError() }
      var persistentModelID: PersistentIdentifier {
        PersistentIdentifier(implementation: .init(entityName: object.entity, primaryKey: "p\(object.key)"))
      }
      static func == (left: Face, right: Face) -> Bool { left === right }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

      func one<T: Face>(_ name: String) -> T? {
        object.links[name]?.first.map { current.face($0) as! T }
      }
      /// An array of SwiftData has no order.
      func many<T: Face>(_ name: String) -> [T] {
        (Links(object, name).allObjects as! [NSManagedObject]).map { current.face($0) as! T }
      }
      func set(_ others: [Face], _ name: String) {
        for old in object.links[name] ?? [] where !others.contains(where: { $0.object === old }) { object.unlink(name, old) }
        for other in others { object.link(name, other.object) }
      }
      func number(_ name: String) -> NSNumber? { object.values[name] as? NSNumber }
    }

    final class ModelContext {
      let core: NSManagedObjectContext
      var classes: [String: Face.Type]
      var faces: [ObjectIdentifier: Face] = [:]
      init(_ core: NSManagedObjectContext, _ classes: [String: Face.Type]) { (self.core, self.classes) = (core, classes) }

      func face(_ object: NSManagedObject) -> Face {
        if let known = faces[ObjectIdentifier(object)] { return known }
        let face = classes[object.entity]!.init(of: object)
        faces[ObjectIdentifier(object)] = face
        return face
      }
      /// In no useful order.
      func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
        core.objects.sorted { $0.key > $1.key }.compactMap { face($0) as? T }
      }
      func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, batchSize: Int) throws -> [T] {
        try fetch(descriptor)
      }
      func insert<T: PersistentModel>(_ model: T) {
        let face = model as! Face
        face.object = core.insert(type(of: face).entity)
        faces[ObjectIdentifier(face.object)] = face
      }
      func delete<T: PersistentModel>(_ model: T) { core.delete((model as! Face).object) }
      func save() throws {}
    }
    nonisolated(unsafe) var current: ModelContext!

    func run(
      _ stage: MigrationStage, from old: (Schema, [String: Face.Type]), to new: (Schema, [String: Face.Type]),
      _ fill: (NSManagedObjectContext) -> Void
    ) {
      guard case .custom(_, _, let before, let after) = stage else { return }
      let context = NSManagedObjectContext(old.0)
      fill(context)
      do {
        current = ModelContext(context, old.1)
        try before?(current)
        context.migrate(to: new.0)
        current = ModelContext(context, new.1)
        try after?(current)
        print(context.lines.joined(separator: "\n"))
      } catch { print("failed: \(error)") }
      print("--")
    }
    """#

  /// The classes of a version, and a table of them: `enum Old: VersionedSchema`, `let oldClasses`.
  static func classes(_ model: Model, version: String, table: String) -> String {
    var text = "enum \(version): VersionedSchema {\n"
    for entity in model.entities {
      let isRoot = entity.parent == nil
      text += "  \(isRoot ? "class" : "final class") \(entity.name): \(entity.parent ?? "Face") {\n"
      text += "    override class var entity: String { \"\(entity.name)\" }\n"
      text += "    required init(of object: NSManagedObject) { super.init(of: object) }\n"
      if isRoot { text += "    override init() { super.init() }\n" }
      text += "    init(backingData: any BackingData<\(entity.name)>) { super.init() }\n"
      for property in entity.properties { text += "    " + self.property(property) + "\n" }
      text += "  }\n"
    }
    let table =
      "let \(table): [String: Face.Type] = ["
      + model.entities.map { "\"\($0.name)\": \(version).\($0.name).self" }.joined(separator: ", ") + "]\n"
    return text + "}\n" + table
  }

  private static func property(_ property: Property) -> String {
    let name = SwiftDataTypes.literal(property.name)
    if let relationship = property.relationship {
      return relationship.isToMany
        ? "var \(property.name): [\(relationship.destination)]? { get { many(\(name)) } set { set(newValue ?? [], \(name)) } }"
        : "var \(property.name): \(relationship.destination)? { get { one(\(name)) } "
          + "set { object.setValue(newValue?.object, forKey: \(name)) } }"
    }
    let (type, read): (String, String) =
      switch property.attribute?.type {
      case .integer16: ("Int16", "number(\(name))?.int16Value")
      case .integer32: ("Int32", "number(\(name))?.int32Value")
      case .integer64: ("Int", "number(\(name))?.intValue")
      case .double: ("Double", "number(\(name))?.doubleValue")
      case .boolean: ("Bool", "object.values[\(name)] as? Bool")
      case .date: ("Date", "object.values[\(name)] as? Date")
      default: ("String", "object.values[\(name)] as? String")
      }
    return "var \(property.name): \(type)? { get { \(read) } set { object.setValue(newValue, forKey: \(name)) } }"
  }
}
