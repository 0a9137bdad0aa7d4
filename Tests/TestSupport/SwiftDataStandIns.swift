/// SwiftData's declarations, as far as models use them, so that the compiler can check model source without Apple's
/// frameworks.
///
/// Attached macros cannot be declared without a plugin that expands them, so `@Model` is a global actor here (an
/// attribute a class may have), and `@Attribute` and `@Relationship` are property wrappers, whose arguments and
/// initial values the compiler checks as it would a macro's. The lines `#Unique<T>([...])` and `#Index<T>([...])`
/// become constants of key paths. What the macros would expand to, and from which system on something may be used, is
/// not checked.
public enum SwiftDataStandIns {
  /// The compiler's messages about sources of one module together with the stand-ins; empty if there are none.
  public static func complaints(about sources: [String]) throws -> String {
    try SwiftCompiler.complaints(aboutFiles: [declarations] + sources.map(withoutMacros))
  }

  static func withoutMacros(_ source: String) -> String {
    source.replacing(#/import (SwiftData|SwiftUI|UIKit|AppKit|CoreLocation)\n/#, with: "")
      .replacing(#/#(Unique|Index)<(.+?)>\(([^)]+)\)/#) {
        let root = $0.2.replacing("`", with: "").replacing(".", with: "_")
        return "static let _\($0.1)_\(root): [[PartialKeyPath<\($0.2)>]] = [\($0.3)]"
      }
  }

  static let declarations = """
    import Foundation

    @globalActor public actor Model { public static let shared = Model() }
    public typealias PersistentModel = AnyObject
    public protocol VersionedSchema {
      static var versionIdentifier: Schema.Version { get }
      static var models: [any PersistentModel.Type] { get }
    }
    public final class Schema {
      public init(_ types: [any PersistentModel.Type]) {}
      public init(versionedSchema: any VersionedSchema.Type) {}
      public struct Version { public init(_ major: Int, _ minor: Int, _ patch: Int) {} }
      public enum DeleteRule { case noAction, nullify, cascade, deny }
      public struct Option {
        public static let unique = Option(), spotlight = Option(), allowsCloudEncryption = Option()
        public static let externalStorage = Option(), preserveValueOnDeletion = Option(), ephemeral = Option()
        public static func transformable(by name: String) -> Option { Option() }
        public static func transformable(by type: AnyClass) -> Option { Option() }
      }
    }
    @propertyWrapper public struct Attribute<Value> {
      private var value: Value?
      public var wrappedValue: Value { get { value! } set { value = newValue } }
      public init(
        wrappedValue: Value, _ options: Schema.Option..., originalName: String? = nil, hashModifier: String? = nil
      ) {
        value = wrappedValue
      }
      public init(_ options: Schema.Option..., originalName: String? = nil, hashModifier: String? = nil) {}
    }
    @propertyWrapper public struct Relationship<Value> {
      private var value: Value?
      public var wrappedValue: Value { get { value! } set { value = newValue } }
      public init(
        wrappedValue: Value, _ options: Schema.Option..., deleteRule: Schema.DeleteRule = .nullify,
        minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
        inverse: AnyKeyPath? = nil, hashModifier: String? = nil
      ) {
        value = wrappedValue
      }
      public init(
        _ options: Schema.Option..., deleteRule: Schema.DeleteRule = .nullify, minimumModelCount: Int? = 0,
        maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil, hashModifier: String? = nil
      ) {}
    }
    @propertyWrapper public struct Transient<Value> {
      public var wrappedValue: Value
      public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    }
    // Types of other frameworks that properties have.
    public struct Color: Hashable { public struct Resolved: Hashable, Codable {} }
    public struct CLLocationCoordinate2D { public init() {} }
    public typealias CLLocationDegrees = Double
    public typealias CLLocationDistance = Double
    open class UIColor: NSObject {}
    open class UIImage: NSObject {}
    """
}
