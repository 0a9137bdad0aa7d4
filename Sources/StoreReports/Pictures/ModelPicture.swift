import StoreDataModel
import StoreInspection
import StoreText
import StoreWords

/// A model as a picture: boxes for entities, lines for relationships and inheritance, laid out by us.
///
/// The ends of a relationship say how many: a fork for many, a bar for one, a circle where there may be none. Inheritance is
/// dashed, with a triangle at the parent.
package struct ModelPicture: Sendable, Equatable {
  /// The entities.
  package var boxes: [Box]
  /// The lines; ends that are no boxes are left out.
  package var edges: [Edge]

  /// An entity.
  package struct Box: Sendable, Equatable {
    /// Its name.
    package var name: String
    /// What stands beside its name: "1,234", "abstract".
    package var remark: String
    /// Its attributes and relationships; empty for a box that is folded.
    package var lines: [Line] = []
    /// Whether it steps back, as one without rows does.
    package var isFaint = false
    /// Where it leads to on its page; nil for nowhere.
    package var target: Int64?

    package init(name: String, remark: String) {
      self.name = name
      self.remark = remark
    }
  }

  /// A line in a box.
  package struct Line: Sendable, Equatable {
    package var name: String
    package var detail: String
    /// Whether it is a relationship, and no attribute.
    package var isRelationship = false

    package init(name: String, detail: String, isRelationship: Bool = false) {
      self.name = name
      self.detail = detail
      self.isRelationship = isRelationship
    }
  }

  /// A line between two boxes.
  package struct Edge: Sendable, Equatable {
    /// The box that declares the relationship, or the child.
    package var source: Int
    /// The box it leads to, or the parent.
    package var destination: Int
    /// Nil for inheritance.
    package var relationship: Ends?

    package init(source: Int, destination: Int, relationship: Ends?) {
      self.source = source
      self.destination = destination
      self.relationship = relationship
    }
  }

  /// The two ends of a relationship.
  package struct Ends: Sendable, Equatable {
    /// Its name at the source.
    package var name: String
    /// The name of its inverse; nil without one.
    package var inverse: String?
    /// How many a source leads to.
    package var there: End
    /// How many a destination leads to; nil without an inverse.
    package var back: End?

    package init(name: String, inverse: String?, there: End, back: End?) {
      self.name = name
      self.inverse = inverse
      self.there = there
      self.back = back
    }
  }

  /// How many there may be at an end.
  package struct End: Sendable, Equatable {
    package var isMany: Bool
    package var isOptional: Bool
    /// What becomes of what stands here when the object at the other end is deleted; nil where that is not known.
    package var rule: Relationship.DeleteRule?

    package init(isMany: Bool, isOptional: Bool, rule: Relationship.DeleteRule? = nil) {
      self.isMany = isMany
      self.isOptional = isOptional
      self.rule = rule
    }
  }

  /// The most boxes that are drawn, and lines between them.
  package static let mostBoxes = 150
  package static let mostEdges = 600
  /// From so many boxes on each has its name alone.
  package static let mostUnfolded = 25

  package init(boxes: [Box], edges: [Edge]) {
    self.boxes = Array(boxes.prefix(Self.mostBoxes))
    let count = self.boxes.count
    self.edges = Array(
      edges.filter { (0..<count).contains($0.source) && (0..<count).contains($0.destination) }.prefix(Self.mostEdges))
    if self.boxes.count > Self.mostUnfolded { for place in self.boxes.indices { self.boxes[place].lines = [] } }
  }
}

// MARK: Where it comes from

extension ModelPicture {
  /// A relationship, as an entity declares it.
  fileprivate struct Declared {
    var owner: String
    var name: String
    var destination: String
    var inverse: String?
    var end: End
  }

  /// The entities of a store, those with rows first; history and mirroring are left out.
  package init(_ inspection: Inspection) {
    let all = inspection.entities.filter { !$0.isInternal }
    let entities = all.filter { $0.rows != 0 } + all.filter { $0.rows == 0 }
    let boxes = entities.map { entity in
      var box = Box(name: entity.name, remark: entity.isAbstract ? "abstract" : entity.rows.map(grouped) ?? "?")
      box.isFaint = entity.rows == 0
      box.target = entity.number
      box.lines =
        entity.attributes.filter { $0.declaredBy == nil }.map {
          Line(name: $0.name, detail: $0.type + ($0.isOptional ? "?" : ""))
        }
        + entity.relationships.filter { $0.declaredBy == nil }.map {
          Line(name: $0.name, detail: Self.detail($0.destination ?? "?", $0.deleteRule), isRelationship: true)
        }
      return box
    }
    let declared = entities.flatMap { entity in
      entity.relationships.filter { $0.declaredBy == nil }.compactMap { relationship in
        relationship.destination.map {
          Declared(
            owner: entity.name, name: relationship.name, destination: $0, inverse: relationship.inverse,
            end: End(
              isMany: relationship.isToMany, isOptional: relationship.isOptional, rule: relationship.deleteRule))
        }
      }
    }
    self.init(boxes, parents: entities.map(\.parent), declared, others: entities.map(\.modelName))
    fit()
  }

