import StoreWords
import StoreDataModel

/// The tables Core Data makes for a model: names, columns in order, and where each property is stored.
///
/// The only place for Core Data's naming rules (`docs/format/store-layout.md`): the generator writes these tables,
/// and `Layout` looks for them in a store. Entity numbers are an input, because only a store's `Z_PRIMARYKEY` defines
/// them.
package struct TablePlan: Sendable {
  /// One table for each root entity, in the order of entity numbers.
  package var tables: [Table] = []
  /// One join table for each many-to-many relationship.
  package var joinTables: [JoinTable] = []

  /// The table of a root entity and all its subentities.
  package struct Table: Sendable {
    /// `Z` and the root's name in upper case.
    package var name: String
    /// The root entity's name.
    package var root: String
    /// The columns after `Z_PK`, `Z_ENT` and `Z_OPT`, in Core Data's order.
    package var columns: [Column]
  }

  /// One column and what it holds.
  package struct Column: Sendable, Equatable {
    /// The column's name.
    package var name: String
    /// The name without the digits that distinguish properties of equal names (`ZFOO` for `ZFOO1`).
    package var baseName: String
    /// The declared type.
    package var declaredType: String
    /// The role of the column.
    package var role: Role
  }

  /// A property, by the entity that declares it.
  package struct PropertyID: Hashable, Sendable {
    /// The declaring entity's name.
    package var entity: String
    /// The property's name.
    package var property: String

    /// The property of that entity.
    package init(_ entity: String, _ property: String) {
      self.entity = entity
      self.property = property
    }
  }

  /// The role of a column (`docs/format/store-layout.md` §2).
  package enum Role: Hashable, Sendable {
    /// An attribute's value; for an element of a composite `leaf` is its path.
    case attribute(PropertyID, leaf: [String])
    /// The `Z_PK` of a to-one relationship's object.
    case key(PropertyID)
    /// The `Z_ENT` of that object, if its entity has subentities.
    case companion(PropertyID)
    /// The position of the row in the ordered to-many inverse.
    case orderKey(PropertyID)
    /// In the destination's table: the owner's key, for a to-many relationship without inverse.
    case hiddenKey(PropertyID)
    /// Beside the hidden key, if that relationship is ordered: the position of the row in it.
    case hiddenOrderKey(PropertyID)

    /// The property whose value or link the column holds.
    package var property: PropertyID {
      switch self {
      case .attribute(let id, leaf: _), .key(let id), .companion(let id), .orderKey(let id), .hiddenKey(let id),
        .hiddenOrderKey(let id):
        id
      }
    }
  }

  /// The join table of a many-to-many relationship.
  package struct JoinTable: Sendable, Equatable {
    /// `Z_<n><REL>`.
    package var name: String
    /// The relationship the table is named after; `sourceColumn` holds the keys of the entity that declares it.
    package var source: PropertyID
    /// The inverse; equal to `source` for a relationship that is its own inverse.
    package var destination: PropertyID
    /// Holds keys of the entity that declares `source`; named after the inverse.
    package var sourceColumn: String
    /// Holds keys of `source`'s destination; `REFLEXIVE` for a relationship that is its own inverse.
    package var destinationColumn: String
    /// `sourceColumn` without the digits that distinguish equal names in several tables.
    package var sourceBaseName: String
    /// `destinationColumn` without such digits.
    package var destinationBaseName: String
    /// One column `Z_FOK_<n><REL>` for each ordered end.
    package var orderColumns: [OrderColumn]

    /// An order key of a join table.
    package struct OrderColumn: Sendable, Equatable {
      /// The column's name.
      package var name: String
      /// The ordered relationship.
      package var relationship: PropertyID
    }
  }
}

extension TablePlan {
  /// The numbers Core Data gives the entities of a fresh store: depth-first, siblings in alphabetical order without
  /// regard to case, starting at 1 (`docs/format/store-layout.md` §1).
  package static func entityNumbers(of model: Model) -> [String: Int64] {
    let children = Dictionary(grouping: model.entities, by: \.parent)
      .mapValues { $0.sorted { caseFoldedPrecedes($0.name, $1.name) } }
    var numbers: [String: Int64] = [:]
    var pending: [Entity] = (children[nil] ?? []).reversed()
    while let next = pending.popLast() {
      numbers[next.name] = Int64(numbers.count) + 1
      pending += (children[next.name] ?? []).reversed()
    }
    return numbers
  }

