import StoreDataModel
import StoreWords

/// Finds key paths in a model.
struct PathFinder {
  let source: PredicateSource
  let model: Model
  let entity: String
  private(set) var paths: [ResolvedPath] = []
  private var positions: [ResolvedPath: Int] = [:]

  /// The most relationships of one key path.
  static let maximumSteps = 16
  /// The most different key paths of a predicate.
  static let maximumPaths = 200

  init(source: PredicateSource, model: Model, entity: String) {
    self.source = source
    self.model = model
    self.entity = entity
  }

  /// The path that a predicate names.
  mutating func find(_ components: [PathComponent], at offset: Int) throws(FetchPredicateError) -> FoundPath {
    let walk = try walk(components[...], from: entity, isInCollection: false, at: offset)
    let position = try position(of: walk.path, at: offset)
    let name = components.isEmpty ? "SELF" : components.map(\.name).joined(separator: ".")
    return FoundPath(
      operand: walk.aggregate.map { .aggregate($0, position) } ?? .path(position), kind: walk.kind,
      isCollection: walk.isCollection, statement: "\(quoted(name)) is \(walk.statement)", name: name, offset: offset)
  }

  private mutating func position(of path: ResolvedPath, at offset: Int) throws(FetchPredicateError) -> Int {
    if let known = positions[path] { return known }
    guard paths.count < Self.maximumPaths else {
      throw error("more than \(Self.maximumPaths) different key paths", at: offset)
    }
    positions[path] = paths.count
    paths.append(path)
    return paths.count - 1
  }

  // MARK: Walking

  /// A description of the values found, in the words of an error: "String", "a to-one relationship to Folder".
  private struct Walk {
    var path: ResolvedPath
    var kind: ValueKind
    var statement: String
    var isCollection = false
    var aggregate: Aggregate?
  }

  private func walk(
    _ components: ArraySlice<PathComponent>, from start: String, isInCollection: Bool, at offset: Int
  ) throws(FetchPredicateError) -> Walk {
    var entity = start
    var toOnes: [ResolvedPath.Step] = []
    var rest = components
    while let component = rest.popFirst() {
      guard toOnes.count < Self.maximumSteps else {
        throw error("more than \(Self.maximumSteps) relationships in a key path", at: component.offset)
      }
      if component.name.hasPrefix("@") { throw misplaced(component) }
      guard let property = model.property(component.name, of: entity) else {
        if component.name == "objectID", rest.isEmpty { break }
        throw unknown(component, of: entity)
      }
      switch property.kind {
      case .attribute(let attribute):
        return try walk(attribute, of: property, component: component, rest: rest, from: entity, toOnes: toOnes)
      case .fetched:
        throw error(
          "\(quoted(component.name)) of \(entity) is a fetched property, and has no values in a store",
          at: component.offset)
      case .relationship(let relationship):
        guard !property.isTransient else { throw transient(component, of: entity) }
        guard model.entity(named: relationship.destination) != nil else {
          throw error(
            "\(quoted(component.name)) leads to \(quoted(relationship.destination)), which is not in the model",
            at: component.offset)
        }
        let step = ResolvedPath.Step(
          relationship: component.name, entity: entity, destination: relationship.destination)
        if relationship.isToMany {
          guard !isInCollection else {
            throw error(
              "a key path has one to-many relationship at most, in Core Data too; \(quoted(component.name)) is the second",
              at: component.offset)
          }
          return try walk(step, component: component, rest: rest, toOnes: toOnes)
        }
        toOnes.append(step)
        entity = relationship.destination
      }
    }
    let statement =
      toOnes.isEmpty ? "the object itself" : "a to-one relationship to \(entity)"
    return Walk(
      path: ResolvedPath(toOnes: toOnes, end: .object(of: entity)), kind: .object(root: root(of: entity)),
      statement: statement)
  }

  /// An attribute, or the leaf of a composite one.
  private func walk(
    _ attribute: Attribute, of property: Property, component: PathComponent, rest: ArraySlice<PathComponent>,
    from entity: String, toOnes: [ResolvedPath.Step]
  ) throws(FetchPredicateError) -> Walk {
    var (names, leaf, last, rest) = ([component.name], attribute, component, rest)
    guard !property.isTransient else { throw transient(component, of: entity) }
    while leaf.type == .composite {
      let elements = leaf.elements ?? []
      guard let next = rest.popFirst() else {
        throw error(
          "\(quoted(last.name)) is a composite attribute; one of its elements is compared: "
            + elements.prefix(5).map { quoted("\(last.name).\($0.name)") }.joined(separator: ", "), at: last.offset)
      }
      guard let element = elements.first(where: { $0.name == next.name }), let attribute = element.attribute else {
        throw error(
          "no element \(quoted(next.name)) of \(quoted(last.name))"
            + didYouMean(next.name, among: elements.map(\.name)), at: next.offset)
      }
      names.append(next.name)
      (leaf, last) = (attribute, next)
    }
    if let next = rest.first {
      throw error(
        "\(quoted(last.name)) of \(entity) is an attribute (\(leaf.type.name)); nothing can follow it",
        at: next.offset)
    }
    return Walk(
      path: ResolvedPath(toOnes: toOnes, end: .attribute(names, of: entity, leaf.type)), kind: ValueKind(leaf.type),
      statement: leaf.type.name)
  }

