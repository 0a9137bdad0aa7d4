import StoreCoreData
import StoreDataModel
import StoreScanning
import StoreSQLite
import StoreWords

// How deleted objects are put back
// --------------------------------
//
//   older copy ──► gone     objects that it has and the store has not, by table and key
//                  wanted   those that the recipe names; with `related` all that links lead to among the gone
//                  held     those whose required relationships would lead to nothing, until there are none
//              ──► rows as they were, with their keys
//                  links with both ends; keys of other objects that lead to them, where these are empty now
//
// A key means the same object in both only where they are states of one store: the same UUID, versions and entities.

extension Workbench {
  /// Puts objects of an older copy back that the store has no more.
  ///
  /// - Throws: `StoreError` where the copy cannot be opened, `FileError`, `SQLiteError`.
  func restore(_ item: Recipe.Restore) throws -> Decision {
    // What a later repair removes is not put back again.
    guard !restored.contains(item) else { return Decision() }
    restored.append(item)
    if item.isReport { return try restoreFromReport(item) }
    let source = try Store(StoreLocator.locate(PosixPath(item.from)))
    if let reason = whyForeign(source) { return .refusing(reason) }
    guard try source.integrity(.quick).isOK else {
      return .refusing(
        "\(quoted(item.from)) is damaged (SD102 or SD103), so that not all of its objects are seen: make a copy with all that "
          + "can be read of it, with 'storedoctor salvage', and name that one")
    }
    var restoring = try Restoring(item, source, self)
    var decision = try restoring.decide()
    // What the copy may lack is not put back.
    decision.notices += Reading(source).ofFiles.map { "\(quoted(item.from)): \($0)" }
    return decision
  }

  /// Puts deleted objects back of which a report of `recover` has the values.
  private func restoreFromReport(_ item: Recipe.Restore) throws -> Decision {
    let report = try RecoveryReport(PosixPath(item.from))
    guard let uuid = store.metadata.uuid, uuid == report.uuid else {
      return .refusing(
        "\(quoted(item.from)) is of another store: its UUID differs, so that the same key is another object")
    }
    guard store.model != nil else {
      return .refusing("without a model it is only guessed where links are, so that none can be mended")
    }
    let found = try tables(of: report)
    var restoring = Restoring(item, found: found.copy, self)
    var decision = try restoring.decide()
    decision.obstacles += found.obstacles
    decision.notices += found.notices
    if report.rows.contains(where: { $0.key == nil }), !decision.operations.isEmpty {
      decision.notices.append(
        "links to many are put back by rows of links that were found; whether an object still had each of them when it was "
          + "deleted is not known")
    }
    return decision
  }

  /// Why keys of another store do not mean the objects of this one; nil where they do.
  private func whyForeign(_ source: Store) -> String? {
    guard let own = store.metadata.uuid, let other = source.metadata.uuid, own == other else {
      return "\(quoted(source.path)) is not an older state of this store: their UUIDs differ, so that the same key is "
        + "another object in each"
    }
    guard store.model != nil, source.model != nil else {
      return "without a model in both it is only guessed where links are, so that none can be mended"
    }
    guard store.metadata.hashes == source.metadata.hashes, store.entityMap.numbers == source.entityMap.numbers else {
      return "\(quoted(source.path)) is of another version of the model: bring a copy of it to this one first, with "
        + "'storedoctor migrate', and name that copy"
    }
    return nil
  }
}

extension EntityMap {
  /// Each entity's number by its name.
  var numbers: [String: Int64] {
    Dictionary(rows.map { ($0.name, $0.id.number) }) { first, _ in first }
  }
}

extension Decision {
  fileprivate static func refusing(_ message: String) -> Decision {
    Decision(obstacles: [Obstacle(.restore, message, refusesPlan: true)])
  }
}

/// One item of a recipe, being carried out: objects that another store has are put into this one, with links from both sides.
struct Restoring {
  private let item: Recipe.Restore
  private let repair: Repair
  private let bench: Workbench
  /// A copy of the older store, to look links up in.
  private let old: Workbench
  private let source: Store
  private let keys: [KeyColumn.Place]
  private let joins: [JoinLinks.Place]
  /// For each place of a key that of the other side, where both lead to one.
  private let otherSides: [Int: Int]
  private var gone: [String: [Int64: EntityID]] = [:]
  private var wanted: [String: Set<Int64>] = [:]
  private var decision = Decision()

