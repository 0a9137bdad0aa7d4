import StoreDataModel
import Foundation
import Testing

/// A case of `Tests/Expectations/migration-cases.json`; its notation is explained at the top of that file.
public struct MigrationCase: Decodable, Sendable, CustomTestStringConvertible {
  /// Its permanent name.
  public var id: String
  /// The store's model.
  public var source: [String]?
  /// The model it is opened with.
  public var target: JSONTree
  /// In a staged case: the versions by name.
  public var models: [String: [String]]?
  /// In a staged case: the version the store is at.
  public var store: String?
  /// In a staged case: the stages.
  public var plan: [String]?
  /// Entity to its rows; "joins" holds links.
  public var rows: [String: [[String: JSONTree]]]
  /// How the app opens the store, if the case says so.
  public var options: [String: Bool]?
  /// Other properties of the store or the app.
  public var setup: JSONTree?
  /// The expected result.
  public var expect: Expectation
  /// How certain the expectation is, from A to D.
  public var grade: String
  /// Whether the tool has to report that it is uncertain.
  public var uncertain: Bool
  /// Whether the version hashes are equal, if the case says so.
  public var hashes_equal: Bool?

  /// The expected result of a case.
  public struct Expectation: Decodable, Sendable {
    /// The verdict by the name that the cases use ("notInferable").
    public var verdict: String
    /// `NSCocoaErrorDomain`.
    public var code: Int?
    /// A part of the printed reason.
    public var reason: String?
    /// What blocks the migration.
    public var blocking: [Place]?
    /// What does not block it, but should be reported.
    public var atRisk: [Place]?
    /// The inferred migrations that are run ("V1>V3").
    public var steps: [String]?
    /// The state afterwards.
    public var after: JSONTree?
  }

  /// Rows of an entity.
  public struct Place: Decodable, Sendable {
    /// The entity.
    public var entity: String
    /// The property concerned.
    public var property: String?
    /// The properties of the constraint concerned.
    public var constraint: [String]?
    /// Key of the row.
    public var pk: Int64?
    /// Keys of the rows.
    public var pks: [Int64]?
  }

  /// The name shown for a test of this case.
  public var testDescription: String { id }

  /// The model of a version of a staged case.
  public func model(_ version: String) throws -> Model { try ModelNotation.model(try #require(models?[version])) }

  /// The model with which the store is opened, in a case with two models.
  public func targetModel() throws -> Model {
    guard case .array(let lines) = target else { throw ModelNotation.Mistake(text: id) }
    return try ModelNotation.model(lines.compactMap(\.string))
  }

  /// All cases; none if the file cannot be read, which a test counts.
  public static let all: [MigrationCase] = {
    struct File: Decodable { var cases: [MigrationCase] }
    guard let data = FileManager.default.contents(atPath: Project.path("Tests/Expectations/migration-cases.json")),
      let file = try? JSONDecoder().decode(File.self, from: data)
    else { return [] }
    return file.cases
  }()
}
