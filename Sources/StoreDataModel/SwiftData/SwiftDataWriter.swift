import StoreWords
/// Writes a model as source of SwiftData's `@Model` classes in a `VersionedSchema`.
///
/// Parts that SwiftData cannot express are listed in ``lost``; the version hashes may then differ.
///
/// ```swift
/// let written = SwiftDataWriter(model, schemaName: "Notes2")
/// written.text   // "enum Notes2: VersionedSchema { ... @Model final class Note { ... } }"
/// written.lost   // [Note.tags: the order of its objects]
/// ```
package struct SwiftDataWriter: Sendable {
  /// The source text.
  package let text: String
  /// The parts that the text does not contain, sorted.
  package let lost: [ConversionLoss]

  /// Writes a model.
  ///
  /// - Parameter schemaName: the name of the enum; characters that are not allowed in Swift names are removed.
  package init(_ model: Model, schemaName: String) { self.init(model, schemaName: schemaName, details: [:]) }

  /// Writes a model that was read from Swift source.
  ///
  /// - Parameters:
  ///   - details: further details of the classes, by entity.
  ///   - hasUniqueMacro: whether the systems that it is written for have `#Unique`; by default what the details say.
  package init(
    _ model: Model, schemaName: String, details: [String: SwiftDataDetails], hasUniqueMacro: Bool? = nil
  ) {
    var writing = SwiftDataWriting(model: model, details: details, hasUniqueMacro: hasUniqueMacro)
    writing.write(schemaName: SwiftName.type(from: schemaName))
    text = writing.lines.joined(separator: "\n") + "\n"
    lost = Set(writing.lost).sorted()
  }
}

/// Writes one schema.
struct SwiftDataWriting {
  let model: Model
  private let details: [String: SwiftDataDetails]
  /// Whether the systems that it is written for have `#Unique`; nil where the details of each class say so.
  private let hasUniqueMacro: Bool?
  private let enums: SwiftDataEnums
  private let types: SwiftDataTypes
  /// Decides which relationships state their inverse.
  private let statedInverses: SwiftDataInverses
  private(set) var lines: [String] = []
  private(set) var lost: [ConversionLoss] = []

  init(model: Model, details: [String: SwiftDataDetails], hasUniqueMacro: Bool?) {
    self.model = model
    self.details = details
    self.hasUniqueMacro = hasUniqueMacro
    enums = SwiftDataEnums(details.mapValues(\.enums), of: model)
    types = SwiftDataTypes(model, besides: enums.names)
    statedInverses = SwiftDataInverses(model)
  }

  mutating func lose(_ place: String, what: String) { lost.append(ConversionLoss(place: place, what: what)) }

  mutating func write(schemaName: String) {
    noteModelLosses()
    let entities = model.entities.filter { entity in
      if SwiftName.isIdentifier(entity.name) { return true }
      lose(entity.name, what: "the entity: its name is no name in Swift")
      return false
    }
    lines += ["import Foundation", "import SwiftData", "", "enum \(schemaName): VersionedSchema {"]
    lines.append("  static let versionIdentifier = \(version)")
    lines.append("  static var models: [any PersistentModel.Type] {")
    lines.append("    [\(entities.map { "\(SwiftName.escaped($0.name)).self" }.joined(separator: ", "))]")
    lines.append("  }")
    for each in enums.shared { lines += [""] + each.lines(types).map { "  " + $0 } }
    for entity in entities { write(entity) }
    lines.append("}")
  }

  private mutating func noteModelLosses() {
    for name in model.configurations.keys.sorted(by: codeUnitsPrecede) { lose("", what: "the configuration '\(name)'") }
    for request in model.fetchRequests { lose("", what: "the fetch request '\(request.name)'") }
  }