  private struct Object: Hashable {
    var table: String
    var key: Int64
  }

  /// The most bytes of values that are held at once.
  static let mostBytes = 256 << 20

  /// What an older copy has and the store has no more.
  init(_ item: Recipe.Restore, _ source: Store, _ bench: Workbench) throws {
    self.init(item, .restore, source, try Workbench(copying: source), bench)
  }

  /// All that tables like the store's have: objects of a report.
  init(_ item: Recipe.Restore, found copy: Workbench, _ bench: Workbench) {
    self.init(item, .restore, bench.store, copy, bench)
  }

  /// All that another store has and this one has not, and links that only that one has.
  ///
  /// - Parameter copy: a copy of the other store, with the keys that its objects have here.
  init(mergingInto bench: Workbench, from source: Store, as copy: Workbench, named name: String) {
    self.init(Recipe.Restore(from: name, related: true), .merge, source, copy, bench)
  }

  private init(_ item: Recipe.Restore, _ repair: Repair, _ source: Store, _ old: Workbench, _ bench: Workbench) {
    (self.item, self.repair, self.source, self.old, self.bench) = (item, repair, source, old, bench)
    let places = LinkPlaces(bench)
    keys = places.keys
    joins = places.joins
    var sides: [Int: Int] = [:]
    for (index, place) in keys.enumerated() where !place.isHidden {
      guard let inverse = bench.map.inverse(of: place.relationship), !inverse.layout.isToMany else { continue }
      sides[index] = places.keys.firstIndex { !$0.isHidden && $0.relationship == inverse }
    }
    otherSides = sides
  }

  private var isMerge: Bool { repair == .merge }

  mutating func decide() throws -> Decision {
    try findGone()
    try choose()
    if !isMerge {
      let partners = try partners()
      if item.related {
        addRelated(partners)
      } else {
        noteRelated(partners)
      }
    }
    try holdBack()
    guard isMerge || wanted.contains(where: { !$0.value.isEmpty }) else {
      if decision.obstacles.isEmpty {
        decision.notices.append(
          "the store has all objects that are asked for of \(quoted(item.from)): nothing is put back")
      }
      return decision
    }
    let links = try keyLinks()
    guard try insertObjects(emptied: links.emptied) else { return decision }
    try insertLinks()
    decision.operations += links.updates
    for (table, keys) in wanted.sorted(by: { $0.key < $1.key }) {
      decision.operations += bench.raisedHighWater(table, keys: keys, repair)
    }
    // A merge asks once all is decided.
    let taken = isMerge ? [] : try UniquenessCheck(bench, decision.operations).obstacles(repair)
    if !taken.isEmpty { decision.operations = [] }
    decision.obstacles += taken
    return decision
  }

  // MARK: Which objects

  private mutating func findGone() throws {
    let entities = bench.store.layout.entities.filter { $0.tableExists && !$0.id.isInternal }
    for table in Set(entities.map(\.table)).sorted() where source.shape.tables[table] != nil {
      var live: [Int64] = []
      let rows = try bench.connection.prepare("SELECT Z_PK FROM \(quotedIdentifier(table)) ORDER BY Z_PK")
      while try rows.step() { live.append(rows.int64(0)) }
      let known = KeySet(live)
      let older = try old.connection.prepare("SELECT Z_PK, Z_ENT FROM \(quotedIdentifier(table))")
      while try older.step() {
        if !known.contains(older.int64(0)) { gone[table, default: [:]][older.int64(0)] = EntityID(older.int64(1)) }
      }
    }
  }