  /// Lays out `model` with the given entity numbers; entities without a number have no table.
  ///
  /// - Parameter knownTables: tables that exist. They decide after which end a join table is named where the model
  ///   does not: between two relationships of one entity (`Z_24TRUSTEDBYCLIENTS` beside `Z_24IGNOREDCLIENTS` in one
  ///   store).
  package init(_ model: Model, numbers: [String: Int64], knownTables: Set<String> = []) {
    let numbered = model.entities
      .filter { numbers[$0.name] != nil }
      .sorted { (numbers[$0.name] ?? 0) < (numbers[$1.name] ?? 0) }
    let planner = Planner(model: model, numbers: numbers, entities: numbered, knownTables: knownTables)
    tables = numbered.filter { $0.parent == nil }.map(planner.table)
    joinTables = planner.joinTables()
  }

  package static func caseFoldedPrecedes(_ left: String, _ right: String) -> Bool {
    let (upperLeft, upperRight) = (left.uppercased(), right.uppercased())
    return upperLeft == upperRight ? codeUnitsPrecede(left, right) : codeUnitsPrecede(upperLeft, upperRight)
  }
}

/// The order of columns in a table: groups by storage; within a group by entity number, attributes before keys, name.
///
/// Observed in all never-migrated stores with a model cache (`docs/format/store-layout.md`).
private struct ColumnOrder: Comparable {
  var group: Int
  var entity: Int64
  var isKey: Int
  var property: String
  var detail: String

  static func < (left: Self, right: Self) -> Bool {
    if left.group != right.group { return left.group < right.group }
    if left.entity != right.entity { return left.entity < right.entity }
    if left.isKey != right.isKey { return left.isKey < right.isKey }
    if left.property != right.property { return codeUnitsPrecede(left.property, right.property) }
    return codeUnitsPrecede(left.detail, right.detail)
  }

  static let integers = 0
  /// After the integers and keys of all entities of the table.
  static let hiddenKeys = 4
  /// After the hidden keys; several in one table are ordered by name from framework 1044 on, and irregularly before.
  static let orderKeys = 5

  static func group(of type: AttributeType) -> Int? {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: integers
    case .double, .float, .date: 10
    case .decimal: 20
    case .string: 30
    case .uri: 40
    case .uuid: 50
    case .transformable: 60
    case .binary: 70
    case .undefined, .objectID, .composite, .unknown: nil
    }
  }
}

/// Makes names unique; the second of a name gets 1, the third 2 (`docs/format/store-layout.md` §2, "Numbered
/// columns").
private struct NameSpace {
  private var taken: Set<String>
  /// The number that a name was given last; below it none is free, since none is given back.
  private var last: [String: Int] = [:]

  init(_ reserved: Set<String> = []) { taken = reserved }

  mutating func claim(_ base: String) -> String {
    var number = last[base] ?? 0
    var name = number == 0 ? base : base + String(number)
    while !taken.insert(name).inserted {
      number += 1
      name = base + String(number)
    }
    last[base] = number
    return name
  }
}

private struct Planner {
  var model: Model
  var numbers: [String: Int64]
  /// Sorted by number.
  var entities: [Entity]
  var knownTables: Set<String>
  private var byRoot: [String: [Entity]] = [:]
  /// To-many relationships without inverse, by the destination whose table has their hidden key.
  private var hiddenKeys: [String: [TablePlan.PropertyID]] = [:]
  private var haveSubentities: Set<String> = []

  init(model: Model, numbers: [String: Int64], entities: [Entity], knownTables: Set<String>) {
    self.knownTables = knownTables
    self.model = model
    self.numbers = numbers
    self.entities = entities
    for entity in entities {
      byRoot[model.root(of: entity.name)?.name ?? entity.name, default: []].append(entity)
      if let parent = entity.parent { haveSubentities.insert(parent) }
      for property in declared(entity) {
        guard let relationship = property.relationship, relationship.isToMany, relationship.inverse == nil else {
          continue
        }
        hiddenKeys[relationship.destination, default: []].append(.init(entity.name, property.name))
      }
    }
  }

