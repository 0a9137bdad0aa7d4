import StoreDataModel

/// Changes of attributes, and of their types.
extension EffectRules {
  func attributeEffect(of change: ModelChange) -> Effect {
    switch change.kind {
    case .type(let old, let new): return typeEffect(change, from: old, to: new)
    case .externalStorage:
      guard let place = stored(change) else { return .yes(.d, afterwards: "not known") }
      return .yes(
        .d, afterwards: "not known: whether old values are read as before",
        rules: .risk(
          .noValues(place.entities, property: place.property), met: .d, violated: .d,
          words: "the prefix byte of old values is not known"))
    case .preservesValueInHistory: return .yes(.b, afterwards: "unchanged")
    case .derivation(let old, let new):
      if old == nil || new == nil { return .unknown("not known: an attribute that starts or ends to be derived") }
      return .yes(.d, afterwards: "computed anew or not: not known")
    case .elements(_, let removed, let changed):
      if let old = sourceProperty(of: change)?.attribute, let new = destinationProperty(of: change)?.attribute,
        let words = new.elementTypes(changed, since: old).first
      {
        return .unknown("not known: an element changes its type, \(words)")
      }
      guard let entity = change.place.destinationEntity else { return .yes(.c, afterwards: "not known") }
      var effect = Effect.yes(
        .c, afterwards: "new elements hold NULL or their defaults; a crash on opening was reported",
        rules: .risk(.noRows(rows(of: entity)), met: .c, violated: .c, words: "a crash on opening was reported"))
      if let place = stored(change) {
        effect.rules += removed.map { .loss(.noValues(place.entities, property: "\(place.property).\($0)")) }
      }
      return effect
    default: return .unknown("not known")
    }
  }

  private func typeEffect(_ change: ModelChange, from old: AttributeType, to new: AttributeType) -> Effect {
    let isDerived = [sourceProperty(of: change), destinationProperty(of: change)].contains {
      $0?.attribute?.derivation != nil
    }
    if isDerived { return .yes(.d, afterwards: "computed anew or not: not known") }
    let (isInferable, grade) = TypeConversion.inference(from: old, to: new)
    guard isInferable else {
      return .no(grade, failure: .incompatibleTypes, afterwards: "\(old.name) cannot become \(new.name)")
    }
    guard let place = stored(change), !TypeConversion.isLossless(from: old, to: new) else {
      return .yes(grade, afterwards: "values are kept")
    }
    return .yes(
      grade, afterwards: "values are kept in the file; one that does not fit is read differently",
      rules: .risk(
        .numericFits(place.entities, property: place.property, to: new), met: grade, violated: .d,
        words: "does not fit \(new.name)"))
  }
}

/// Which attribute types lightweight migration converts: the table of §1.3.
enum TypeConversion {
  static func inference(from old: AttributeType, to new: AttributeType) -> (isInferable: Bool, grade: Grade) {
    guard numeric.contains(old), numeric.contains(new) else {
      return (false, refused[old]?[new] ?? .d)
    }
    if observed.contains([old, new]) { return (true, .b) }
    let isAssumed =
      [.decimal, .double, .float].contains(old) && new == .boolean
      || old == .boolean && [.decimal, .double, .float].contains(new)
    return (true, isAssumed ? .d : .c)
  }

  /// Whether every value of the old type is also a value of the new.
  static func isLossless(from old: AttributeType, to new: AttributeType) -> Bool {
    let order: [AttributeType] = [.boolean, .integer16, .integer32, .integer64]
    if let from = order.firstIndex(of: old), let to = order.firstIndex(of: new) { return from <= to }
    // Large whole numbers are rounded.
    if old == .integer64 && [.double, .float].contains(new) || old == .integer32 && new == .float { return false }
    return [.decimal, .double, .float].contains(new)
  }

  private static let numeric: Set<AttributeType> = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean,
  ]

  /// Conversions in real models that shipped without a mapping model ("yes B" in the table).
  private static let observed: Set<[AttributeType]> = [
    [.integer16, .integer32], [.integer16, .integer64], [.integer32, .integer64], [.integer64, .integer16],
    [.integer64, .decimal], [.decimal, .double], [.boolean, .integer16],
  ]

  /// Refusals with more evidence than the rule itself; all others are grade D.
  private static let refused: [AttributeType: [AttributeType: Grade]] = [
    .integer16: [.string: .b, .binary: .b], .integer32: [.string: .b], .integer64: [.string: .b],
    .decimal: [.string: .c], .double: [.string: .c], .float: [.string: .c], .boolean: [.string: .c],
    .date: [.string: .c],
    .string: [
      .integer16: .b, .integer32: .b, .integer64: .b, .decimal: .c, .double: .c, .float: .c, .boolean: .c, .date: .b,
      .binary: .b,
    ],
  ]
}
