/// The expectations of an app's migration tests for the sample stores of its versions; the tests are run where Apple's
/// frameworks are.
package struct MigrationTests: Sendable {
  /// The frameworks that tests are written for.
  package enum Style: String, Sendable, CaseIterable {
    case swiftTesting = "swift-testing"
    case xctest
  }

  /// How the app opens its store.
  package enum Opening: Sendable {
    /// With the model of a bundle, which has this name without an extension, and with a manager of stages that a function of
    /// this name makes, if there is one.
    case coreData(bundle: String, manager: String? = nil)
    /// With a `VersionedSchema`, or else with these classes, and with a plan if there is one.
    case swiftData(schema: String?, classes: [String], plan: String?)
  }

  /// A version that stores are migrated from.
  package struct Version: Sendable {
    /// Its name.
    package var name: String
    /// The name of its sample store, without extension; nil where none could be made.
    package var fixture: String?
    /// Why its migration is not tested; nil where it is.
    package var obstacle: String?
    /// `Z_UUID`, which stays.
    package var uuid: String?
    /// The entities of the current version, with what they have after the migration.
    package var entities: [Entity] = []

    /// A version of which nothing is known yet.
    package init(name: String) { self.name = name }
  }

  /// An entity after the migration.
  package struct Entity: Sendable {
    /// Its name.
    package var name: String
    /// Its class in the source, with the types it is nested in; nil where that is not known, or for Core Data.
    package var className: String?
    /// The known columns of its objects.
    package var columns: [Column]
    /// Its objects and those of its subentities, by key.
    package var objects: [Object]

    /// An entity with its objects.
    package init(name: String, className: String?, columns: [Column], objects: [Object]) {
      (self.name, self.className, self.columns, self.objects) = (name, className, columns, objects)
    }
  }

  /// A property.
  package struct Column: Sendable {
    /// The kinds of content.
    package enum Content: Sendable { case plain, date, float, other, toOne, toMany }

    /// Its name.
    package var name: String
    /// Its content.
    package var content: Content

    /// A property.
    package init(name: String, content: Content) { (self.name, self.content) = (name, content) }
  }

  /// An object.
  package struct Object: Sendable {
    /// The name of its own entity.
    package var entity: String
    /// `Z_PK`.
    package var key: Int64
    /// A value for each column.
    package var values: [Value]

    /// An object.
    package init(entity: String, key: Int64, values: [Value]) {
      (self.entity, self.key, self.values) = (entity, key, values)
    }
  }

  /// A value.
  package enum Value: Sendable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001-01-01 UTC.
    case date(Double)
    case text(String)
    case uri(String)
    /// In the form of `UUID.uuidString`.
    case uuid(String)
    case data([UInt8])
    /// The keys of the objects that it leads to: in their order, or else sorted.
    case links([Int64])
    /// A value that tests do not ask for.
    case unknown
  }

  /// The framework that the tests are written for.
  package var style: Style
  /// The path of the model, as it was given.
  package var model: String
  /// The name of the current version.
  package var current: String
  /// How the app opens its store.
  package var opening: Opening
  /// The versions that are migrated from, in their order.
  package var versions: [Version]

  /// Tests of a model's migration.
  package init(style: Style, model: String, current: String, opening: Opening, versions: [Version] = []) {
    (self.style, self.model, self.current, self.opening) = (style, model, current, opening)
    self.versions = versions
  }

  /// The extension of the sample stores.
  package var fileExtension: String { if case .coreData = opening { "sqlite" } else { "store" } }

  /// Whether the migration of every version is tested.
  package var isComplete: Bool { versions.allSatisfy { $0.obstacle == nil } }
}
