import StoreWords
import StoreDataModel
import StoreCoreData

// MARK: Dedupe

extension RecipeCheck {
  mutating func check(_ item: Recipe.Dedupe, in entity: EntityLayout) {
    for name in item.by { checkKey(name, of: entity) }
    if let name = item.keep.attribute, let leaf = attribute(name, of: entity),
      ![.integer, .real, .date].contains(ExpressionType(leaf.type))
    {
      mistake("'keep' goes by a date or a number; \(quoted(name)) of \(entity.name) is \(leaf.type.name)")
    }
    if case .rename(let template) = item.others { check(template, item: item, in: entity) }
  }

  private mutating func check(_ template: NameTemplate, item: Recipe.Dedupe, in entity: EntityLayout) {
    for name in template.attributes {
      guard let leaf = attribute(name, of: entity) else { continue }
      switch ExpressionType(leaf.type) {
      case .bytes, .null, nil:
        mistake("\(quoted(name)) of \(entity.name) is \(leaf.type.name), which is no part of a name")
      case .text, .integer, .real, .boolean, .date, .uuid: break
      }
    }
    guard let renamed = item.renamedAttribute(in: layout) else {
      return mistake("'rename' changes a String attribute, and none is among 'by'")
    }
    if renamed.leaf?.isDerived == true {
      mistake("\(quoted(renamed.text)) of \(entity.name) is derived from others; it cannot be renamed")
    }
  }
}

extension Recipe.Dedupe {
  /// The attribute of `by` that `rename` changes; nil where there is none, or others are not renamed.
  package func renamedAttribute(in layout: Layout) -> PropertyPath? {
    guard case .rename(let template) = others, let entity = try? layout.recipeEntity(self.entity),
      let name = entity.renamed(among: by, using: template.attributes)
    else { return nil }
    return try? layout.path(name, from: entity)
  }
}

extension EntityLayout {
  /// The attribute that a renaming changes: the first String among `names` that the template uses, else the first
  /// String. A leaf of a composite attribute is one too.
  func renamed(among names: [String], using template: [String]) -> String? {
    let texts = names.filter { name in
      value(name.split(separator: ".").map(String.init)[...])?.leaf.attribute?.type == .string
    }
    return texts.first(where: template.contains) ?? texts.first
  }
}

// MARK: Backfill

extension RecipeCheck {
  mutating func check(_ item: Recipe.Backfill, in entity: EntityLayout) {
    guard let target = attribute(item.attribute, of: entity) else { return }
    let place = "\(quoted(item.attribute)) of \(entity.name)"
    guard !target.isDerived else { return mistake("\(place) is derived from others; Core Data writes it") }
    for source in item.sources {
      switch source {
      case .from(let path): check(from: path, target, of: item, in: entity)
      case .group(let names):
        for name in names where name == item.attribute { mistake("\(place) cannot be in its own 'group'") }
        for name in names { checkKey(name, of: entity) }
      case .expression(let expression): check(expression, for: target, place: place, in: entity)
      case .value(let constant):
        do throws(UnstorableValue) {
          _ = try constant.storedValue(for: target.type)
        } catch {
          mistake("\(place): \(error)")
        }
      case .generate(let generator): check(generator, for: target, place: place)
      }
    }
  }

  private mutating func check(
    from path: String, _ target: PropertyPath.Leaf, of item: Recipe.Backfill, in entity: EntityLayout
  ) {
    let place = "\(quoted(item.attribute)) of \(entity.name)"
    if path == item.attribute { return mistake("\(place) cannot come from itself") }
    guard let source = attribute(path, of: entity, goesOver: true) else { return }
    guard source.type != target.type, ExpressionType(source.type)?.fits(target.type) != true else { return }
    let hint = ExpressionType(source.type)?.hint(for: target.type) ?? ""
    mistake(
      "\(quoted(path)) is \(source.type.name), and \(place) is \(target.type.name)\(hint.inExpression)"
        + target.type.whoWrites)
  }

  private mutating func check(
    _ expression: RecipeExpression, for target: PropertyPath.Leaf, place: String, in entity: EntityLayout
  ) {
    do throws(ExpressionError) {
      let checked = try layout.checked(expression, of: entity)
      if !checked.type.fits(target.type) {
        mistake(
          "the expression gives \(checked.type.words), and \(place) is \(target.type.name)"
            + checked.type.hint(for: target.type) + target.type.whoWrites)
      }
    } catch {
      mistake(error.description)
    }
  }

  private mutating func check(_ generator: Recipe.Backfill.Generator, for target: PropertyPath.Leaf, place: String) {
    switch generator {
    case .now:
      if target.type != .date { mistake("'generate: now' is for Date; \(place) is \(target.type.name)") }
    case .uuid:
      if ![.uuid, .string].contains(target.type) {
        mistake("'generate: uuid' is for UUID and String; \(place) is \(target.type.name)")
      }
    case .sequence:
      if ![.integer16, .integer32, .integer64, .string].contains(target.type) {
        mistake("'generate: sequence' is for integers and String; \(place) is \(target.type.name)")
      }
    case .default:
      if target.property.attribute?.storedDefault == nil {
        let isThere = target.property.attribute?.defaultValue != nil
        mistake(
          isThere
            ? "\(place) has a default value that cannot be read here; give one with 'value'"
            : "\(place) has no default value in the model; give one with 'value'")
      }
    }
  }
}