  /// The stored properties that `entity` is the first to declare, in order of name.
  private func declared(_ entity: Entity) -> [Property] {
    entity.properties
      .filter { !$0.isTransient && model.topmostDeclarer(of: $0.name, in: entity.name) == entity.name }
      .sorted { codeUnitsPrecede($0.name, $1.name) }
  }

  func table(_ root: Entity) -> TablePlan.Table {
    var names = NameSpace(["Z_PK", "Z_ENT", "Z_OPT"])
    var columns: [(order: ColumnOrder, column: TablePlan.Column)] = []
    for entity in byRoot[root.name] ?? [] {
      for property in declared(entity) { add(property, of: entity, to: &columns, names: &names) }
      for hidden in hiddenKeys[entity.name] ?? [] { add(hidden, in: entity, to: &columns, names: &names) }
    }
    return TablePlan.Table(
      name: TablePlan.tableName(ofRoot: root.name), root: root.name,
      columns: columns.sorted { $0.order < $1.order }.map(\.column))
  }

  private func add(
    _ property: Property, of entity: Entity, to columns: inout [(order: ColumnOrder, column: TablePlan.Column)],
    names: inout NameSpace
  ) {
    let id = TablePlan.PropertyID(entity.name, property.name)
    let number = numbers[entity.name] ?? 0
    func append(_ base: String, type: String, role: TablePlan.Role, group: Int, isKey: Int, detail: String) {
      let order = ColumnOrder(
        group: group, entity: group == ColumnOrder.orderKeys ? 0 : number, isKey: isKey, property: property.name,
        detail: detail)
      let column = TablePlan.Column(name: names.claim(base), baseName: base, declaredType: type, role: role)
      columns.append((order, column))
    }
    switch property.kind {
    case .fetched: break
    case .attribute(let attribute):
      for (path, leaf) in leaves(of: attribute, path: []) {
        guard let group = ColumnOrder.group(of: leaf.type), let type = leaf.type.declaredColumnType else { continue }
        append(
          TablePlan.columnName(of: path.last ?? property.name), type: type, role: .attribute(id, leaf: path),
          group: group, isKey: 0, detail: path.joined(separator: "."))
      }
    case .relationship(let relationship):
      guard !relationship.isToMany else { break }
      let key = TablePlan.columnName(of: property.name)
      append(key, type: "INTEGER", role: .key(id), group: ColumnOrder.integers, isKey: 1, detail: "0")
      if haveSubentities.contains(relationship.destination), let target = numbers[relationship.destination] {
        append(
          TablePlan.companionName(of: property.name, toEntity: target), type: "INTEGER", role: .companion(id),
          group: ColumnOrder.integers, isKey: 1, detail: "1")
      }
      if inverse(of: relationship).map({ $0.isOrdered && $0.isToMany }) ?? false {
        append(
          TablePlan.orderKeyName(besideKey: key), type: "INTEGER", role: .orderKey(id), group: ColumnOrder.orderKeys,
          isKey: 1, detail: "2")
      }
    }
  }

  private func add(
    _ hidden: TablePlan.PropertyID, in destination: Entity,
    to columns: inout [(order: ColumnOrder, column: TablePlan.Column)], names: inout NameSpace
  ) {
    let key = TablePlan.hiddenKeyName(of: hidden.property, ofEntity: numbers[hidden.entity] ?? 0)
    func append(_ base: String, role: TablePlan.Role, group: Int, entity: Int64, detail: String) {
      let order = ColumnOrder(group: group, entity: entity, isKey: 0, property: hidden.property, detail: detail)
      let column = TablePlan.Column(name: names.claim(base), baseName: base, declaredType: "INTEGER", role: role)
      columns.append((order, column))
    }
    append(
      key, role: .hiddenKey(hidden), group: ColumnOrder.hiddenKeys, entity: numbers[destination.name] ?? 0,
      detail: "")
    guard isOrdered(hidden) else { return }
    append(
      TablePlan.orderKeyName(besideKey: key), role: .hiddenOrderKey(hidden), group: ColumnOrder.orderKeys, entity: 0,
      detail: "2")
  }