  /// The version for `Schema.Version`: 2, 1, 0 for "2.1"; 1.0.0 if there is no usable identifier.
  private var version: String {
    mutating get {
      let identifiers = model.versionIdentifiers.filter { !$0.isEmpty }
      let parts = identifiers.first?.split(separator: ".", omittingEmptySubsequences: false) ?? []
      let known = parts.compactMap { UInt16($0) }
      guard identifiers.count <= 1, known.count == parts.count, (1...3).contains(parts.count) else {
        for identifier in identifiers { lose("", what: "the version identifier '\(identifier)'") }
        return "Schema.Version(1, 0, 0)"
      }
      let numbers = known + [0, 0]
      return "Schema.Version(\(numbers.prefix(3).map { String($0) }.joined(separator: ", ")))"
    }
  }

  // MARK: Classes

  private mutating func write(_ entity: Entity) {
    let name = SwiftName.escaped(entity.name)
    let hasSubclasses = !model.subentities(of: entity.name).isEmpty
    lines.append("")
    let parent = superclasses(of: entity).first
    if parent != nil { lines.append("  @available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *)") }
    lines.append("  @Model")
    let inheritance = parent.map { ": \(SwiftName.escaped($0.name))" } ?? ""
    lines.append("  \(hasSubclasses ? "" : "final ")class \(name)\(inheritance) {")
    noteLosses(of: entity)
    writeConstraints(of: entity)
    for each in enums.nested(in: entity.name) { lines += each.lines(types).map { "    " + $0 } }
    var members: [SwiftDataMember] = []
    for property in entity.properties {
      guard let member = member(property, of: entity) else { continue }
      members.append(member)
      lines += member.lines.map { "    " + $0 }
    }
    writeInitializer(of: entity, members)
    lines.append("  }")
  }

  /// The ancestors that are written as classes, nearest first.
  private func superclasses(of entity: Entity) -> [Entity] {
    Array(model.ancestors(of: entity.name).prefix { SwiftName.isIdentifier($0.name) })
  }

  private mutating func noteLosses(of entity: Entity) {
    if entity.isAbstract { lose(entity.name, what: "being abstract") }
    if let modifier = entity.versionHashModifier { lose(entity.name, what: "the version hash modifier '\(modifier)'") }
    if let old = entity.renamingIdentifier { lose(entity.name, what: "the former name '\(old)'") }
    if let parent = entity.parent, !SwiftName.isIdentifier(parent) {
      lose(entity.name, what: "its parent '\(parent)' and what it inherits")
    }
  }

  private mutating func writeConstraints(of entity: Entity) {
    let name = SwiftName.escaped(entity.name)
    var constraints = hasPlainUniqueness(entity) ? [] : entity.uniquenessConstraints
    if !hasUniqueMacro(entity) {
      for constraint in constraints
      where constraint.count != 1 || !constraint.allSatisfy({ isAttribute($0, of: entity) }) {
        lose(
          entity.name,
          what: "the uniqueness constraint \(constraint.joined(separator: ", ")): #Unique is there from iOS 18 on")
      }
      constraints = []
    }
    let unique = constraints.compactMap { paths($0, of: entity, what: "the uniqueness constraint") }
    if !unique.isEmpty { lines.append("    #Unique<\(name)>(\(unique.joined(separator: ", ")))") }
    var indexes = entity.indexes.compactMap { index -> String? in
      guard index.partialPredicate == nil,
        index.elements.allSatisfy({ $0.expression == nil && $0.isAscending && $0.kind == .binary })
      else {
        lose(entity.name, what: "the index '\(index.name)'")
        return nil
      }
      return paths(index.elements.map(\.propertyName), of: entity, what: "the index '\(index.name)' on")
    }
    indexes += entity.compoundIndexes.compactMap { paths($0, of: entity, what: "the index on") }
    indexes += entity.properties.filter { $0.attribute?.isIndexed == true }
      .compactMap { paths([$0.name], of: entity, what: "the index on") }
    if !indexes.isEmpty, !hasUniqueMacro(entity) {
      for index in indexes { lose(entity.name, what: "the index on \(index): #Index is there from iOS 18 on") }
    } else if !indexes.isEmpty {
      lines.append("    #Index<\(name)>(\(indexes.joined(separator: ", ")))")
    }
  }