extension Layout {
  /// A recipe's expression, checked against the types of an entity's attributes.
  ///
  /// - Throws: `ExpressionError` for unknown attributes, and for types that do not go together.
  package func checked(
    _ expression: RecipeExpression, of entity: EntityLayout
  ) throws(ExpressionError) -> CheckedExpression {
    try expression.checked { path throws(ExpressionError) in
      do throws(UnknownPath) {
        let leaf = try self.path(path, from: entity).readableLeaf(of: entity, goesOver: true)
        if let type = ExpressionType(leaf.type) { return type }
        throw UnknownPath("\(quoted(path)) is \(leaf.type.name), which expressions do not read")
      } catch {
        throw ExpressionError(column: nil, error.description)
      }
    }
  }
}

extension AttributeType {
  /// Another remedy for a value that is not written here; empty for all others.
  fileprivate var whoWrites: String {
    self == .transformable
      ? "; its archive is of a class of the app, which only the app can write: keep both properties, and fill it there"
      : ""
  }
}

extension String {
  /// Appends that a hint concerns an expression, unless it is empty.
  fileprivate var inExpression: String { isEmpty ? "" : self + " in an 'expression'" }
}

// MARK: Relink

extension RecipeCheck {
  mutating func check(_ item: Recipe.Relink, in entity: EntityLayout) {
    guard let relationship = relationship(item.relationship, of: entity) else { return }
    let place = "\(quoted(item.relationship)) of \(entity.name)"
    guard let destination = destination(of: relationship, place) else { return }
    switch item.source {
    case .inverse: checkOneToOne(relationship, to: destination, place: place)
    case .match(let pairs):
      switch relationship.storage {
      case .key(.some, _, _):
        if item.separator != nil { mistake("'separator' is for lists; \(place) leads to one object") }
        for pair in pairs { check(pair, from: entity, to: destination) }
      case .joinTable(.some): check(list: pairs, item, from: entity, to: destination, place: place)
      case .inverseKey, .hiddenKey:
        let side = relationship.inverse.map { "; relink \(quoted("\(destination.name).\($0)")) instead" } ?? ""
        mistake("\(place) leads to many, and the links are kept on the other side\(side)")
      case .key, .joinTable, .none: mistake("this store has no place for \(place)")
      }
    }
  }

  private mutating func check(
    list pairs: [Recipe.Relink.Pair], _ item: Recipe.Relink, from entity: EntityLayout, to destination: EntityLayout,
    place: String
  ) {
    if item.separator == nil {
      mistake("\(place) leads to many; give the 'separator' of the list in the text that is matched")
    }
    guard pairs.count == 1, let pair = pairs.first else {
      return mistake("\(place) leads to many; it is matched by one attribute, which holds a list")
    }
    let own = attribute(pair.own, of: entity, goesOver: true)
    let other = attribute(pair.destination, of: destination)
    if let own, ExpressionType(own.type) != .text {
      mistake("a list is a text; \(quoted(pair.own)) of \(entity.name) is \(own.type.name)")
    }
    if let other, ExpressionType(other.type) != .text {
      mistake("a list holds texts; \(quoted(pair.destination)) of \(destination.name) is \(other.type.name)")
    }
  }

  private mutating func check(_ pair: Recipe.Relink.Pair, from entity: EntityLayout, to destination: EntityLayout) {
    let own = attribute(pair.own, of: entity, goesOver: true)
    let other = attribute(pair.destination, of: destination)
    guard let own, let other else { return }
    let (first, second) = (ExpressionType(own.type), ExpressionType(other.type))
    guard let first, let second, first == second || first.isNumber && second.isNumber else {
      return mistake(
        "\(quoted(pair.own)) of \(entity.name) is \(own.type.name), and \(quoted(pair.destination)) of "
          + "\(destination.name) is \(other.type.name); they are never equal")
    }
  }

  // MARK: Inverses

  mutating func check(_ item: Recipe.Inverse, in entity: EntityLayout) {
    guard let relationship = relationship(item.relationship, of: entity) else { return }
    let place = "\(quoted(item.relationship)) of \(entity.name)"
    guard let destination = destination(of: relationship, place) else { return }
    checkOneToOne(relationship, to: destination, place: place)
  }

  private mutating func checkOneToOne(
    _ relationship: RelationshipLayout, to destination: EntityLayout, place: String
  ) {
    guard let name = relationship.inverse else { return mistake("\(place) has no inverse") }
    guard let inverse = destination.relationships.first(where: { $0.name == name }) else {
      return mistake("the inverse of \(place), \(quoted(name)), is not in \(destination.name)")
    }
    guard case .key(.some, _, _) = relationship.storage, case .key(.some, _, _) = inverse.storage else {
      return mistake(
        "\(place) and its inverse \(quoted("\(destination.name).\(name)")) share one column; only a one-to-one "
          + "relationship keeps both sides")
    }
  }
}
