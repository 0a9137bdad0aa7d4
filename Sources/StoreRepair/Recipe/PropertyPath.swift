import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData

/// The property that a name or path in a recipe stands for: "title", "size.width", "folder", "folder.name".
package struct PropertyPath: Sendable, Equatable {
  /// The path as it was written.
  package var text: String
  /// The to-one relationships it follows, in order.
  package var steps: [Step]
  /// The attribute or relationship at its end.
  package var end: End

  /// A to-one relationship of a path.
  package struct Step: Sendable, Equatable {
    /// The relationship.
    package var relationship: RelationshipLayout
    /// The entity it leads to, by its name in `Z_PRIMARYKEY`.
    package var destination: String
  }

  /// The end of a path.
  package enum End: Sendable, Equatable {
    /// An attribute, or a leaf of a composite one, and its column in the last entity's table.
    case attribute(Leaf)
    /// A relationship of any kind.
    case relationship(RelationshipLayout)
  }

  /// An attribute with a value, possibly a leaf of a composite one.
  package struct Leaf: Sendable, Equatable {
    /// The entity's attribute, which may be composite.
    package var attribute: AttributeLayout
    /// The attribute itself, or the leaf of a composite one.
    package var property: Property
    /// Its column in the table of the entity.
    package var column: String

    /// The type of its values.
    package var type: AttributeType { property.attribute?.type ?? .undefined }
    /// Whether the value is derived from others, and written by Core Data alone.
    package var isDerived: Bool {
      property.attribute?.derivation != nil || attribute.property.attribute?.derivation != nil
    }
    /// Whether the column may hold a reference to an external file instead of the value.
    package var isExternal: Bool { property.attribute?.allowsExternalStorage == true }
  }

  /// The attribute at its end, if it is one.
  package var leaf: Leaf? {
    if case .attribute(let leaf) = end { leaf } else { nil }
  }
}

/// Why a name or path in a recipe does not exist in a store.
package struct UnknownPath: Error, Sendable, Equatable, CustomStringConvertible {
  /// Includes similar names; lower case, no full stop.
  package var description: String

  init(_ description: String) { self.description = description }
}

extension Layout {
  /// The entity with this name in `Z_PRIMARYKEY` or in the model, but none of Core Data's internal ones.
  package func recipeEntity(_ name: String) throws(UnknownPath) -> EntityLayout {
    let own = entities.filter { !$0.id.isInternal }
    guard let entity = own.first(where: { $0.name == name }) ?? own.first(where: { $0.modelName == name }) else {
      let names = own.map(\.name)
      let near = didYouMean(name, among: names + own.compactMap(\.modelName))
      let all =
        near.isEmpty && names.count <= 12 ? "; it has \(names.sorted().map(quoted).joined(separator: ", "))" : near
      throw UnknownPath("no entity \(quoted(name)) in this store\(all)")
    }
    guard entity.isDescribed, entity.tableExists else {
      throw UnknownPath("what \(quoted(name)) is made of is not known; a model given with --store-model may tell")
    }
    return entity
  }

  /// Resolves a path.
  ///
  /// - Throws: `UnknownPath` for unknown names, paths across to-many relationships, and properties without a column.
  package func path(_ text: String, from entity: EntityLayout) throws(UnknownPath) -> PropertyPath {
    var (steps, current) = ([PropertyPath.Step](), entity)
    var names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
    while let name = names.popFirst() {
      if let attribute = current.attributes.first(where: { $0.property.name == name }) {
        let leaf = try current.leaf(Array(names), of: attribute)
        return PropertyPath(text: text, steps: steps, end: .attribute(leaf))
      }
      guard let relationship = current.relationships.first(where: { $0.name == name }) else {
        throw current.unknown(name)
      }
      guard !names.isEmpty else { return PropertyPath(text: text, steps: steps, end: .relationship(relationship)) }
      guard case .key(.some, _, _) = relationship.storage, let destination = relationship.destination else {
        throw UnknownPath(
          "\(quoted(name)) of \(current.name) \(relationship.isToMany ? "leads to many" : "is not stored"); a path goes over "
            + "to-one relationships only")
      }
      current = try recipeEntity(destination)
      steps.append(PropertyPath.Step(relationship: relationship, destination: current.name))
    }
    throw UnknownPath("a name is expected")
  }
}

extension EntityLayout {
  fileprivate func unknown(_ name: String) -> UnknownPath {
    let known = attributes.map(\.property.name) + relationships.map(\.name)
    let near = didYouMean(name, among: known)
    let all =
      near.isEmpty && known.count <= 12 ? "; it has \(known.sorted().map(quoted).joined(separator: ", "))" : near
    return UnknownPath("no attribute \(quoted(name)) in \(self.name)\(all)")
  }

  fileprivate func leaf(_ names: [String], of attribute: AttributeLayout) throws(UnknownPath) -> PropertyPath.Leaf {
    let place = "\(quoted(attribute.property.name)) of \(name)"
    if attribute.property.isTransient { throw UnknownPath("\(place) is transient; the store holds no value of it") }
    let leaves = attribute.columns.map { $0.leaf.joined(separator: ".") }
    guard let column = attribute.columns.first(where: { $0.leaf == names }) else {
      let isComposite = attribute.columns.contains { !$0.leaf.isEmpty }
      guard isComposite else {
        throw UnknownPath(
          names.isEmpty ? "\(place) has no column" : "\(place) is an attribute; nothing can follow it in a path")
      }
      let known = leaves.map { "\(attribute.property.name).\($0)" }.joined(separator: ", ")
      throw UnknownPath("\(place) is composite; its leaves are \(known)")
    }
    guard let name = column.name, let leaf = attribute.property.leaf(names[...]) else {
      throw UnknownPath("this store has no column for \(place)")
    }
    return PropertyPath.Leaf(attribute: attribute, property: leaf, column: name)
  }
}

extension EntityLayout {
  /// The column and the description of an attribute, or a leaf of one.
  func value(_ path: ArraySlice<String>) -> (column: String, leaf: Property)? {
    guard let first = path.first, let attribute = attributes.first(where: { $0.property.name == first }),
      let column = attribute.columns.first(where: { $0.leaf == Array(path.dropFirst()) })?.name,
      let leaf = attribute.property.leaf(path.dropFirst())
    else { return nil }
    return (column, leaf)
  }
}