  /// Leaves out attributes, and then relationships, where letters would be too small on a screen.
  private mutating func fit() {
    guard !PictureLayout(self).isReadable else { return }
    for place in boxes.indices { boxes[place].lines.removeAll { !$0.isRelationship } }
    guard !PictureLayout(self).isReadable else { return }
    for place in boxes.indices { boxes[place].lines = [] }
  }

  /// Whether boxes have attributes; whether they have lines at all.
  package var showsAttributes: Bool { boxes.contains { $0.lines.contains { !$0.isRelationship } } }
  package var showsLines: Bool { boxes.contains { !$0.lines.isEmpty } }

  /// The entities of a model.
  ///
  /// - Parameter options: which of them, and whether with their attributes.
  package init(_ model: Model, _ options: DiagramOptions = DiagramOptions()) {
    let named = Set(options.entities)
    let near = model.entities.reduce(into: named) { near, entity in
      let ends = entity.properties.compactMap(\.relationship?.destination) + [entity.parent].compactMap(\.self)
      if named.contains(entity.name) { near.formUnion(ends) }
      if ends.contains(where: named.contains) { near.insert(entity.name) }
    }
    let entities = model.entities.filter { named.isEmpty || near.contains($0.name) }
    let boxes = entities.map { entity in
      var box = Box(name: entity.name, remark: entity.isAbstract ? "abstract" : "")
      guard options.showsAttributes else { return box }
      box.lines = entity.properties.compactMap { property in
        if let attribute = property.attribute {
          return Line(name: property.name, detail: attribute.type.name + (property.isOptional ? "?" : ""))
        }
        return property.relationship.map {
          Line(name: property.name, detail: Self.detail($0.destination, $0.deleteRule), isRelationship: true)
        }
      }
      return box
    }
    let declared = entities.flatMap { entity in
      entity.properties.compactMap { property -> Declared? in
        guard let relationship = property.relationship else { return nil }
        // Between two that only stand beside an entity that was asked for, nothing is drawn.
        guard named.isEmpty || named.contains(entity.name) || named.contains(relationship.destination) else {
          return nil
        }
        return Declared(
          owner: entity.name, name: property.name, destination: relationship.destination, inverse: relationship.inverse,
          end: End(
            isMany: relationship.maximumCount != 1, isOptional: property.isOptional, rule: relationship.deleteRule))
      }
    }
    self.init(boxes, parents: entities.map(\.parent), declared, others: entities.map { _ in nil })
  }

  /// "Note, cascade": where a relationship leads to, and what becomes of that when its owner is deleted.
  private static func detail(_ destination: String, _ rule: Relationship.DeleteRule?) -> String {
    PictureLayout.shown(destination, most: 22) + (rule.map { ", \($0.words)" } ?? "")
  }

  /// - Parameter others: further names of the entities.
  private init(_ boxes: [Box], parents: [String?], _ declared: [Declared], others: [String?]) {
    var places: [String: Int] = [:]
    for (place, box) in boxes.enumerated() { places[box.name] = places[box.name] ?? place }
    for (place, name) in others.enumerated() {
      if let name, places[name] == nil { places[name] = place }
    }
    var edges = parents.enumerated().compactMap { place, parent -> Edge? in
      guard let parent = parent.flatMap({ places[$0] }), parent != place else { return nil }
      return Edge(source: place, destination: parent, relationship: nil)
    }
    let byName = Dictionary(declared.map { ([$0.owner, $0.name], $0) }, uniquingKeysWith: { first, _ in first })
    var drawn: Set<[String]> = []
    for one in declared {
      guard !drawn.contains([one.owner, one.name]) else { continue }
      drawn.insert([one.owner, one.name])
      guard let source = places[one.owner], let destination = places[one.destination] else { continue }
      let back = one.inverse.flatMap { byName[[boxes[destination].name, $0]] }
      if let back, back.inverse == one.name { drawn.insert([back.owner, back.name]) }
      let ends = Ends(name: one.name, inverse: back == nil ? nil : one.inverse, there: one.end, back: back?.end)
      edges.append(Edge(source: source, destination: destination, relationship: ends))
    }
    self.init(boxes: boxes, edges: edges)
  }
}
