import StoreCoreData
import StoreDataModel
import StoreWords

/// The relationship, of one and its inverse, by which the links of both are kept, and where.
struct LinkEnds: Equatable {
  /// The relationship whose owners have the keys `A`.
  var owner: TablePlan.PropertyID
  /// Its inverse; nil where it has none.
  var other: TablePlan.PropertyID?
  var place: Place

  enum Place: Equatable {
    /// In the row of `A`; and in that of `B` too where both lead to one object.
    case key
    case hiddenKey
    case join
  }
}

/// Links: gathered for a relationship together with its inverse, each pair of objects once, then written.
extension MappingPlanner {
  mutating func planLinks() {
    for (number, entity) in mapped.entities.enumerated() {
      for (relationship, links) in entity.links { gather(links, relationship, of: entity, number) }
    }
    for (number, ends) in linkTables.enumerated() {
      checkEnds(ends, number)
      write(ends, number)
    }
  }

  private func id(_ relationship: String, of entity: String) -> TablePlan.PropertyID {
    TablePlan.PropertyID(target.topmostDeclarer(of: relationship, in: entity) ?? entity, relationship)
  }

  private func relationship(_ id: TablePlan.PropertyID) -> Relationship? {
    target.property(id.property, of: id.entity)?.relationship
  }

  /// Where the links of a relationship are kept, and whether its own objects are the `A` there.
  private func ends(_ own: TablePlan.PropertyID) -> (ends: LinkEnds, isOwner: Bool)? {
    guard let relationship = relationship(own) else { return nil }
    guard let name = relationship.inverse,
      let inverse = target.property(name, of: relationship.destination)?.relationship
    else {
      return (LinkEnds(owner: own, other: nil, place: relationship.isToMany ? .hiddenKey : .key), true)
    }
    let other = id(name, of: relationship.destination)
    switch (relationship.isToMany, inverse.isToMany) {
    case (true, true):
      guard let join = base.plan.joinTables.first(where: { [$0.source, $0.destination].contains(own) }) else {
        return nil
      }
      return (LinkEnds(owner: join.source, other: join.destination, place: .join), join.source == own)
    case (false, true): return (LinkEnds(owner: own, other: other, place: .key), true)
    case (true, false): return (LinkEnds(owner: other, other: own, place: .key), false)
    case (false, false):
      let isFirst = (own.entity, own.property) <= (other.entity, other.property)
      return (LinkEnds(owner: isFirst ? own : other, other: isFirst ? other : own, place: .key), isFirst)
    }
  }

  private mutating func linkTable(_ ends: LinkEnds) -> String {
    if let number = linkTables.firstIndex(of: ends) { return Self.linkTable(number) }
    linkTables.append(ends)
    let table = Self.linkTable(linkTables.count - 1)
    add(
      .remakeTable,
      sql: "CREATE TEMP TABLE \(table) (A INTEGER, B INTEGER, OA INTEGER, OB INTEGER, PRIMARY KEY (A, B)) WITHOUT ROWID"
    )
    return table
  }

  /// Adds the links that one relationship of an entity mapping makes.
  private mutating func gather(_ links: MappedLinks, _ name: String, of entity: MappedEntity, _ number: Int) {
    guard let (ends, isOwner) = ends(id(name, of: entity.destination)),
      let destination = target.property(name, of: entity.destination)?.relationship?.destination,
      let end = mapped.end(of: links.path, of: entity.source),
      let old = paths.links(links.path, of: entity.source)
    else { return }
    let table = linkTable(ends)
    assumeOrder(links, name, of: entity)
    for (place, other) in mapped.entities.enumerated() {
      guard links.mapping.map({ $0 == other.name }) ?? mapped.source.entity(other.source, isKindOf: end),
        target.entity(other.destination, isKindOf: destination)
      else { continue }
      let columns = isOwner ? "own.Z_NEW, other.Z_NEW, r.o, NULL" : "other.Z_NEW, own.Z_NEW, NULL, r.o"
      add(
        .remakeTable,
        sql: "INSERT INTO \(table) (A, B, OA, OB) SELECT \(columns) FROM (\(old)) AS r "
          + "JOIN \(Self.keyTable(number)) AS own ON own.Z_OLD = r.a "
          + "JOIN \(Self.keyTable(place)) AS other ON other.Z_OLD = r.b WHERE true "
          + "ON CONFLICT (A, B) DO UPDATE SET OA = ifnull(OA, excluded.OA), OB = ifnull(OB, excluded.OB)")
      if ends.owner == ends.other {
        add(.remakeTable, sql: "INSERT OR IGNORE INTO \(table) SELECT B, A, OB, OA FROM \(table)")
      }
    }
  }

