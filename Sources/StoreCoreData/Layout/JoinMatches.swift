import StoreDataModel

/// Matches the planned join tables with those a store has.
///
/// If several join tables have a column of the same name, Core Data appends a number to some of them. Which ones
/// follows from the model in most stores but not in all (`docs/format/store-layout.md` §4), so columns are also
/// matched by base name.
struct JoinMatches {
  private(set) var found: [JoinTableLayout] = []
  /// The join table of a relationship, for either end, even if it is not known which column belongs to which end.
  private(set) var tableName: [TablePlan.PropertyID: String] = [:]
  /// For each table, the columns that have been matched.
  private(set) var claimed: [String: Set<String>] = [:]
  private(set) var lacking: [Lacking] = []
  private(set) var undecided: [UndecidedJoinTable] = []

  init(plan: TablePlan, shape: Shape, names: ModelNames) {
    for planned in plan.joinTables {
      let entity = names.rowName(of: planned.source.entity)
      guard let table = shape.tables[planned.name], claimed[table.name] == nil else {
        lack(planned, of: entity)
        continue
      }
      let columns = JoinColumns(planned, in: table)
      switch columns.fit {
      case .none: lack(planned, of: entity)
      case .one(let layout): add(layout, for: planned)
      case .several:
        undecided.append(
          UndecidedJoinTable(
            table: table.name, entity: entity, property: planned.source.property,
            why: "its columns fit the two ends in more than one way, so it is not known which holds which"))
        claim(table.name, columns: columns.fitting, as: planned)
      }
    }
  }

  private mutating func lack(_ planned: TablePlan.JoinTable, of entity: String) {
    lacking.append(Lacking(object: .joinTable(planned.name), entity: entity, property: planned.source.property))
  }

  private mutating func add(_ layout: JoinTableLayout, for planned: TablePlan.JoinTable) {
    found.append(layout)
    claim(
      layout.name, columns: Set([layout.source.column, layout.destination.column] + layout.orderColumns), as: planned)
  }

  private mutating func claim(_ table: String, columns: Set<String>, as planned: TablePlan.JoinTable) {
    claimed[table] = columns
    tableName[planned.source] = table
    tableName[planned.destination] = table
  }
}

/// Matches the columns of one table with a planned join table.
private struct JoinColumns {
  private let planned: TablePlan.JoinTable
  private let table: Shape.Table
  private let names: [String]

  /// How many assignments of the columns to the planned ones are possible.
  enum Fit {
    case none
    case one(JoinTableLayout)
    case several
  }

  init(_ planned: TablePlan.JoinTable, in table: Shape.Table) {
    self.planned = planned
    self.table = table
    names = table.columns.map(\.name)
  }

  var fit: Fit {
    switch ends {
    case .none: return .none
    case .several: return .several
    case .one(let source, let destination):
      // `Z_FOK_3ASSETS` orders the objects whose keys are in `Z_3ASSETS`.
      let ordered = planned.orderColumns.map { $0.relationship == planned.destination ? source : destination }
      let bases = planned.orderColumns.map {
        $0.relationship == planned.destination ? planned.sourceBaseName : planned.destinationBaseName
      }
      guard let orders = orderColumns(beside: ordered, bases) else { return .several }
      return .one(layout(source: source, destination: destination, orders: orders))
    }
  }

  /// Every column that may be one of the planned ones.
  var fitting: Set<String> {
    let ends = [planned.sourceBaseName, planned.destinationBaseName]
    return Set(
      names.filter { name in ends.contains { fits(name, base: $0) || fits(name, base: orderKey(beside: $0)) } })
  }

  private func layout(source: String, destination: String, orders: [String?]) -> JoinTableLayout {
    func order(of relationship: TablePlan.PropertyID) -> String? {
      zip(planned.orderColumns, orders).first { $0.0.relationship == relationship }?.1
    }
    return JoinTableLayout(
      name: table.name,
      source: .init(
        entity: planned.source.entity, relationship: planned.source.property, column: source,
        orderColumn: order(of: planned.source)),
      destination: .init(
        entity: planned.destination.entity, relationship: planned.destination.property, column: destination,
        orderColumn: order(of: planned.destination)),
      orderColumns: orders.compactMap(\.self))
  }

  // MARK: The two ends

  /// The columns of the two ends.
  private enum Ends {
    case none
    case one(source: String, destination: String)
    case several
  }

  /// The planned names if both exist; else the only pair of columns that differ from them just in trailing digits.
  private var ends: Ends {
    if table.has(planned.sourceColumn), table.has(planned.destinationColumn) {
      return .one(source: planned.sourceColumn, destination: planned.destinationColumn)
    }
    let sources = names.filter { fits($0, base: planned.sourceBaseName) }
    let destinations = names.filter { fits($0, base: planned.destinationBaseName) }
    // A table may have 2,000 columns, so pairs are counted without listing them.
    let both = Set(sources).intersection(destinations)
    switch sources.count * destinations.count - both.count {
    case 0: return .none
    case 1:
      for source in sources {
        for destination in destinations where destination != source {
          return .one(source: source, destination: destination)
        }
      }
      return .none
    default: return .several
    }
  }

  private func fits(_ name: String, base: String) -> Bool {
    base == TablePlan.reflexiveColumn ? name == base : name.isEqual(toBaseOrNumbered: base)
  }

  // MARK: Their order

  private func orderKey(beside column: String) -> String { TablePlan.orderKeyName(besideLink: column) }

  /// For each column its order key, or nil if it has none; nil as a whole if several columns may be the order key of
  /// one.
  private func orderColumns(beside columns: [String], _ bases: [String]) -> [String?]? {
    var orders = columns.map { column in table.has(orderKey(beside: column)) ? orderKey(beside: column) : nil }
    var free = names.filter { name in name.hasPrefix(TablePlan.orderKeyPrefix) && !orders.contains(name) }
    for index in orders.indices where orders[index] == nil {
      let candidates = free.filter { fits($0, base: orderKey(beside: bases[index])) }
      guard candidates.count <= 1 else { return nil }
      orders[index] = candidates.first
      free.removeAll { $0 == candidates.first }
    }
    return orders
  }
}
