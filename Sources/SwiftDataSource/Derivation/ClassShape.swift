import StoreDataModel
import StoreSwiftDataSchemas

/// A `@Model` class as declared, before other classes and undecided rules are taken into account.
package struct ClassShape: Sendable {
  package let id: TypeID
  package let name: String
  package var members: [ModelMember] = []
  package var uniqueness: [[String]] = []
  package var indexes: [FetchIndex] = []
  package var unmeasured: Set<UnmeasuredRule> = []
  package var reasons: [SourceEntity.Reason] = []
  /// The superclass, if it is a `@Model` class.
  package var superclass: TypeID?

  package func relationship(_ name: String) -> RelationshipDraft? {
    members.first { $0.stored.name == name }?.relationship
  }
}

/// A stored variable of a model class, with its macros.
package struct ModelMember: Sendable {
  package let stored: StoredMember
  package var relationship: RelationshipDraft?
  package var options = AttributeOptions()
}

/// A relationship as declared on its own side.
package struct RelationshipDraft: Sendable {
  package var target: TypeID
  package var isToMany: Bool
  /// Whether it has `@Relationship`, with or without arguments.
  package var hasMacro = false
  /// `inverse: \Tag.notes`
  package var statedInverse: (root: TypeName?, name: String)?
  package var deleteRule = Relationship.DeleteRule.nullify
  package var minimumCount: Int32?
  package var maximumCount: Int32?
}

/// The options in a property's `@Attribute` and `@Relationship`.
package struct AttributeOptions: Sendable {
  package var isUnique = false
  package var allowsExternalStorage = false
  package var preservesValue = false
  package var isEphemeral = false
  /// The transformer's name; empty where it is given as a type.
  package var transformer: String?
  package var originalName: String?
  package var hashModifier: String?
  /// Options that a model has no place for, such as ".spotlight".
  package var unmodelled: [String] = []
}

extension ClassShape {
  /// By property, options of macros that a model has no place for.
  var unmodelledOptions: [String: [String]] {
    Dictionary(members.lazy.filter { !$0.options.unmodelled.isEmpty }.map { ($0.stored.name, $0.options.unmodelled) }) {
      first, _ in first
    }
  }

  /// The types of the values in arrays of values, by property.
  var lists: [String: String] {
    Dictionary(
      members.compactMap { member in
        guard case .array(.foreign(let element))? = member.stored.type, ScalarType(element) != nil,
          member.options.transformer == nil
        else { return nil }
        return (member.stored.name, element)
      }
    ) { first, _ in first }
  }

  /// Initial values that are computed at run time, spelled as the macro requires: `.now` is `Date.now`.
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
    if case .array(.foreign)? = type, case .array(let elements)? = variable.initialValue?.kind, elements.isEmpty {
      return "[]"
    }
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
