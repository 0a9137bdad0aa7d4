/// Options for the content of a diagram.
package struct DiagramOptions: Sendable, Equatable {
  /// The entities that are drawn, with their neighbours: those that relationships lead to or come from, parents and children.
  /// Empty for all.
  package var entities: [String]
  /// Whether attributes are drawn.
  package var showsAttributes: Bool

  /// All of a model, or some entities of it.
  package init(entities: [String] = [], showsAttributes: Bool = true) {
    self.entities = entities
    self.showsAttributes = showsAttributes
  }
}

/// The parts of a model that a diagram has. Entities are numbered by their positions in the model, because the languages of
/// diagrams do not allow all characters that names may have.
struct DiagramParts {
  /// The entities that are drawn.
  private(set) var entities: [(number: Int, entity: Entity)] = []
  /// Child and parent.
  private(set) var inheritance: [(child: Int, parent: Int)] = []
  /// The relationships that are drawn.
  private(set) var links: [DiagramLink] = []
  private let showsAttributes: Bool

  init(_ model: Model, _ options: DiagramOptions) {
    showsAttributes = options.showsAttributes
    let numbers = Dictionary(uniqueKeysWithValues: model.entities.enumerated().map { ($1.name, $0) })
    let all = DiagramLink.all(in: model)
    let lines = model.entities.enumerated().compactMap { child, entity in
      entity.parent.flatMap { numbers[$0] }.map { (child: child, parent: $0) }
    }
    guard !options.entities.isEmpty else {
      entities = model.entities.enumerated().map { ($0, $1) }
      (inheritance, links) = (lines, all)
      return
    }
    let named = Set(options.entities.compactMap { numbers[$0] })
    links = all.filter { named.contains($0.source) || named.contains($0.destination) }
    inheritance = lines.filter { named.contains($0.child) || named.contains($0.parent) }
    let drawn = named.union(links.flatMap { [$0.source, $0.destination] })
      .union(inheritance.flatMap { [$0.child, $0.parent] })
    entities = model.entities.enumerated().filter { drawn.contains($0.offset) }.map { ($0, $1) }
  }

  /// The attributes of an entity that are drawn: names and types, with "?" for what is optional.
  func attributes(of entity: Entity) -> [(name: String, type: String)] {
    guard showsAttributes else { return [] }
    return entity.properties.compactMap { property in
      property.attribute.map { (property.name, $0.type.name + (property.isOptional ? "?" : "")) }
    }
  }

  /// The parent of an entity; nil where it has none, or it is not drawn.
  func parent(of number: Int) -> Int? { inheritance.first { $0.child == number }?.parent }
}
