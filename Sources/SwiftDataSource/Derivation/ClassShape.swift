import StoreDataModel
import StoreSwiftDataSchemas

/// What a `@Model` class says of itself, before other classes and open rules are looked at.
package struct ClassShape: Sendable {
  package let id: TypeID
  package let name: String
  package var members: [ModelMember] = []
  package var uniqueness: [[String]] = []
  package var indexes: [FetchIndex] = []
  package var unmeasured: Set<UnmeasuredRule> = []
  package var reasons: [SourceEntity.Reason] = []
  /// The `@Model` class it inherits from.
  package var superclass: TypeID?

  package func relationship(_ name: String) -> RelationshipDraft? {
    members.first { $0.stored.name == name }?.relationship
  }
}

/// A stored variable of a model with what its macros say.
package struct ModelMember: Sendable {
  package let stored: StoredMember
  package var relationship: RelationshipDraft?
  package var options = AttributeOptions()
}

/// What is known of a relationship from its own side.
package struct RelationshipDraft: Sendable {
  package var target: TypeID
  package var isToMany: Bool
  /// Whether `@Relationship` is there, with or without arguments.
  package var hasMacro = false
  /// `inverse: \Tag.notes`
  package var statedInverse: (root: TypeName?, name: String)?
  package var deleteRule = Relationship.DeleteRule.nullify
  package var minimumCount: Int32?
  package var maximumCount: Int32?
}

/// What `@Attribute` and `@Relationship` say of a property besides.
package struct AttributeOptions: Sendable {
  package var isUnique = false
  package var allowsExternalStorage = false
  package var preservesValue = false
  package var isEphemeral = false
  /// The transformer's name; empty where it is given by its type.
  package var transformer: String?
  package var originalName: String?
  package var hashModifier: String?
  /// What no model has: ".spotlight".
  package var unmodelled: [String] = []
}

extension ClassShape {
  /// What of the macros is no part of a model.
  var unmodelledOptions: [String: [String]] {
    Dictionary(members.lazy.filter { !$0.options.unmodelled.isEmpty }.map { ($0.stored.name, $0.options.unmodelled) }) {
      first, _ in first
    }
  }

  /// Initial values that are made anew, spelled as the macro wants them: `.now` is `Date.now`.
  var initialValues: [String: String] {
    Dictionary(members.compactMap { member in member.stored.madeValue.map { (member.stored.name, $0) } }) { first, _ in
      first
    }
  }
}

extension StoredMember {
  private static let madeMembers: [String: [String]] = [
    "Date": ["now", "distantPast", "distantFuture"], "UUID": [], "Data": [],
  ]

  fileprivate var madeValue: String? {
    guard case .foreign(let type)? = type, let members = Self.madeMembers[type], let value = variable.initialValue
    else {
      return nil
    }
    let (callee, isCall) = value.call.map { ($0.arguments.isEmpty ? $0.callee : value, true) } ?? (value, false)
    let path = callee.pathNames?.drop { $0 == "Foundation" } ?? callee.memberName.map { [type, $0] } ?? []
    if isCall { return [[type], [type, "init"]].contains(Array(path)) ? "\(type)()" : nil }
    guard path.count == 2, path.first == type, let name = path.last, members.contains(name) else { return nil }
    return "\(type).\(name)"
  }
}
