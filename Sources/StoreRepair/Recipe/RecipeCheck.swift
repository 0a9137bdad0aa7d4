import StoreWords
import StoreDataModel
import StoreCoreData

extension Recipe {
  /// Everything in the recipe that the store does not have, or has as another kind, in the recipe's order.
  ///
  /// Reads no rows; what depends on rows is found when planning.
  package func mistakes(in store: Store) -> [RecipeMistake] { mistakes(in: store.layout) }

  /// The same for a layout.
  package func mistakes(in layout: Layout) -> [RecipeMistake] {
    var check = RecipeCheck(layout: layout)
    for item in dedupe { check.item(of: item.entity, line: item.line) { $0.check(item, in: $1) } }
    for item in backfill { check.item(of: item.entity, line: item.line) { $0.check(item, in: $1) } }
    for item in relink { check.item(of: item.entity, line: item.line) { $0.check(item, in: $1) } }
    for item in junctions { check.item(of: item.entity, line: item.line) { $0.check(item, in: $1) } }
    for item in restore {
      if let entity = item.entity { check.item(of: entity, line: item.line) { _, _ in } }
    }
    for item in merge {
      for (entity, names) in item.by.sorted(by: { $0.key < $1.key }) {
        check.item(of: entity, line: item.line) { check, entity in
          for name in names { _ = check.attribute(name, of: entity) }
        }
      }
      for (entity, name) in item.newest.sorted(by: { $0.key < $1.key }) {
        check.item(of: entity, line: item.line) { check, entity in _ = check.attribute(name, of: entity) }
      }
    }
    for item in inverses { check.item(of: item.entity, line: item.line) { $0.check(item, in: $1) } }
    return check.mistakes
  }
}

/// Checks a recipe against a store's layout.
struct RecipeCheck {
  let layout: Layout
  private(set) var mistakes: [RecipeMistake] = []
  private var line: Int?

  init(layout: Layout) { self.layout = layout }

  /// Checks an item about an entity; its mistakes get the item's line.
  fileprivate mutating func item(
    of entity: String, line: Int?, check: (inout RecipeCheck, EntityLayout) -> Void
  ) {
    self.line = line
    do throws(UnknownPath) {
      check(&self, try layout.recipeEntity(entity))
    } catch {
      mistake(error.description)
    }
  }

  mutating func mistake(_ message: String) { mistakes.append(RecipeMistake(line: line, message)) }

  // MARK: Paths

  /// Resolves a path; nil, and a mistake, where that fails.
  mutating func path(_ text: String, from entity: EntityLayout) -> PropertyPath? {
    do throws(UnknownPath) {
      return try layout.path(text, from: entity)
    } catch {
      mistake(error.description)
      return nil
    }
  }

  /// An attribute whose values can be read; `goesOver` allows a path across to-one relationships.
  mutating func attribute(
    _ text: String, of entity: EntityLayout, goesOver: Bool = false
  ) -> PropertyPath.Leaf? {
    guard let path = path(text, from: entity) else { return nil }
    do throws(UnknownPath) {
      return try path.readableLeaf(of: entity, goesOver: goesOver)
    } catch {
      mistake(error.description)
      return nil
    }
  }

  /// Checks a property by which rows are compared: an attribute or to-one relationship of the row itself.
  mutating func checkKey(_ text: String, of entity: EntityLayout) {
    guard let path = path(text, from: entity) else { return }
    switch path.end {
    case .attribute: _ = attribute(text, of: entity)
    case .relationship(let relationship):
      guard path.steps.isEmpty else { return mistake(path.isNotOwn(of: entity)) }
      guard case .key(.some, _, _) = relationship.storage else {
        return mistake(
          "\(quoted(text)) of \(entity.name) leads to many; rows are compared by attributes and to-one relationships")
      }
    }
  }

  /// A relationship; nil, and a mistake, where there is none.
  mutating func relationship(_ name: String, of entity: EntityLayout) -> RelationshipLayout? {
    if let relationship = entity.relationships.first(where: { $0.name == name }) {
      if case .none = relationship.storage {
        mistake("\(quoted(name)) of \(entity.name) is transient; the store holds no links of it")
        return nil
      }
      return relationship
    }
    let known = entity.relationships.map(\.name)
    if entity.attributes.contains(where: { $0.property.name == name }) {
      mistake("\(quoted(name)) of \(entity.name) is an attribute; a relationship is expected")
    } else {
      let near = didYouMean(name, among: known)
      let all = near.isEmpty && !known.isEmpty ? "; it has \(known.map(quoted).joined(separator: ", "))" : near
      mistake("no relationship \(quoted(name)) in \(entity.name)\(all)")
    }
    return nil
  }

  /// The entity a relationship leads to; nil, and a mistake, where it is not known.
  mutating func destination(of relationship: RelationshipLayout, _ place: String) -> EntityLayout? {
    guard let name = relationship.destination else {
      mistake("where \(place) leads to is not known; a model given with --store-model may tell")
      return nil
    }
    do throws(UnknownPath) {
      return try layout.recipeEntity(name)
    } catch {
      mistake(error.description)
      return nil
    }
  }
}

extension PropertyPath {
  /// The attribute at the path's end; throws where its values cannot be read.
  func readableLeaf(of entity: EntityLayout, goesOver: Bool) throws(UnknownPath) -> Leaf {
    guard let leaf else {
      throw UnknownPath("\(quoted(text)) of \(entity.name) is a relationship; an attribute is expected\(nextStep)")
    }
    guard steps.isEmpty || goesOver else { throw UnknownPath(isNotOwn(of: entity)) }
    guard !leaf.isExternal else {
      throw UnknownPath(
        "\(quoted(text)) of \(entity.name) may keep its values in files (external storage); they are not read here")
    }
    return leaf
  }

  func isNotOwn(of entity: EntityLayout) -> String {
    "\(quoted(text)) goes over a relationship; a property of \(entity.name) itself is expected"
  }

  private var nextStep: String {
    if case .relationship(let relationship) = end, !relationship.isToMany { ", as in \(text).name" } else { "" }
  }
}