  private mutating func choose() throws {
    let entity = item.entity.flatMap { bench.map.entity(named: $0) }
    let kinds = entity.map { bench.map.kinds(of: $0.id) }
    let asked = Set(item.keys)
    for (table, objects) in gone {
      wanted[table] = Set(
        objects.filter { key, kind in
          kinds?.contains(kind) ?? true && (asked.isEmpty || asked.contains(key))
        }.keys)
    }
    guard let entity, let kinds, !asked.isEmpty else { return }
    let absent = asked.subtracting(wanted[entity.table] ?? [])
    guard !absent.isEmpty else { return }
    let live = try bench.entities(of: KeySet(absent), in: entity.table).filter { kinds.contains($0.value) }
    if !live.isEmpty {
      decision.obstacles.append(
        Obstacle(
          repair, entity: entity.name, count: live.count, keys: live.keys.sorted(),
          "\(counted(live.count, "object")) \(live.count == 1 ? "is" : "are") in the store already", refusesPlan: false)
      )
    }
    let unknown = absent.subtracting(live.keys).sorted()
    if !unknown.isEmpty {
      decision.obstacles.append(
        Obstacle(
          repair, entity: entity.name, count: unknown.count, keys: unknown,
          "\(quoted(item.from)) has \(unknown.count == 1 ? "no such object" : "none of these objects")",
          refusesPlan: false))
    }
  }

  /// For each object that is gone those that it was linked with and that are gone as well.
  private func partners() throws -> [Object: [Object]] {
    var partners: [Object: [Object]] = [:]
    func add(_ one: Object, _ other: Object) {
      guard gone[one.table]?[one.key] != nil, gone[other.table]?[other.key] != nil else { return }
      partners[one, default: []].append(other)
      partners[other, default: []].append(one)
    }
    for place in keys {
      for link in try old.links(of: place, holders: keySet(gone[place.table]), targets: KeySet([Int64]())) {
        guard let key = link.key else { continue }
        add(Object(table: place.table, key: link.row), Object(table: place.targetTable, key: key))
      }
    }
    for place in joins {
      let sources = keySet(gone[place.source.table])
      for link in try old.links(of: place, sources: sources, destinations: KeySet([Int64]())) {
        guard let one = link.source, let other = link.destination else { continue }
        add(Object(table: place.source.table, key: one), Object(table: place.destination.table, key: other))
      }
    }
    return partners
  }

  private func keySet(_ objects: [Int64: EntityID]?) -> KeySet { KeySet((objects ?? [:]).keys.sorted()) }

  private var wantedObjects: [Object] {
    wanted.flatMap { table, keys in keys.map { Object(table: table, key: $0) } }
  }

  private mutating func addRelated(_ partners: [Object: [Object]]) {
    var waiting = wantedObjects
    while let object = waiting.popLast() {
      for other in partners[object] ?? [] where wanted[other.table, default: []].insert(other.key).inserted {
        waiting.append(other)
      }
    }
  }

  private mutating func noteRelated(_ partners: [Object: [Object]]) {
    var others: Set<Object> = []
    for object in wantedObjects {
      for other in partners[object] ?? [] where wanted[other.table]?.contains(other.key) != true {
        others.insert(other)
      }
    }
    guard !others.isEmpty else { return }
    let names = Set(others.compactMap { gone[$0.table]?[$0.key] }.compactMap { bench.map.entity($0)?.name }).sorted()
    let list = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    decision.notices.append(
      "\(counted(others.count, "object")) of \(list) that they were linked with \(others.count == 1 ? "is" : "are") gone, "
        + "too: with 'related' (--related) they are put back as well")
  }

