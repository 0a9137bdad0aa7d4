import StoreDataModel

/// A rule of the derivation that no store or document at hand has decided.
package enum OpenRule: String, Sendable, CaseIterable, Comparable {
  case severalInverses = "inverse where several properties point back"
  case selfInverse = "inverse of properties that point at their own class"
  case requiredInverse = "inverse where one of two to-one sides is required"
  case collectionOfValues = "collection of structs or enums, sets and dictionaries"
  case url = "URL"
  case cgFloat = "CGFloat"
  case attributedString = "AttributedString"
  case rawValueInStruct = "enum with raw values inside a struct"
  case requiredLeaves = "required elements of a required struct"
  case collectionInStruct = "set or dictionary inside a struct"
  case inheritance = "superclass that may be abstract"
  case sameEntityName = "two classes of one name"
  /// By system, so it leaves an entity derived: a store of framework 1522 has no inverse, and no store has shown what
  /// older systems do.
  case inverseOfOneMacro = "inverse where only one side has @Relationship, before framework 1522"
  /// By system, so it leaves an entity derived: stores of framework 1419 have the inverse, one of 1526 has not.
  case inverseOfTwoMacros = "inverse where both sides have @Relationship, before framework 1522"
  /// Of old systems only, so it leaves an entity derived.
  case oldLeaves = "elements of an optional struct before framework 1403"

  /// Whether an entity that rests on it is derived all the same, by its first reading.
  package var leavesDerived: Bool { frameworks(ofReading: 1) != FrameworkRange() }

  /// The frameworks that read source by one of the rule's alternatives, of which the first is that of today's systems; all
  /// for a rule that does not depend on the system.
  package func frameworks(ofReading position: Int) -> FrameworkRange {
    switch self {
    case .oldLeaves: FrameworkRange(below: position > 0 ? 1403 : nil)
    case .inverseOfOneMacro: FrameworkRange(below: position > 0 ? FrameworkRange.firstOf26 : nil)
    case .inverseOfTwoMacros:
      position > 0
        ? FrameworkRange(below: FrameworkRange.firstOf26) : FrameworkRange(from: FrameworkRange.afterMeasured18)
    default: FrameworkRange()
    }
  }

  /// Order of the names.
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A rule that is documented or follows by analogy, but that no hash has proved.
package enum UnmeasuredRule: String, Sendable, CaseIterable, Comparable {
  case unsignedInteger = "UInt as Integer 64"
  case smallInteger = "Int8 as Integer 16"
  case nameOfDouble = "another name of Double, like TimeInterval"
  case arrayOfOtherScalars = "array of values that are no texts, UInt32, UUID and Data"
  case arrayInStruct = "array of plain values inside a struct"
  case inferredType = "type left out, and neither a text nor a UUID"
  case severalNames = "several names in one declaration"
  case observers = "stored property with willSet or didSet"
  case preservedValue = "@Attribute(.preserveValueOnDeletion)"
  case ephemeral = "@Attribute(.ephemeral)"
  case transformable = "@Attribute(.transformable)"
  case hashModifier = "hashModifier:"
  case statedCounts = "minimumModelCount: and maximumModelCount:"
  case uniqueRelationship = "@Attribute(.unique) on a relationship"
  case requiredNotInferred = "no inverse for a required to-one side"
  case manyToManyNotInferred = "no inverse for many-to-many without inverse:"
  case ownCoding = "struct with its own encode(to:)"
  case foreignSupertype = "type of another module behind the class's name, taken for a protocol"

  /// Order of the names.
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