  /// An ordered relationship whose links have no order in the source.
  private mutating func assumeOrder(_ links: MappedLinks, _ name: String, of entity: MappedEntity) {
    guard target.property(name, of: entity.destination)?.relationship?.isOrdered == true else { return }
    let isOrdered =
      links.path.count == 1
      && mapped.source.property(links.path[0], of: entity.source)?.relationship?.isOrdered == true
    if !isOrdered {
      base.assume("\(entity.destination).\(name): it is ordered, and its links get the order of the objects' keys")
    }
  }

  private mutating func check(_ id: TablePlan.PropertyID, where sql: String, saying reason: String) {
    statements.append(
      MigrationStatement(
        refusing: MigrationRefusal(
          id.entity, id.property, reason, advice: "look at the mapping model, or rehearse it on a device"), where: sql))
  }

  /// A relationship that leads to one object has one link.
  private mutating func checkEnds(_ ends: LinkEnds, _ number: Int) {
    let table = Self.linkTable(number)
    func repeated(_ column: String) -> String {
      "SELECT count(*) FROM (SELECT 1 FROM \(table) GROUP BY \(column) HAVING count(*) > 1)"
    }
    let reason =
      "would get several links by the mapping model, and it leads to one; which of them Core Data keeps is not known"
    switch ends.place {
    case .join: break
    case .hiddenKey:
      check(
        ends.owner, where: repeated("B"),
        saying: "would be linked to several by the mapping model; which Core Data keeps is not known")
    case .key:
      check(ends.owner, where: repeated("A"), saying: reason)
      if let other = ends.other, relationship(other)?.isToMany == false {
        check(other, where: repeated("B"), saying: reason)
      }
    }
  }

  /// An expression for the order key of a link among those of one object.
  private func orderKey(of object: String, by order: String, then other: String) -> String {
    "1024 + 1024 * row_number() OVER (PARTITION BY \(object) ORDER BY \(order), \(other))"
  }

  private mutating func write(_ ends: LinkEnds, _ number: Int) {
    let table = Self.linkTable(number)
    switch ends.place {
    case .key:
      setKey(ends.owner, "A", leadingTo: "B", order: orderKey(of: "B", by: "OB", then: "A"), from: table)
      if let other = ends.other, other != ends.owner, relationship(other)?.isToMany == false {
        setKey(other, "B", leadingTo: "A", order: nil, from: table)
      }
    case .hiddenKey:
      guard let destination = relationship(ends.owner)?.destination, let rows = self.table(ofTarget: destination)?.name,
        let column = columns[.hiddenKey(ends.owner)]
      else { return }
      var assignments = ["\(column) = l.A"]
      if let order = columns[.hiddenOrderKey(ends.owner)] { assignments.append("\(order) = l.N") }
      add(
        .remakeTable,
        sql: "UPDATE \(rows) SET \(assignments.joined(separator: ", ")) FROM (SELECT A, B, "
          + "\(orderKey(of: "A", by: "OA", then: "B")) AS N FROM \(table)) AS l WHERE \(rows).Z_PK = l.B")
    case .join:
      guard let join = base.plan.joinTables.first(where: { $0.source == ends.owner }) else { return }
      var (names, values) = ([join.sourceColumn, join.destinationColumn], ["A", "B"])
      for order in join.orderColumns {
        names.append(order.name)
        values.append(
          order.relationship == join.source
            ? orderKey(of: "A", by: "OA", then: "B") : orderKey(of: "B", by: "OB", then: "A"))
      }
      add(
        .remakeTable,
        sql: "INSERT INTO \(join.name) (\(names.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) "
          + "FROM \(table) ORDER BY A, B")
    }
  }