  /// Whether the class may have `#Unique`: where it is not known what it is built for, it may.
  private func hasUniqueMacro(_ entity: Entity) -> Bool {
    hasUniqueMacro ?? details[entity.name]?.hasUniqueMacro ?? true
  }

  private func isAttribute(_ name: String, of entity: Entity) -> Bool {
    entity.property(named: name).map { $0.attribute != nil && SwiftDataMember.canBeWritten($0) } ?? false
  }

  /// Whether `@Attribute(.unique)` says all constraints of an entity, in their order; `#Unique` is there from iOS 18 on.
  private func hasPlainUniqueness(_ entity: Entity) -> Bool {
    let names = entity.uniquenessConstraints.flatMap { $0 }
    let own = entity.properties.filter { names.contains($0.name) && $0.attribute != nil }.map(\.name)
    return entity.uniquenessConstraints.allSatisfy { $0.count == 1 } && own == names
      && entity.properties.allSatisfy { !names.contains($0.name) || SwiftDataMember.canBeWritten($0) }
  }

  private mutating func paths(_ names: [String], of entity: Entity, what: String) -> String? {
    let exist = names.allSatisfy { name in
      model.property(name, of: entity.name).map { SwiftDataMember.canBeWritten($0) } ?? false
    }
    guard exist else {
      lose(entity.name, what: "\(what) \(names.joined(separator: ", "))")
      return nil
    }
    return "[\(names.map { "\\.\(SwiftName.escaped($0))" }.joined(separator: ", "))]"
  }

  private mutating func member(_ property: Property, of entity: Entity) -> SwiftDataMember? {
    let place = "\(entity.name).\(property.name)"
    if superclasses(of: entity).contains(where: { $0.property(named: property.name) != nil }) {
      lose(place, what: "its second declaration, which a subclass cannot repeat")
      return nil
    }
    let inverse = statedInverses.inverse(of: property.name, in: entity.name)
    guard let member = member(property, inverse: inverse, of: entity) else {
      lose(place, what: SwiftDataMember.reason(against: property))
      return nil
    }
    for loss in member.losses { lose(place, what: loss) }
    return member
  }

  private func member(
    _ property: Property, inverse: SwiftDataInverses.Inverse?, of entity: Entity
  ) -> SwiftDataMember? {
    let details = details[entity.name]
    let isUnique =
      entity.uniquenessConstraints.contains([property.name]) && property.attribute != nil
      && (hasPlainUniqueness(entity) || !hasUniqueMacro(entity))
    return SwiftDataMember(
      property, inverse: inverse, types: types, initialValue: details?.initialValues[property.name],
      options: (isUnique ? [".unique"] : []) + (details?.options[property.name] ?? []),
      element: details?.lists[property.name]
    ) { enums.type(at: $0, of: entity.name) }
  }

  /// SwiftData classes need an initializer; its parameters are the properties without initial value.
  private mutating func writeInitializer(of entity: Entity, _ members: [SwiftDataMember]) {
    let ancestors = superclasses(of: entity)
    let inherited = ancestors.reversed().flatMap { ancestor in
      ancestor.properties.compactMap { member($0, inverse: nil, of: ancestor) }
    }.filter(\.needsValue)
    let own = members.filter(\.needsValue)
    let parameters = (inherited + own).map { "\($0.name): \($0.type)" }.joined(separator: ", ")
    lines.append("")
    let isOverride = !ancestors.isEmpty && own.isEmpty
    lines.append("    \(isOverride ? "override " : "")init(\(parameters)) {")
    lines += own.map { "      self.\($0.name) = \($0.name)" }
    if !ancestors.isEmpty {
      lines.append("      super.init(\(inherited.map { "\($0.name): \($0.name)" }.joined(separator: ", ")))")
    }
    lines.append("    }")
  }
}