  /// Leaves out objects of which a required relationship would lead to nothing, and those that require them.
  private mutating func holdBack() throws {
    var dependents: [Object: [Object]] = [:]
    var waiting: [Object] = []
    var places: [Object: String] = [:]
    for place in keys where place.isRequired {
      let links = try old.links(
        of: place, holders: KeySet((wanted[place.table] ?? []).sorted()), targets: KeySet([Int64]()))
      let present = try existing(links.compactMap(\.key), of: place)
      for link in links {
        guard let key = link.key else { continue }
        let (row, target) = (
          Object(table: place.table, key: link.row), Object(table: place.targetTable, key: key)
        )
        dependents[target, default: []].append(row)
        if !present.contains(key), wanted[target.table]?.contains(key) != true {
          waiting.append(row)
          places[row] = place.relationship.description
        }
      }
    }
    var held: [String: [Object]] = [:]
    while let object = waiting.popLast() {
      guard wanted[object.table]?.remove(object.key) != nil else { continue }
      held[places[object] ?? "", default: []].append(object)
      for row in dependents[object] ?? [] {
        if places[row] == nil { places[row] = places[object] }
        waiting.append(row)
      }
    }
    for (place, objects) in held.sorted(by: { $0.key < $1.key }) {
      let advice = item.related ? "" : "; with 'related' (--related) it is put back as well"
      let entity = objects.first.flatMap { gone[$0.table]?[$0.key] }.flatMap { bench.map.entity($0)?.name }
      decision.obstacles.append(
        Obstacle(
          repair, entity: entity, count: objects.count, keys: objects.map(\.key).sorted(),
          "\(counted(objects.count, "object")) cannot be put back: what \(quoted(place)) requires is gone\(advice)",
          refusesPlan: false))
    }
  }

  /// Which of these keys a relationship finds in the store.
  private func existing(_ keys: [Int64], of place: KeyColumn.Place) throws -> Set<Int64> {
    Set(
      try bench.entities(of: KeySet(Set(keys).sorted()), in: place.targetTable)
        .filter { place.targets.contains($0.value) }.keys)
  }

  // MARK: Keys

  private struct Emptied: Hashable {
    var place: Int
    var row: Int64
  }

  /// Keys of objects that are put back and would lead to nothing, or to one that has another partner now; and the edits of
  /// other objects, which lead to them again.
  private mutating func keyLinks() throws -> (emptied: Set<Emptied>, updates: [Operation]) {
    var emptied: Set<Emptied> = []
    var updates: [Operation] = []
    var (lost, taken) = (0, 0)
    let links = try keys.enumerated().map { index, place in
      // Where many lead to one, a link between objects that both stores have is made, too, if it is empty here. Within one
      // table that could make a loop.
      if isMerge, otherSides[index] == nil, place.table != place.targetTable {
        return try old.links(of: place, holders: old.allKeys(of: place.table), targets: KeySet([Int64]()))
      }
      return try old.links(
        of: place, holders: KeySet((wanted[place.table] ?? []).sorted()),
        targets: KeySet((wanted[place.targetTable] ?? []).sorted()))
    }
    for (index, place) in keys.enumerated() {
      let own = links[index].filter { wanted[place.table]?.contains($0.row) == true }
      let present = try existing(own.compactMap(\.key), of: place)
      for link in own {
        guard let key = link.key, wanted[place.targetTable]?.contains(key) != true, !present.contains(key) else {
          continue
        }
        emptied.insert(.init(place: index, row: link.row))
        lost += 1
      }
      let others = links[index].filter { wanted[place.table]?.contains($0.row) != true }
      let live = try bench.entities(of: KeySet(others.map(\.row)), in: place.table)
        .filter { place.holders.contains($0.value) }
      let now = Dictionary(
        try bench.links(of: place, holders: KeySet(live.keys.sorted()), targets: KeySet([Int64]()))
          .map { ($0.row, $0.key) }
      ) { first, _ in first }
      // What leads to objects that are put in leads somewhere; in a merge all links are looked at.
      let reachable = isMerge ? try existing(others.compactMap(\.key), of: place) : []
      var edit = RowEdit.objects(place.table, set: place.columns)
      for link in others where live[link.row] != nil {
        guard let key = link.key, wanted[place.targetTable]?.contains(key) == true || reachable.contains(key) else {
          continue
        }
        if let other = now[link.row] ?? nil {
          guard other != key else { continue }
          taken += 1
          if let side = otherSides[index] { emptied.insert(.init(place: side, row: key)) }
          continue
        }
        let beside = [
          place.companion.map { _ in SQLiteValue(link.companion) },
          place.orderKey.map { _ in SQLiteValue(link.orderKey) },
        ]
        edit.add(link.row, set: [.integer(key)] + beside.compactMap(\.self))
      }
      guard edit.count > 0 else { continue }
      updates.append(
        Operation(
          repair, summary: "lead \(counted(edit.count, "object")) to them again",
          entity: place.relationship.owner.name,
          property: place.relationship.layout.name, .rows(edit), grade: .named))
    }
    if isMerge {
      noteKept(lost: lost, taken: taken)
      return (emptied, updates)
    }
    if lost > 0 {
      decision.notices.append(
        "\(counted(lost, "link")) of what is put back \(lost == 1 ? "leads" : "lead") to an object that is gone, and "
          + "\(lost == 1 ? "stays" : "stay") empty")
    }
    if taken > 0 {
      decision.notices.append(
        "\(counted(taken, "object")) that led to what is put back \(taken == 1 ? "leads" : "lead") to another one by now, "
          + "and \(taken == 1 ? "does" : "do") so still")
    }
    return (emptied, updates)
  }