  /// The stored values of an attribute: itself, or the leaves of a composite with their paths, in order of name.
  private func leaves(of attribute: Attribute, path: [String]) -> [(path: [String], attribute: Attribute)] {
    guard let elements = attribute.elements else { return [(path, attribute)] }
    return elements.sorted { codeUnitsPrecede($0.name, $1.name) }.flatMap { element in
      element.attribute.map { leaves(of: $0, path: path + [element.name]) } ?? []
    }
  }

  private func inverse(of relationship: Relationship) -> Relationship? {
    relationship.inverse.flatMap { model.property($0, of: relationship.destination)?.relationship }
  }

  /// The many-to-many tables. Goes through the entities alphabetically, with inherited relationships; a table is
  /// named after the first relationship of a pair found that way (`docs/format/store-layout.md` §4).
  func joinTables() -> [TablePlan.JoinTable] {
    var tables: [TablePlan.JoinTable] = []
    var done: Set<TablePlan.PropertyID> = []
    // Column names are unique among all join tables of a store: `Z_3REPRESENTATIVEASSETS1` (Photos), `Z_23USERS1`.
    var names = NameSpace()
    for entity in entities.sorted(by: { TablePlan.caseFoldedPrecedes($0.name, $1.name) }) {
      for source in manyToMany(of: entity) where !done.contains(source) {
        guard let relationship = model.property(source.property, of: entity.name)?.relationship,
          let inverseName = relationship.inverse
        else { continue }
        let declarer = model.topmostDeclarer(of: inverseName, in: relationship.destination)
        let destination = TablePlan.PropertyID(declarer ?? relationship.destination, inverseName)
        done.formUnion([source, destination])
        tables.append(joinTable(owner(source, destination), names: &names))
      }
    }
    return tables.sorted { (numbers[$0.source.entity] ?? 0) < (numbers[$1.source.entity] ?? 0) }
  }

  /// The stored to-many relationships of an entity whose inverse is to-many too, inherited ones included, by name.
  private func manyToMany(of entity: Entity) -> [TablePlan.PropertyID] {
    model.properties(of: entity.name).values
      .filter { inherited in
        guard !inherited.property.isTransient, let relationship = inherited.property.relationship else { return false }
        // If the inverse in a faulty model does not point back, it is not known which table Core Data makes.
        guard let inverse = inverse(of: relationship), inverse.inverse == inherited.property.name else { return false }
        return relationship.isToMany && inverse.isToMany
      }
      .sorted { codeUnitsPrecede($0.property.name, $1.property.name) }
      .map { TablePlan.PropertyID($0.topmostDeclarer, $0.property.name) }
  }

  /// The two ends, first the one the table is named after. For two relationships of one entity the model does not
  /// decide; without a known table the alphabetically later one is taken, which is right for 12 of 17 such tables.
  private func owner(
    _ source: TablePlan.PropertyID, _ destination: TablePlan.PropertyID
  ) -> (TablePlan.PropertyID, TablePlan.PropertyID) {
    let isReversed = source.entity == destination.entity && codeUnitsPrecede(source.property, destination.property)
    let (likely, other) = isReversed ? (destination, source) : (source, destination)
    return !knownTables.contains(tableName(likely)) && knownTables.contains(tableName(other))
      ? (other, likely) : (likely, other)
  }

  private func tableName(_ owner: TablePlan.PropertyID) -> String {
    TablePlan.linkName(of: owner.property, ofEntity: numbers[owner.entity] ?? 0)
  }