  /// Writes the keys of a relationship that leads to one object.
  private mutating func setKey(
    _ id: TablePlan.PropertyID, _ own: String, leadingTo end: String, order: String?, from table: String
  ) {
    guard let destination = relationship(id)?.destination, let rows = self.table(ofTarget: id.entity)?.name,
      let ends = self.table(ofTarget: destination)?.name, let column = columns[.key(id)]
    else { return }
    var assignments = ["\(column) = l.\(end)"]
    if let companion = columns[.companion(id)] { assignments.append("\(companion) = d.Z_ENT") }
    if let place = columns[.orderKey(id)], order != nil { assignments.append("\(place) = l.N") }
    add(
      .remakeTable,
      sql: "UPDATE \(rows) SET \(assignments.joined(separator: ", ")) FROM (SELECT A, B, \(order ?? "NULL") AS N "
        + "FROM \(table)) AS l JOIN \(ends) AS d ON d.Z_PK = l.\(end) WHERE \(rows).Z_PK = l.\(own)")
  }

  // MARK: What Core Data's save would not accept

  mutating func checkResult() {
    for entity in target.entities where !entity.isAbstract {
      guard let table = table(ofTarget: entity.name), let number = base.numbers[entity.name] else { continue }
      let hasRecipe = mapped.entities.contains { $0.destination == entity.name && $0.isPerformedByRecipe }
      for (name, inherited) in target.properties(of: entity.name).sorted(by: { $0.key < $1.key }) {
        let property = inherited.property
        let id = TablePlan.PropertyID(inherited.topmostDeclarer, name)
        guard !property.isOptional, !property.isTransient,
          let column = columns[.attribute(id, leaf: [])] ?? columns[.key(id)]
        else { continue }
        let found = MigrationStatement(
          refusing: MigrationRefusal(
            entity.name, name,
            "without a value, which is required: by what is known of saving, Core Data fails with 134110 (1570)",
            advice: hasRecipe
              ? "let the recipe fill it too"
              : "give it a default in the model or a value in the mapping model, fill the store's rows with 'storedoctor "
                + "repair', or give a recipe that fills it (--perform 'FROM>TO/\(entity.name)=recipe.yaml')"),
          where: "SELECT count(*) FROM \(table.name) WHERE Z_ENT = \(number) AND \(column) IS NULL")
        // What the mapping model leaves open a recipe may fill.
        if hasRecipe { base.result.lastChecks.append(found) } else { statements.append(found) }
      }
    }
    for entity in target.entities {
      for constraint in entity.uniquenessConstraints { checkUnique(constraint, of: entity) }
    }
  }

  private mutating func checkUnique(_ constraint: [String], of entity: Entity) {
    let held = constraint.compactMap { name -> String? in
      let id = id(name, of: entity.name)
      return columns[.attribute(id, leaf: [])] ?? columns[.key(id)]
    }
    guard let table = table(ofTarget: entity.name), held.count == constraint.count, !held.isEmpty else { return }
    let condition = held.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    check(
      TablePlan.PropertyID(entity.name, constraint.joined(separator: ", ")),
      where: "SELECT ifnull(sum(n), 0) FROM (SELECT count(*) AS n FROM \(table.name) WHERE \(condition) GROUP BY "
        + "\(held.joined(separator: ", ")) HAVING count(*) > 1)",
      saying: "would have values that others have, which must be unique: Core Data's save fails with 133021")
  }
}