  private mutating func noteKept(lost: Int, taken: Int) {
    if lost > 0 {
      decision.notices.append("\(counted(lost, "link")) to what is not there \(lost == 1 ? "stays" : "stay") empty")
    }
    if taken > 0 {
      decision.notices.append(
        "\(counted(taken, "object")) \(taken == 1 ? "leads" : "lead") to another object than in \(quoted(item.from)), and "
          + "\(taken == 1 ? "does" : "do") so still")
    }
  }

  // MARK: Rows

  /// False where they have more values than are held.
  private mutating func insertObjects(emptied: Set<Emptied>) throws -> Bool {
    var (bytes, files, missing) = (0, 0, 0)
    for (table, wantedKeys) in wanted.sorted(by: { $0.key < $1.key }) where !wantedKeys.isEmpty {
      guard let shape = bench.store.shape.tables[table], let older = source.shape.tables[table] else { continue }
      let columns = shape.columns.map(\.name).filter { $0 != "Z_PK" && older.has($0) }
      let places = keys.indices.filter { keys[$0].table == table }
      let external = Self.externalColumns(of: bench.map.home(of: table), bench.map)
      var edits: [EntityID: RowEdit] = [:]
      let list = (["Z_PK"] + columns).map(quotedIdentifier).joined(separator: ", ")
      let rows = try old.connection.prepare("SELECT \(list) FROM \(quotedIdentifier(table)) ORDER BY Z_PK")
      while try rows.step() {
        let key = rows.int64(0)
        guard wantedKeys.contains(key), let entity = gone[table]?[key] else { continue }
        var values = columns.indices.map { rows.value($0 + 1) }
        for place in places where emptied.contains(.init(place: place, row: key)) {
          for column in keys[place].columns {
            if let position = columns.firstIndex(of: column) { values[position] = .null }
          }
        }
        for (position, column) in columns.enumerated() where external.contains(column) {
          guard let content = try inlined(values[position], &files, &missing) else { continue }
          values[position] = content
        }
        bytes += values.reduce(0) { $0 + $1.byteCount }
        guard bytes <= Self.mostBytes else {
          decision = .refusing(
            "the objects have more than \(Self.mostBytes >> 20) MiB of values: put them back in parts, entity by entity or by "
              + "keys")
          return false
        }
        edits[entity, default: RowEdit(.insert, table, set: columns)].add(key, set: values)
      }
      for (entity, edit) in edits.sorted(by: { $0.key < $1.key }) {
        let name = bench.map.entity(entity)?.name
        decision.operations.append(
          Operation(
            repair,
            summary: isMerge
              ? "take \(counted(edit.count, "object")) of \(name ?? table) from \(quoted(item.from))"
              : "put \(counted(edit.count, "object")) of \(name ?? table) back from \(quoted(item.from))",
            entity: name, .rows(edit), grade: .named))
      }
    }
    if files > 0 {
      decision.notices.append(
        "\(counted(files, "value")) that lay in external files of \(quoted(item.from)) \(files == 1 ? "is" : "are") kept in "
          + "the rows themselves, as Core Data keeps small ones")
    }
    if missing > 0 {
      decision.notices.append(
        "\(counted(missing, "value")) lay in external files that are in neither store, and \(missing == 1 ? "is" : "are") "
          + "lost")
    }
    return true
  }