  private func joinTable(
    _ ends: (source: TablePlan.PropertyID, destination: TablePlan.PropertyID), names: inout NameSpace
  ) -> TablePlan.JoinTable {
    let (source, destination) = ends
    let (sourceNumber, destinationNumber) = (numbers[source.entity] ?? 0, numbers[destination.entity] ?? 0)
    let isReflexive = source == destination
    let sourceBase = TablePlan.linkName(of: destination.property, ofEntity: sourceNumber)
    let destinationBase =
      isReflexive ? TablePlan.reflexiveColumn : TablePlan.linkName(of: source.property, ofEntity: destinationNumber)
    let sourceColumn = names.claim(sourceBase)
    let destinationColumn = isReflexive ? destinationBase : names.claim(destinationBase)
    var order: [TablePlan.JoinTable.OrderColumn] = []
    if isOrdered(destination) {
      order.append(.init(name: TablePlan.orderKeyName(besideLink: sourceColumn), relationship: destination))
    }
    if isOrdered(source) && !isReflexive {
      order.append(.init(name: TablePlan.orderKeyName(besideLink: destinationColumn), relationship: source))
    }
    return TablePlan.JoinTable(
      name: tableName(source), source: source, destination: destination,
      sourceColumn: sourceColumn, destinationColumn: destinationColumn, sourceBaseName: sourceBase,
      destinationBaseName: destinationBase, orderColumns: order)
  }

  private func isOrdered(_ id: TablePlan.PropertyID) -> Bool {
    model.property(id.property, of: id.entity)?.relationship?.isOrdered ?? false
  }
}

// MARK: Names

/// How Core Data names tables, columns and indexes (`docs/format/store-layout.md`). Names are made here and nowhere else.
extension TablePlan {
  /// The beginning of the names of columns with order keys.
  package static let orderKeyPrefix = "Z_FOK_"
  /// The second column of a join table whose relationship is its own inverse.
  static let reflexiveColumn = "REFLEXIVE"

  /// The table of a root entity: `ZNOTE`.
  package static func tableName(ofRoot entity: String) -> String { "Z" + entity.uppercased() }

  /// The table of an entity of history or CloudKit: `ACHANGE`.
  static func internalTableName(of entity: String) -> String { "A" + entity.uppercased() }

  /// The column of an attribute, a leaf or a to-one relationship: `ZTITLE`.
  static func columnName(of property: String) -> String { "Z" + property.uppercased() }

  /// The column beside a key with the number of the entity it leads to: `Z4_OWNER`.
  static func companionName(of property: String, toEntity number: Int64) -> String {
    "Z\(number)" + companionEnd(property)
  }

  /// What follows the number in a companion's name.
  static func companionEnd(_ property: String) -> String { "_" + property.uppercased() }

  /// The column of keys that a companion belongs to, by what follows the number in its name: `ZOWNER` for `_OWNER`.
  static func keyName(besideCompanionEnd end: String) -> String { "Z" + end.dropFirst() }

  /// The column of the key of a to-many relationship without inverse: `Z7STICKERS`.
  static func hiddenKeyName(of property: String, ofEntity number: Int64) -> String {
    "Z\(number)\(property.uppercased())"
  }

  /// The order keys beside a column of keys, `Z_FOK_NOTE` for `ZNOTE`; a hidden key's is `Z_FOK_7STICKERS` (13 columns in 2
  /// stores).
  static func orderKeyName(besideKey column: String) -> String { orderKeyPrefix + column.dropFirst() }

  /// The order keys beside a column of a join table: `Z_FOK_3ASSETS` orders the objects whose keys are in `Z_3ASSETS`.
  static func orderKeyName(besideLink column: String) -> String { orderKeyPrefix + column.dropFirst("Z_".count) }

  /// The column of keys that a column of order keys belongs to, in an entity's table.
  static func keyName(ofOrderKey column: String) -> String? {
    column.hasPrefix(orderKeyPrefix) ? "Z" + column.dropFirst(orderKeyPrefix.count) : nil
  }

  /// A join table or one of its columns: `Z_3TAGS`.
  package static func linkName(of property: String, ofEntity number: Int64) -> String {
    "Z_\(number)\(property.uppercased())"
  }

  /// The index of a fetch index: `Z_Note_byTitle`.
  package static func indexName(_ index: String, ofEntity entity: String) -> String { "Z_\(entity)_\(index)" }

  /// The index of a uniqueness constraint: `Z_Note_UNIQUE_title_folder`.
  package static func uniqueIndexName(_ properties: [String], ofEntity entity: String) -> String {
    "Z_\(entity)_UNIQUE_\(properties.joined(separator: "_"))"
  }

  /// The table of an R-tree index: `Z_RT_Place_position`.
  static func spatialIndexName(_ index: String, ofEntity entity: String) -> String { "Z_RT_\(entity)_\(index)" }
}
