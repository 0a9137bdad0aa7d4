/// Stand-ins for the types of SwiftData and Core Data that skeletons use, with the signatures that Apple documents.
enum StandIns {
  static let swiftData = """
    import Foundation

    struct PersistentIdentifier: Hashable, Codable {}
    protocol BackingData<Model> { associatedtype Model: PersistentModel }
    struct MadeBackingData<Model: PersistentModel>: BackingData {}
    protocol PersistentModel: AnyObject, Hashable {}
    extension PersistentModel {
      var persistentModelID: PersistentIdentifier { PersistentIdentifier() }
      static func createBackingData<P: PersistentModel>() -> some BackingData<P> { MadeBackingData<P>() }
      static func == (left: Self, right: Self) -> Bool { left === right }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    protocol VersionedSchema {
      static var versionIdentifier: Schema.Version { get }
      static var models: [any PersistentModel.Type] { get }
    }
    protocol SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { get }
      static var stages: [MigrationStage] { get }
    }
    enum MigrationStage {
      case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
      case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)
    }
    final class ModelContext {
      func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] { [] }
      func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, batchSize: Int) throws -> FetchResultsCollection<T> {
        FetchResultsCollection()
      }
      func delete<T: PersistentModel>(_ model: T) {}
      func insert<T: PersistentModel>(_ model: T) {}
      func save() throws {}
    }
    struct FetchResultsCollection<T: PersistentModel>: RandomAccessCollection {
      var startIndex: Int { 0 }
      var endIndex: Int { 0 }
      subscript(position: Int) -> T { fatalError() }
    }
    struct FetchDescriptor<T: PersistentModel> {
      var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []
      init() {}
    }
    enum Schema {
      struct Version { init(_ major: Int, _ minor: Int, _ patch: Int) {} }
      enum DeleteRule { case noAction, nullify, cascade, deny }
      struct Option {
        static let externalStorage = Option(), preserveValueOnDeletion = Option(), ephemeral = Option()
        static let unique = Option()
        static func transformable(by name: String) -> Option { Option() }
      }
    }
    @propertyWrapper struct Attribute<Value> {
      private var value: Value?
      var wrappedValue: Value { get { value! } set { value = newValue } }
      init(wrappedValue: Value, _ options: Schema.Option..., originalName: String? = nil, hashModifier: String? = nil) {
        value = wrappedValue
      }
      init(_ options: Schema.Option..., originalName: String? = nil, hashModifier: String? = nil) {}
    }
    @propertyWrapper struct Relationship<Value> {
      private var value: Value?
      var wrappedValue: Value { get { value! } set { value = newValue } }
      init(
        wrappedValue: Value, deleteRule: Schema.DeleteRule = .nullify, minimumModelCount: Int? = 0,
        maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil, hashModifier: String? = nil
      ) {
        value = wrappedValue
      }
      init(
        deleteRule: Schema.DeleteRule = .nullify, minimumModelCount: Int? = 0, maximumModelCount: Int? = 0,
        originalName: String? = nil, inverse: AnyKeyPath? = nil, hashModifier: String? = nil
      ) {}
    }
    """

  static let coreData = """
    import Foundation

    class NSManagedObjectID: NSObject { func uriRepresentation() -> URL { URL(fileURLWithPath: "") } }
    class NSManagedObject: NSObject {
      var objectID: NSManagedObjectID { NSManagedObjectID() }
      func value(forKey key: String) -> Any? { nil }
      func value(forKeyPath path: String) -> Any? { nil }
      func setValue(_ value: Any?, forKey key: String) {}
      func mutableSetValue(forKey key: String) -> NSMutableSet { NSMutableSet() }
      func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet { NSMutableOrderedSet() }
    }
    class NSPredicate { init(format: String, _ arguments: Any...) {} }
    enum NSFetchRequestResultType { case managedObjectResultType, managedObjectIDResultType }
    class NSEntityDescription {
      static func insertNewObject(forEntityName name: String, into context: NSManagedObjectContext) -> NSManagedObject {
        NSManagedObject()
      }
    }
    class NSFetchRequest<Result> {
      var resultType = NSFetchRequestResultType.managedObjectResultType
      var returnsObjectsAsFaults = true
      var predicate: NSPredicate?
      var relationshipKeyPathsForPrefetching: [String]?
      init(entityName: String) {}
    }
    class NSManagedObjectContext {
      func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] { [] }
      func object(with id: NSManagedObjectID) -> NSManagedObject { NSManagedObject() }
      func delete(_ object: NSManagedObject) {}
      func save() throws {}
      func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }
    }
    class NSPersistentContainer { func newBackgroundContext() -> NSManagedObjectContext { NSManagedObjectContext() } }
    """ + stages

  /// The types of stages, whose bodies a test calls itself.
  static let stages = """

    class NSManagedObjectModelReference { init(name: String, in bundle: Bundle?, versionChecksum: String) {} }
    class NSMigrationStage { var label: String? }
    class NSLightweightMigrationStage: NSMigrationStage { init(_ versionChecksums: [String]) {} }
    class NSCustomMigrationStage: NSMigrationStage {
      var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
      var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
      init(migratingFrom: NSManagedObjectModelReference, to: NSManagedObjectModelReference) {}
    }
    class NSStagedMigrationManager {
      var container: NSPersistentContainer?
      init(_ stages: [NSMigrationStage]) {}
    }
    """
}