  private static func externalColumns(of kinds: Set<EntityID>, _ map: StoreMap) -> Set<String> {
    Set(
      kinds.compactMap { map.entity($0) }.flatMap(\.attributes)
        .filter { $0.property.attribute?.allowsExternalStorage == true }.flatMap(\.columns).compactMap(\.name))
  }

  /// The value of an external file as one that is kept in the row: the byte 1 and its content
  /// (`ExternalColumn`). NULL where the file is lost; nil for any other value, and where the store has the file still.
  func inlined(_ value: SQLiteValue) throws -> SQLiteValue? {
    var (files, missing) = (0, 0)
    return try inlined(value, &files, &missing)
  }

  private func inlined(_ value: SQLiteValue, _ files: inout Int, _ missing: inout Int) throws -> SQLiteValue? {
    guard let name = value.externalFileName, !bench.store.hasExternalFile(name) else { return nil }
    guard let file = source.externalFile(name), file.size <= Int64(Self.mostBytes) else {
      missing += 1
      return .null
    }
    files += 1
    return .blob([1] + (try file.read(at: 0, count: Int(file.size))))
  }

  // MARK: Links

  private mutating func insertLinks() throws {
    for place in joins {
      let (sources, destinations) = (
        wanted[place.source.table] ?? [], wanted[place.destination.table] ?? []
      )
      let links = try old.links(
        of: place, sources: isMerge ? old.allKeys(of: place.source.table) : KeySet(sources.sorted()),
        destinations: KeySet(destinations.sorted()))
      guard !links.isEmpty else { continue }
      let liveSources = try bench.entities(of: KeySet(Set(links.compactMap(\.source)).sorted()), in: place.source.table)
      let liveDestinations = try bench.entities(
        of: KeySet(Set(links.compactMap(\.destination)).sorted()), in: place.destination.table)
      var present: Set<KeyPair> = []
      try bench.forEachLink(
        of: place, where: place.source.column, isIn: KeySet(Set(links.compactMap(\.source)).sorted())
      ) { link in
        if let one = link.source, let other = link.destination { present.insert(KeyPair(one, other)) }
      }
      let orders = [place.source.orderColumn, place.destination.orderColumn].compactMap(\.self)
      var edit = RowEdit(.insert, place.table, key: place.keyColumns, set: orders)
      for link in links {
        guard let one = link.source, let other = link.destination,
          sources.contains(one) || liveSources[one] != nil,
          destinations.contains(other) || liveDestinations[other] != nil,
          present.insert(KeyPair(one, other)).inserted
        else { continue }
        let numbers = [
          place.source.orderColumn.map { _ in SQLiteValue(link.sourceOrder) },
          place.destination.orderColumn.map { _ in SQLiteValue(link.destinationOrder) },
        ].compactMap(\.self)
        edit.add(key: [.integer(one), .integer(other)], set: numbers)
      }
      guard edit.count > 0 else { continue }
      let relationship = place.source.relationship
      decision.operations.append(
        Operation(
          repair,
          summary: isMerge
            ? "take \(counted(edit.count, "link")) of \(quoted(relationship.description))"
            : "put \(counted(edit.count, "link")) of \(quoted(relationship.description)) back",
          entity: relationship.owner.name, property: relationship.layout.name, .rows(edit), grade: .named))
    }
  }
}

extension Workbench {
  /// The keys of all objects of a table.
  fileprivate func allKeys(of table: String) throws -> KeySet {
    let rows = try connection.prepare("SELECT Z_PK FROM \(quotedIdentifier(table)) ORDER BY Z_PK")
    var keys: [Int64] = []
    while try rows.step() { keys.append(rows.int64(0)) }
    return KeySet(keys)
  }
}

extension SQLiteValue {
  /// The name of the file beside the store that it stands for, as a value that may lie in one; nil for any other value.
  var externalFileName: String? {
    guard case .blob(let bytes) = self, bytes.count == 38, bytes.first == 2, bytes.last == 0 else { return nil }
    return String(decoding: bytes[1..<37], as: UTF8.self)
  }

  /// About how much memory it takes.
  var byteCount: Int {
    switch self {
    case .null, .integer, .real: 16
    case .text(let bytes): 16 + bytes.count
    case .blob(let bytes): 16 + bytes.count
    }
  }
}
