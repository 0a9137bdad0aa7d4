import StoreDataModel
import StoreWords

/// The problems of a model's transformable attributes. Those of one kind are one problem, because a model either follows
/// Core Data's warning or does not, and an old model has many such attributes.
struct TransformerProblems {
  /// At most one of each kind.
  let all: [ModelProblems.Problem]

  init(_ model: Model, allowing allowed: AllowedClasses) {
    var insecure: [ModelProblems.Place] = []
    var refused: [ModelProblems.Place] = []
    for entity in model.entities {
      for property in entity.properties {
        guard !property.isTransient, let attribute = property.attribute, let transformer = attribute.transformer else {
          continue
        }
        if transformer.isInsecure {
          insecure.append(.init(entity: entity.name, property: property.name, name: transformer.name))
        } else if let refusedClass = transformer.refusedClass(of: attribute, allowing: allowed) {
          refused.append(.init(entity: entity.name, property: property.name, name: refusedClass))
        }
      }
    }
    all = [
      ModelProblems.Problem(.insecureTransformer, insecure), ModelProblems.Problem(.refusedClass, refused),
    ].compactMap(\.self)
  }
}

extension TransformerKind {
  /// The class of an attribute's values that the transformer does not let through; nil where the class is let through or
  /// not stated, or the list is not known.
  fileprivate func refusedClass(of attribute: Attribute, allowing allowed: AllowedClasses) -> String? {
    guard let added = allowed.added(to: self), let name = attribute.valueClassName else { return nil }
    return ValueClassName(name).parts.first { !SwiftValueClass.isLetThrough($0, besides: added) }
  }
}

extension ModelProblems.Problem {
  fileprivate init?(_ kind: ModelProblems.Kind, _ places: [ModelProblems.Place]) {
    guard !places.isEmpty else { return nil }
    self.init(
      kind: kind, entity: nil, property: nil, message: Self.message(of: kind, places: places), places: places)
  }

  /// The message of a problem of several properties: "2 transformable attributes without a secure transformer: ...".
  package static func message(of kind: ModelProblems.Kind, places: [ModelProblems.Place]) -> String {
    let count = counted(Int64(places.count), "transformable attribute")
    let names = places.map { place in
      quoted("\(place.entity).\(place.property)") + (place.name.map { " (\($0))" } ?? "")
    }
    let what =
      kind == .insecureTransformer
      ? "without a secure transformer" : "of a class that its secure transformer does not let through"
    return "\(count) \(what): \(names.joined(separator: ", "))"
  }
}

/// The name of a class as a model has it, in Swift's or Objective-C's spelling: `[String: Date]`, `Set<UUID>`, `NSArray`.
struct ValueClassName {
  /// The names of what is in a collection, or the name alone.
  let parts: [String]

  init(_ name: String) {
    parts = name.split(whereSeparator: { "[]<>:,?!".contains($0) || $0.isWhitespace }).map(String.init)
      .filter { !Self.collections.contains($0) }
  }

  private static let collections: Set<String> = ["Array", "Dictionary", "Set", "Optional", "Swift"]
}

/// What values of Swift's and Foundation's types are in an archive.
enum SwiftValueClass {
  /// Whether a value of this type is archived as a class that is on the system's list, or on what is added to it. Of a type
  /// that can be anything nothing is known, and it counts as let through.
  static func isLetThrough(_ name: String, besides added: Set<String>) -> Bool {
    let bare = name.split(separator: ".").last.map(String.init) ?? name
    return AllowedClasses.system.contains(name) || bridged.contains(bare) || added.contains(name)
      || added.contains(bare)
  }

  private static let bridged: Set<String> = [
    "String", "Substring", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "Double", "Float", "CGFloat", "Bool", "Decimal", "Date", "Data", "URL", "UUID",
    "NSMutableArray", "NSMutableDictionary", "NSMutableSet", "NSMutableString", "NSMutableData", "NSDecimalNumber",
    "Any", "AnyObject", "AnyHashable", "NSObject", "NSCoding", "NSSecureCoding", "id",
  ]
}