  /// A to-many relationship with `@count`, an aggregate, or the values at its other end.
  private func walk(
    _ step: ResolvedPath.Step, component: PathComponent, rest: ArraySlice<PathComponent>,
    toOnes: [ResolvedPath.Step]
  ) throws(FetchPredicateError) -> Walk {
    var rest = rest
    guard let next = rest.first, next.name.hasPrefix("@") else {
      var walk = try values(step, component: component, rest: rest, toOnes: toOnes)
      walk.isCollection = true
      return walk
    }
    rest = rest.dropFirst()
    if next.name == "@count" {
      if let after = rest.first { throw error("nothing can follow @count", at: after.offset) }
      return Walk(
        path: ResolvedPath(toOnes: toOnes, end: .count(step)), kind: .number(isReal: false), statement: "a number")
    }
    guard let aggregate = Aggregate(rawValue: next.name) else {
      throw error(
        "\(quoted(next.name)) is not evaluated here; there are @count, @sum, @min, @max and @avg", at: next.offset)
    }
    guard !rest.isEmpty else {
      throw error(
        "an attribute is expected after \(next.name): \(component.name).\(next.name).attribute", at: next.offset)
    }
    var walk = try values(step, component: component, rest: rest, toOnes: toOnes)
    walk.aggregate = aggregate
    try check(aggregate, walk: &walk, at: next)
    return walk
  }

  private func values(
    _ step: ResolvedPath.Step, component: PathComponent, rest: ArraySlice<PathComponent>,
    toOnes: [ResolvedPath.Step]
  ) throws(FetchPredicateError) -> Walk {
    var walk = try walk(rest, from: step.destination, isInCollection: true, at: component.offset)
    walk.path = ResolvedPath(toOnes: toOnes, end: .values(step, walk.path))
    if rest.isEmpty { walk.statement = "a to-many relationship to \(step.destination)" }
    return walk
  }

  /// Sums and means are of numbers; the least and the greatest of what has an order.
  private func check(_ aggregate: Aggregate, walk: inout Walk, at component: PathComponent)
    throws(FetchPredicateError)
  {
    switch (aggregate, walk.kind) {
    case (.sum, .number(let isReal)): walk.kind = .number(isReal: isReal)
    case (.average, .number): walk.kind = .number(isReal: true)
    case (.minimum, _) where walk.kind.hasOrder, (.maximum, _) where walk.kind.hasOrder: break
    default:
      throw error("\(component.name) is not known of values that are \(walk.statement)", at: component.offset)
    }
  }

  private func root(of entity: String) -> String { model.root(of: entity)?.name ?? entity }

  // MARK: Errors

  private func unknown(_ component: PathComponent, of entity: String) -> FetchPredicateError {
    let owners = model.entities.filter {
      $0.name != entity && model.entity($0.name, isKindOf: entity) && $0.property(named: component.name) != nil
    }
    if let owner = owners.first {
      return error(
        "\(quoted(component.name)) is a property of \(owner.name), not of every \(entity); "
          + "ask for the rows of \(owner.name)", at: component.offset)
    }
    return error(
      "no property \(quoted(component.name)) of \(entity)"
        + didYouMean(component.name, among: model.properties(of: entity).keys.sorted()), at: component.offset)
  }

  private func transient(_ component: PathComponent, of entity: String) -> FetchPredicateError {
    error("\(quoted(component.name)) of \(entity) is transient: no store has its values", at: component.offset)
  }

  private func misplaced(_ component: PathComponent) -> FetchPredicateError {
    let hint: String
    switch component.name {
    case "@sum", "@min", "@max", "@avg": hint = "notes.\(component.name).attribute"
    default: hint = "notes.@count"
    }
    return error(
      "\(quoted(component.name)) stands directly after a to-many relationship: \(hint)", at: component.offset)
  }

  private func error(_ message: String, at offset: Int) -> FetchPredicateError {
    FetchPredicateError(message, at: offset, in: source)
  }
}
