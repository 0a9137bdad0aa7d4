import StoreCoreData
import StoreDataModel
import StoreSQLite
import StoreWords

/// The keys of a to-one relationship that becomes to-many and has no join table: its links stood in the rows of its own
/// objects, and have to stand in those of the objects they lead to.
struct MovedKeys {
  /// The relationship, as the target declares it.
  var id: TablePlan.PropertyID
  /// Its inverse, whose keys they become; nil where it has none, and they become hidden keys.
  var inverse: TablePlan.PropertyID?
  /// Where they stood.
  var former: [FormerKeys]
}

/// Where the source keeps the links of a to-one relationship.
struct FormerKeys {
  var table: String
  var column: String
  /// The entities of the source whose rows are kept with the relationship.
  var entities: [String]
}

/// Links that move from one end to the other.
extension MigrationPlanner {
  /// The columns of the source that hold the links of a relationship of the target, which was to-one.
  ///
  /// There are several where properties of subentities have become one. Rows that go are none of them.
  func formerKeys(of id: TablePlan.PropertyID) -> [FormerKeys] {
    var found: [FormerKeys] = []
    for entity in map.family(of: id.entity) {
      guard let old = map.difference.sourceEntity(of: entity), let past = map.past(id.property, of: entity),
        source.model.property(past.property, of: past.entity)?.relationship?.isToMany == false,
        let column = source.column(.key(past)),
        let table = source.model.root(of: past.entity).flatMap({ source.table(ofRoot: $0.name) })
      else { continue }
      if let position = found.firstIndex(where: { $0.table == table && $0.column == column }) {
        found[position].entities.append(old)
      } else {
        found.append(FormerKeys(table: table, column: column, entities: [old]))
      }
    }
    return found
  }

  /// The links of former keys, as rows of the key of their owner and that of what they lead to.
  ///
  /// - Parameter more: further values of each row, with a comma before them.
  func links(_ former: FormerKeys, followedBy more: String = "") -> String {
    let column = identifier(former.column)
    return "SELECT Z_PK, \(column)\(more) FROM \(identifier(former.table)) WHERE \(column) IS NOT NULL AND Z_ENT IN "
      + "(\(oldNumbers(former.entities)))"
  }

  /// Notes links that go to their other end, where there are any.
  ///
  /// An object there has room for one of them. Where several lead to one object nobody has seen which of them stays.
  mutating func moveKeys(of id: TablePlan.PropertyID, to inverse: TablePlan.PropertyID?) throws {
    let former = formerKeys(of: id).filter { !oldNumbers($0.entities).isEmpty }
    guard !former.isEmpty else { return }
    let all = former.map { links($0) }.joined(separator: " UNION ALL ")
    let counts = try source.store.connection.prepare(
      "SELECT count(*), ifnull(sum(n > 1), 0) FROM (SELECT count(*) AS n FROM (SELECT 1 AS a, 2 AS b WHERE 0 UNION ALL \(all)) "
        + "GROUP BY b)")
    guard try counts.step(), counts.int64(0) > 0 else { return }
    if case let crowded = counts.int64(1), crowded > 0 {
      refuse(
        id,
        reason:
          "\(counted(crowded, "object")) would be in it more than once, and each has one place for it; which link "
          + "stays is not known")
      return
    }
    let lost = try danglingKeys(all, of: id)
    if lost > 0 {
      refuse(
        id,
        reason:
          "\(counted(lost, "link")) \(lost == 1 ? "leads" : "lead") to no object that could keep it, and what becomes of such links is not known"
      )
      return
    }
    assume(
      "\(id.entity).\(id.property): it leads to many objects now, and its links go from its own rows to those they lead to"
    )
    movedKeys.append(MovedKeys(id: id, inverse: inverse, former: former))
  }

  /// How many links lead to no row.
  private func danglingKeys(_ links: String, of id: TablePlan.PropertyID) throws -> Int64 {
    guard let past = map.past(id),
      let destination = source.model.property(past.property, of: past.entity)?.relationship?.destination,
      let table = source.model.root(of: destination).flatMap({ source.table(ofRoot: $0.name) })
    else { return 0 }
    let found = try source.store.connection.prepare(
      "SELECT count(*) FROM (SELECT 1 AS a, 2 AS b WHERE 0 UNION ALL \(links)) WHERE b NOT IN (SELECT Z_PK FROM "
        + "\(quotedIdentifier(table)))")
    return try found.step() ? found.int64(0) : 0
  }

  /// Keeps the links aside while tables are made anew, and writes them where they belong.
  mutating func planMovedKeys() {
    var kept: [MigrationStatement] = []
    for (number, moved) in movedKeys.enumerated() {
      let links = "_T_MOVED_\(number)"
      kept.append(
        MigrationStatement(.remakeTable, "CREATE TEMP TABLE \(links) (Z_OWN INTEGER, Z_END INTEGER)"))
      for former in moved.former {
        kept.append(MigrationStatement(.remakeTable, "INSERT INTO \(links) \(self.links(former))"))
      }
      writeMovedKeys(moved, from: links)
      add(.dropTable, sql: "DROP TABLE temp.\(links)")
    }
    steps[.remakeTable, default: []].insert(contentsOf: kept, at: 0)
  }

  private mutating func writeMovedKeys(_ moved: MovedKeys, from links: String) {
    guard let destination = map.target.property(moved.id.property, of: moved.id.entity)?.relationship?.destination,
      let ends = table(of: destination), let owners = table(of: moved.id.entity)
    else { return }
    func column(_ role: TablePlan.Role) -> String? { ends.columns.first { $0.role == role }?.name }
    let (key, order) =
      moved.inverse.map { (column(.key($0)), column(.orderKey($0))) }
      ?? (column(.hiddenKey(moved.id)), column(.hiddenOrderKey(moved.id)))
    guard let key else { return }
    var assignments = ["\(key) = l.Z_OWN"]
    // Each is the only one of its list.
    if let order { assignments.append("\(order) = \(Self.firstOrderKey)") }
    if let companion = moved.inverse.flatMap({ column(.companion($0)) }) {
      assignments.append("\(companion) = (SELECT Z_ENT FROM \(owners.name) AS d WHERE d.Z_PK = l.Z_OWN)")
    }
    add(
      .fill,
      sql: "UPDATE \(ends.name) SET \(assignments.joined(separator: ", ")) FROM temp.\(links) AS l WHERE l.Z_END = "
        + "\(ends.name).Z_PK")
  }

  private func table(of entity: String) -> TablePlan.Table? {
    map.target.root(of: entity).flatMap { root in plan.tables.first { $0.root == root.name } }
  }

  /// The order key of the first of a list.
  static var firstOrderKey: Int { 2048 }
}
