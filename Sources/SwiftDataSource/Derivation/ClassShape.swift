import CoreDataModel
import SwiftDataSchemas

/// What a `@Model` class says of itself, before other classes and open rules are looked at.
struct ClassShape: Sendable {
  let id: TypeID
  let name: String
  var members: [ModelMember] = []
  var uniqueness: [[String]] = []
  var indexes: [FetchIndex] = []
  var unmeasured: Set<UnmeasuredRule> = []
  var reasons: [SourceEntity.Reason] = []
  /// The `@Model` class it inherits from.
  var superclass: TypeID?

  func relationship(_ name: String) -> RelationshipDraft? {
    members.first { $0.stored.name == name }?.relationship
  }
}

/// A stored variable of a model with what its macros say.
struct ModelMember: Sendable {
  let stored: StoredMember
  var relationship: RelationshipDraft?
  var options = AttributeOptions()
}

/// What is known of a relationship from its own side.
struct RelationshipDraft: Sendable {
  var target: TypeID
  var isToMany: Bool
  /// Whether `@Relationship` is there, with or without arguments.
  var hasMacro = false
  /// `inverse: \Tag.notes`
  var statedInverse: (root: TypeName?, name: String)?
  var deleteRule = Relationship.DeleteRule.nullify
  var minimumCount: Int32?
  var maximumCount: Int32?
}

/// What `@Attribute` and `@Relationship` say of a property besides.
struct AttributeOptions: Sendable {
  var isUnique = false
  var allowsExternalStorage = false
  var preservesValue = false
  var isEphemeral = false
  /// The transformer's name; empty where it is given by its type.
  var transformer: String?
  var originalName: String?
  var hashModifier: String?
}
