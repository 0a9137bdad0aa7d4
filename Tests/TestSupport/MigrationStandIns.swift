/// Stand-ins for what tests of migrations use of Core Data and SwiftData, with the signatures that Apple documents; Swift
/// Testing and XCTest are the compiler's own.
public enum MigrationStandIns {
  /// The compiler's messages about tests of an app with Core Data.
  public static func complaints(aboutCoreData tests: String) throws -> String {
    try SwiftCompiler.complaints(
      aboutFiles: [coreData, tests.replacing("import CoreData\n", with: "import Foundation\n")])
  }

  /// The compiler's messages about tests of an app with SwiftData, together with its classes.
  public static func complaints(aboutSwiftData sources: [String]) throws -> String {
    try SwiftDataStandIns.complaints(about: [swiftData] + sources.map { $0.replacing("@Model ", with: "") })
  }

  private static let swiftData = """
    import Foundation

    public protocol SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { get }
      static var stages: [MigrationStage] { get }
    }
    public enum MigrationStage {
      case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    }
    public struct ModelConfiguration {
      public struct CloudKitDatabase { public static let automatic = Self(), none = Self() }
      public init(
        _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
        cloudKitDatabase: CloudKitDatabase = .automatic
      ) {}
    }
    public final class ModelContainer {
      public init(
        for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: [ModelConfiguration]
      ) throws {}
    }
    public struct FetchDescriptor<T: PersistentModel> { public init() {} }
    public final class ModelContext {
      public init(_ container: ModelContainer) {}
      public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] { [] }
      public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int { 0 }
    }
    """

  private static let coreData = """
    import Foundation

    let NSSQLiteStoreType = "SQLite"
    let NSMigratePersistentStoresAutomaticallyOption = "migrate", NSInferMappingModelAutomaticallyOption = "infer"
    class NSManagedObjectID: NSObject { func uriRepresentation() -> URL { URL(fileURLWithPath: "") } }
    class NSManagedObject: NSObject {
      var objectID: NSManagedObjectID { NSManagedObjectID() }
      func value(forKey key: String) -> Any? { nil }
    }
    class NSManagedObjectModel: NSObject { init?(contentsOf url: URL) {} }
    class NSPersistentStore: NSObject { var identifier: String! }
    let NSPersistentStoreStagedMigrationManagerOptionKey = "staged"
    class NSStagedMigrationManager: NSObject {}
    class NSPersistentStoreDescription: NSObject {
      init(url: URL) {}
      func setOption(_ option: NSObject?, forKey key: String) {}
    }
    class NSPersistentContainer: NSObject {
      init(name: String, managedObjectModel model: NSManagedObjectModel) {}
      var persistentStoreDescriptions: [NSPersistentStoreDescription] = []
      var persistentStoreCoordinator: NSPersistentStoreCoordinator { fatalError() }
      func loadPersistentStores(completionHandler block: @escaping (NSPersistentStoreDescription, Error?) -> Void) {}
    }
    class NSFetchRequest<Result> { init(entityName: String) {} }
    class NSPersistentStoreCoordinator: NSObject {
      init(managedObjectModel model: NSManagedObjectModel) {}
      var persistentStores: [NSPersistentStore] { [] }
      func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
      ) throws -> NSPersistentStore { NSPersistentStore() }
      func remove(_ store: NSPersistentStore) throws {}
      func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? { nil }
    }
    class NSManagedObjectContext: NSObject {
      enum ConcurrencyType { case privateQueueConcurrencyType, mainQueueConcurrencyType }
      init(concurrencyType: ConcurrencyType) {}
      var persistentStoreCoordinator: NSPersistentStoreCoordinator?
      func count<T>(for request: NSFetchRequest<T>) throws -> Int { 0 }
      func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject { NSManagedObject() }
      func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }
    }
    """
}
