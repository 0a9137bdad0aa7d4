import StoreDataModel
import Foundation
import Testing

/// A case of `Tests/Expectations/migration-cases.json`; its notation is explained at the top of that file.
package struct MigrationCase: Decodable, Sendable, CustomTestStringConvertible {
  /// Its permanent name.
  package var id: String
  /// The store's model.
  package var source: [String]?
  /// The model it is opened with.
  package var target: JSONTree
  /// In a staged case: the versions by name.
  package var models: [String: [String]]?
  /// In a staged case: the version the store is at.
  package var store: String?
  /// In a staged case: the stages.
  package var plan: [String]?
  /// Entity to its rows; "joins" holds links.
  package var rows: [String: [[String: JSONTree]]]
  /// How the app opens the store, if the case says so.
  package var options: [String: Bool]?
  /// Other properties of the store or the app.
  package var setup: JSONTree?
  /// The expected result.
  package var expect: Expectation
  /// How certain the expectation is, from A to D.
  package var grade: String
  /// Whether the tool has to report that it is uncertain.
  package var uncertain: Bool
  /// Whether the version hashes are equal, if the case says so.
  package var hashes_equal: Bool?

  /// The expected result of a case.
  package struct Expectation: Decodable, Sendable {
    /// The verdict by the name that the cases use ("notInferable").
    package var verdict: String
    /// `NSCocoaErrorDomain`.
    package var code: Int?
    /// A part of the printed reason.
    package var reason: String?
    /// What blocks the migration.
    package var blocking: [Place]?
    /// What does not block it, but should be reported.
    package var atRisk: [Place]?
    /// The inferred migrations that are run ("V1>V3").
    package var steps: [String]?
    /// The state afterwards.
    package var after: JSONTree?
  }

  /// Rows of an entity.
  package struct Place: Decodable, Sendable {
    /// The entity.
    package var entity: String
    /// The property concerned.
    package var property: String?
    /// The properties of the constraint concerned.
    package var constraint: [String]?
    /// Key of the row.
    package var pk: Int64?
    /// Keys of the rows.
    package var pks: [Int64]?
  }

  /// The name shown for a test of this case.
  package var testDescription: String { id }

  /// The model of a version of a staged case.
  package func model(_ version: String) throws -> Model { try ModelNotation.model(try #require(models?[version])) }

  /// The model with which the store is opened, in a case with two models.
  package func targetModel() throws -> Model {
    guard case .array(let lines) = target else { throw ModelNotation.Mistake(text: id) }
    return try ModelNotation.model(lines.compactMap(\.string))
  }

  /// All cases; none if the file cannot be read, which a test counts.
  package static let all: [MigrationCase] = {
    struct File: Decodable { var cases: [MigrationCase] }
    guard let data = FileManager.default.contents(atPath: Project.path("Tests/Expectations/migration-cases.json")),
      let file = try? JSONDecoder().decode(File.self, from: data)
    else { return [] }
    return file.cases
  }()
}
