import StoreDataModel
import StorePredicates
import TestSupport

/// The model of these tests, and objects of it in memory.
enum Notebook {
  static let model: Model = {
    do {
      return try ModelNotation.model([
        "Folder: name String?; parent ->Folder?~children; children ->>Folder?~parent; notes ->>Note?~folder",
        """
        Note: title String?; body String?; count I32?; size Double?; price Decimal?; isDone Bool?; createdAt Date?; \
        identifier UUID?; link URI?; data Binary?; draft String? transient; order I16?; \
        address Composite? of(city String?,zip I16?); folder ->Folder?~notes; tags ->>Tag?~notes
        """,
        "Book<Note: pages I16?",
        "Tag: name String?; weight I16?; added Date?; notes ->>Note?~tags",
      ])
    } catch {
      fatalError("\(error)")
    }
  }()

  static func resolved(_ text: String, for entity: String = "Note") throws(FetchPredicateError) -> ResolvedPredicate {
    try FetchPredicate(parsing: text).resolved(for: entity, in: model)
  }

  /// What a predicate says of an object.
  static func match(_ text: String, _ object: Object) throws -> Match {
    let predicate = try resolved(text)
    return predicate.match { object.value(at: predicate.paths[$0]) }
  }

  /// The error of a text: "6: message".
  static func mistake(_ text: String, for entity: String = "Note") -> String {
    do {
      _ = try resolved(text, for: entity)
      return "none"
    } catch {
      return (error.column.map { "\($0): " } ?? "") + error.message
    }
  }
}

/// An object: values by name, composite leaves by "address.city", and the objects it is related to.
final class Object {
  var key: Int64
  var values: [String: PredicateValue]
  var toOnes: [String: Object] = [:]
  var toManys: [String: [Object]] = [:]

  init(
    key: Int64 = 1, _ values: [String: PredicateValue] = [:], toOnes: [String: Object] = [:],
    toManys: [String: [Object]] = [:]
  ) {
    self.key = key
    self.values = values
    self.toOnes = toOnes
    self.toManys = toManys
  }

  /// What a reader of rows would hand over.
  func value(at path: ResolvedPath) -> PredicateValue {
    var object = self
    for step in path.toOnes {
      guard let next = object.toOnes[step.relationship] else { return .null }
      object = next
    }
    return switch path.end {
    case .attribute(let names, _, _): object.values[names.joined(separator: ".")] ?? .null
    case .object: .object(key: object.key)
    case .count(let step): .integer(Int64(object.toManys[step.relationship, default: []].count))
    case .values(let step, let rest):
      .collection(object.toManys[step.relationship, default: []].map { $0.value(at: rest) })
    }
  }
}
