import StoreCoreData
import StoreFindings
import StoreJSON
import StoreScanning
import StoreSQLite
import StoreWords

/// Compares the objects of two stores.
///
/// Where objects are paired by key, both tables are read side by side, and memory is needed for the links of to-many
/// relationships alone (8 bytes each), and 16 bytes for each object of one store only. Where they are paired by attributes,
/// 24 bytes an object more.
///
/// - Parameter report: called for each object that is different, entity by entity.
/// - Throws: `UnknownEntity`, `RowQueryError` for an attribute that does not exist, `SQLiteError` where a table cannot be
///   read.
package func compareStores(
  _ before: Store, _ after: Store, options: ComparisonOptions = ComparisonOptions(),
  report: (ObjectChange) throws -> Void
) throws -> StoreComparison {
  var comparer = Comparer(before, after, options)
  return try comparer.run(report)
}

/// Both readers with their columns at the same places: those of both models, then those of one alone.
private struct Readers {
  var before: RowReader
  var after: RowReader
  var columns: [ModelPairing.ColumnPair]
  var title: Int?
  /// For each column, the entities whose translations keys need: nil where keys are compared as they are.
  var destinations: [EntityID?]
}

struct Comparer {
  let before: Store
  let after: Store
  let options: ComparisonOptions
  let pairing: ModelPairing
  let loaders: (before: ColumnLoader, after: ColumnLoader)
  /// Whether one store comes from the other, so that a key is of the same object in both.
  let hasSharedKeys: Bool
  /// Whether all objects are paired by key.
  private var isPairedByKey: Bool
  /// For each entity of the first store that is paired by an attribute, the key in the second store for each key.
  private var translations: [EntityID: [Int64: Int64]] = [:]
  /// Properties whose links are left out, because a table of theirs is damaged.
  private var damagedLinks: Set<String> = []
  /// For each table of the two stores what is said of rows of no entity of it; nil for none.
  private var strays: (before: [String: String?], after: [String: String?]) = ([:], [:])
  private var result: StoreComparison

  init(_ before: Store, _ after: Store, _ options: ComparisonOptions) {
    self.before = before
    self.after = after
    self.options = options
    pairing = ModelPairing(before, after, given: options.given)
    loaders = (ColumnLoader(before, StoreMap(before)), ColumnLoader(after, StoreMap(after)))
    loaders.before.toleratesDamage = true
    loaders.after.toleratesDamage = true
    hasSharedKeys = before.metadata.uuid != nil && before.metadata.uuid == after.metadata.uuid
    isPairedByKey = options.pairing == .key || options.attributes.isEmpty && hasSharedKeys
    result = StoreComparison(before: StoreIdentity(before), after: StoreIdentity(after))
  }

  mutating func run(_ report: (ObjectChange) throws -> Void) throws -> StoreComparison {
    try checkNames()
    let wanted = pairing.pairs.filter { isWanted($0.before, $0.after) }
    if let given = options.given {
      isPairedByKey = false
      for pair in wanted { translations[pair.before.id] = given.keys[pair.before.id] ?? [:] }
      result.keysGivenAnew =
        "keys were given anew by a mapping model: objects are paired by their keys before and after"
    } else if options.pairing == .automatic, isPairedByKey, let anew = try soundKeysGivenAnew() {
      (isPairedByKey, translations, result.keysGivenAnew) = (false, anew.translations, anew.words)
    } else if !isPairedByKey {
      for pair in wanted { try translate(pair) }
    }
    try leaveOutDamagedLinks(wanted)
    for pair in wanted where translations[pair.before.id] != nil {
      for column in pair.columns where leadsToUnpaired(column.before) {
        result.notCompared.append(
          (pair.name, "\(quoted(column.after.name)) leads to objects that could not be paired"))
      }
    }
    for pair in wanted {
      do {
        if isPairedByKey {
          try compareByKey(pair, report: report)
        } else if translations[pair.before.id] != nil {
          try compareByAttribute(pair, report: report)
        }
      } catch let error as SQLiteError where error.isCorrupt {
        noteDamage()
        result.notCompared.append((pair.name, "\(damage(pair) ?? "its table is damaged") (\(error.message))"))
      }
    }
    result.onlyBefore = try objects(pairing.onlyBefore, in: before)
    result.onlyAfter = try objects(pairing.onlyAfter, in: after)
    (result.before.reading, result.after.reading) = (Reading(before), Reading(after))
    result.before.reading.unread += Self.words(strays.before, besides: before.seenDamage)
    result.after.reading.unread += Self.words(strays.after, besides: after.seenDamage)
    return result
  }

  /// Remembers the rows that are of no entity of their table, once both tables of a pair were read.
  private mutating func noteStrays(_ readers: Readers) {
    func note(_ reader: RowReader, in known: inout [String: String?]) {
      guard known[reader.plan.table] == nil else { return }
      known[reader.plan.table] = .some(reader.strays.words(reader.plan.table, fate: "compared"))
    }
    note(readers.before, in: &strays.before)
    note(readers.after, in: &strays.after)
  }

  /// What is said of them, but for tables of which damage is known.
  private static func words(_ strays: [String: String?], besides damage: SeenDamage) -> [String] {
    strays.sorted { codeUnitsPrecede($0.key, $1.key) }.filter { !damage.concerns($0.key) }.compactMap(\.value)
  }

  // MARK: Damage

  private func noteDamage() {
    before.noteDamage()
    after.noteDamage()
  }

  /// As `keysGivenAnew`; nil where damage leaves it open.
  private func soundKeysGivenAnew() throws -> KeysGivenAnew? {
    do {
      let anew = try keysGivenAnew()
      return before.seenDamage.isEmpty && after.seenDamage.isEmpty ? anew : nil
    } catch let error as SQLiteError where error.isCorrupt {
      noteDamage()
      return nil
    }
  }

  /// Reads the links of to-many relationships, and leaves out those that a damaged table may not show whole.
  private mutating func leaveOutDamagedLinks(_ pairs: [ModelPairing.EntityPair]) throws {
    for pair in pairs {
      for column in pair.columns {
        guard case .toMany = column.after.content else { continue }
        _ = try loaders.before.links(column.before.name, of: pair.before)
        _ = try loaders.after.links(column.after.name, of: pair.after)
      }
    }
    guard !before.seenDamage.isEmpty || !after.seenDamage.isEmpty else { return }
    for pair in pairs {
      for column in pair.columns {
        guard case .toMany(let destination, _) = column.after.content else { continue }
        let names = [destination].compactMap(\.self)
        guard
          let table = damagedTable(names, in: before, loaders.before) ?? damagedTable(names, in: after, loaders.after)
        else { continue }
        damagedLinks.insert("\(pair.after.name).\(column.after.name)")
        result.notCompared.append(
          (pair.name, "the links of \(quoted(column.after.name)), since \(table) is damaged"))
      }
    }
  }

  /// The damaged table of one of the entities, or one of links.
  private func damagedTable(_ entities: [String], in store: Store, _ loader: ColumnLoader) -> String? {
    let damage = store.seenDamage
    guard !damage.isEmpty else { return nil }
    let tables = entities.compactMap { loader.map.entity(named: $0)?.table } + store.layout.joinTables.map(\.name)
    return tables.first(where: damage.concerns)
  }

  /// Why objects that only one store shows may be in the other all the same; nil where its tables show all.
  private func damage(_ pair: ModelPairing.EntityPair) -> String? {
    let damaged = [(before, pair.before.table, "first"), (after, pair.after.table, "second")].filter {
      store, table, _ in
      store.seenDamage.concerns(table)
    }
    guard let (_, table, which) = damaged.first else { return nil }
    return damaged.count > 1 ? "\(table) is damaged in both stores" : "\(table) is damaged in the \(which) store"
  }

  /// Takes back what only damage may make look like a difference.
  private mutating func settleDamage(_ pair: ModelPairing.EntityPair, _ work: inout Work) {
    guard let damage = damage(pair) else { return }
    let (removed, added) = work.forgetUnpaired()
    var unseen: [String] = []
    if removed > 0 { unseen.append("\(counted(removed, "object")) of the first store not seen in the second") }
    if added > 0 { unseen.append("\(counted(added, "object")) of the second not seen in the first") }
    result.notCompared.append(
      (
        pair.name,
        "not all of it, since \(damage)"
          + (unseen.isEmpty ? "" : ": \(unseen.joined(separator: ", ")), which may be there all the same")
      ))
  }

  private func checkNames() throws {
    let known =
      pairing.pairs.flatMap { [$0.before.name, $0.after.name] }
      + (pairing.onlyBefore + pairing.onlyAfter).map(\.name)
    let asked = (options.entities ?? []).union(options.attributes.keys)
      .union(options.ignored.compactMap { $0.splitAtFirstDot?.0 })
    for name in asked.sorted() where !known.contains(name) {
      throw UnknownEntity(name: name, known: Set(known).sorted(), place: "store")
    }
    var properties: Set<String> = []
    for pair in pairing.pairs {
      properties.formUnion((pair.columns.map(\.before) + pair.onlyBefore).map { "\(pair.before.name).\($0.name)" })
      properties.formUnion((pair.columns.map(\.after) + pair.onlyAfter).map { "\(pair.after.name).\($0.name)" })
    }
    for name in options.ignored.sorted() where !properties.contains(name) {
      throw RowQueryError("no property \(quoted(name)) in these stores\(didYouMean(name, among: Array(properties)))")
    }
  }

  private func isWanted(_ entities: EntityLayout...) -> Bool {
    guard let names = options.entities else { return true }
    return entities.contains { names.contains($0.name) }
  }

  private func objects(_ entities: [EntityLayout], in store: Store) throws -> [(String, Int64)] {
    try entities.filter { isWanted($0) && !$0.isAbstract }.map { entity in
      (entity.name, try store.rowCounts(of: entity.table).byEntity[entity.id] ?? 0)
    }
  }

  // MARK: Reading both

  private func readers(_ pair: ModelPairing.EntityPair) throws -> Readers {
    let columns = pair.columns.filter { column in
      !leadsToUnpaired(column.before) && !damagedLinks.contains("\(pair.after.name).\(column.after.name)")
        && !isIgnored(column.before, of: pair.before) && !isIgnored(column.after, of: pair.after)
    }
    let title = pair.after.titleAttribute.flatMap { title in columns.firstIndex { $0.after.name == title } }
    return Readers(
      before: try RowReader(
        pair.before, columns: columns.map(\.before.name), and: onlyBefore(pair).map(\.name), includesSubentities: false,
        readsBinary: true, loader: loaders.before),
      after: try RowReader(
        pair.after, columns: columns.map(\.after.name), and: onlyAfter(pair).map(\.name), includesSubentities: false,
        readsBinary: true, loader: loaders.after),
      columns: columns, title: title,
      destinations: columns.map { column in
        switch column.before.content {
        case .toOne(let destination?), .toMany(let destination?, _): loaders.before.map.entity(named: destination)?.id
        default: nil
        }
      })
  }

  private func isIgnored(_ column: RowColumn, of entity: EntityLayout) -> Bool {
    options.ignored.contains("\(entity.name).\(column.name)")
  }

  private func onlyBefore(_ pair: ModelPairing.EntityPair) -> [RowColumn] {
    pair.onlyBefore.filter { !isIgnored($0, of: pair.before) }
  }

  private func onlyAfter(_ pair: ModelPairing.EntityPair) -> [RowColumn] {
    pair.onlyAfter.filter { !isIgnored($0, of: pair.after) }
  }

  /// Whether a relationship leads to objects that could not be paired, so that its links cannot be compared.
  private func leadsToUnpaired(_ column: RowColumn) -> Bool {
    guard !isPairedByKey else { return false }
    switch column.content {
    case .toOne(let destination), .toMany(let destination, _):
      guard let entity = destination.flatMap({ loaders.before.map.entity(named: $0) }) else { return true }
      return !loaders.before.map.kinds(of: entity.id).contains { translations[$0] != nil }
    default: return false
    }
  }

  private func begin(_ pair: ModelPairing.EntityPair, by: String) -> EntityComparison {
    var comparison = EntityComparison(name: pair.after.name, pairedBy: by)
    if pair.before.name != pair.after.name { comparison.nameBefore = pair.before.name }
    comparison.renamed = pair.columns.filter { $0.before.name != $0.after.name }
      .map { ($0.before.name, $0.after.name) }
    comparison.dropped = onlyBefore(pair).map { .init(name: $0.name, values: 0) }
    comparison.new = onlyAfter(pair).map { .init(name: $0.name, values: 0) }
    return comparison
  }

  // MARK: By key

  private mutating func compareByKey(
    _ pair: ModelPairing.EntityPair, report: (ObjectChange) throws -> Void
  ) throws {
    let readers = try readers(pair)
    var work = Work(pair, readers, begin(pair, by: "key"))
    let (left, right) = (try readers.before.cursor(), try readers.after.cursor())
    var (one, other) = (try left.next(), try right.next())
    while one != nil || other != nil {
      if let row = one, let match = other, row.key == match.key {
        work.sawBefore(row)
        work.sawAfter(match)
        try work.compare(row, with: match, isSame: { $0.isSame(as: $1) }, report: report)
        (one, other) = (try left.next(), try right.next())
      } else if let row = one, other.map({ row.key < $0.key }) ?? true {
        work.sawBefore(row)
        work.isRemoved(row)
        one = try left.next()
      } else if let row = other {
        work.sawAfter(row)
        work.isAdded(row)
        other = try right.next()
      }
    }
    // In a sound table no key is met after a larger one, and none is in one store only and in the other only.
    let disordered = try work.pairDisordered(report)
    if disordered > 0 {
      result.notCompared.append(
        (
          pair.name,
          "the keys of a table are not in order, so it is damaged: links of \(counted(disordered, "object")) are not "
            + "compared, and what is missing may be there"
        ))
    }
    askIndexes(pair, work)
    noteStrays(readers)
    settleDamage(pair, &work)
    settleKeysNotHandedOut(pair, &work)
    try work.finish(report)
    result.entities.append(work.comparison)
  }

  /// Asks the indexes of both tables about the objects that were met in one store only: a key of which they do not know, or
  /// one that only they know, says that a table is damaged.
  private func askIndexes(_ pair: ModelPairing.EntityPair, _ work: Work) {
    let keys = work.unpairedKeys()
    guard !keys.removed.isEmpty || !keys.added.isEmpty else { return }
    before.compareKeys(
      of: pair.before.table, shown: keys.removed.contains, hidden: keys.added.contains, count: keys.removed.count)
    after.compareKeys(
      of: pair.after.table, shown: keys.added.contains, hidden: keys.removed.contains, count: keys.added.count)
  }

  /// Takes back moves from or to a key that the store has not handed out: a byte of the key may have changed, so that the
  /// object did not move.
  private mutating func settleKeysNotHandedOut(_ pair: ModelPairing.EntityPair, _ work: inout Work) {
    let known = (before.keysHandedOut(of: pair.before.id), after.keysHandedOut(of: pair.after.id))
    let doubted = work.takeBackMoves { $0 > known.0 ?? .max || $1 > known.1 ?? .max || $0 <= 0 || $1 <= 0 }
    guard let first = doubted.first else { return }
    let example = "\(first.from) in the first store and \(first.to) in the second"
    result.notCompared.append(
      (
        pair.name,
        "not all of it: \(counted(doubted.count, "object")) with equal values \(doubted.count == 1 ? "has" : "have") keys of "
          + "which one was never handed out (\(example)), so that the key may be a damaged one"
      ))
  }

  // MARK: By attribute

  /// Pairs objects by an attribute that is unique in both stores.
  private mutating func translate(_ pair: ModelPairing.EntityPair) throws {
    guard !pair.before.isAbstract || !pair.after.isAbstract else { return }
    if hasSharedKeys, givenAttribute(for: pair) == nil {
      translations[pair.before.id] = try sharedKeys(pair)
      return
    }
    guard let name = try attribute(for: pair) else {
      // Without objects on one side there is nothing to pair.
      let counts = try [(before, pair.before), (after, pair.after)].map { store, entity in
        try store.rowCounts(of: entity.table).byEntity[entity.id] ?? 0
      }
      guard !counts.contains(0) else {
        translations[pair.before.id] = [:]
        return
      }
      result.notCompared.append(
        (
          pair.name,
          "the stores have different UUIDs, and no attribute of \(pair.name) is unique"
        ))
      return
    }
    let column = pair.columns.first { $0.after.name == name || $0.before.name == name }
    guard let column else {
      throw RowQueryError("\(quoted("\(pair.name).\(name)")) is not an attribute in both stores")
    }
    let before = try keys(by: column.before.name, of: pair.before, loaders.before)
    let after = try keys(by: column.after.name, of: pair.after, loaders.after)
    var translation: [Int64: Int64] = [:]
    var doubtful = 0
    for (value, keys) in before {
      guard let matches = after[value] else { continue }
      guard keys.count == 1, matches.count == 1 else {
        doubtful += 1
        continue
      }
      translation[keys[0]] = matches[0]
    }
    if doubtful > 0 {
      result.notCompared.append(
        (
          pair.name,
          "\(counted(doubtful, "value")) of \(quoted(name)) \(doubtful == 1 ? "is" : "are") of several objects,"
            + " which cannot be told apart by it"
        ))
    }
    translations[pair.before.id] = translation
  }

  func givenAttribute(for pair: ModelPairing.EntityPair) -> String? {
    options.attributes[pair.after.name] ?? options.attributes[pair.before.name]
  }

  /// The keys that objects of the entity have in both stores, each leading to itself.
  private func sharedKeys(_ pair: ModelPairing.EntityPair) throws -> [Int64: Int64] {
    func keys(_ entity: EntityLayout, loader: ColumnLoader) throws -> [Int64] {
      var keys: [Int64] = []
      try RowReader(entity, columns: [], includesSubentities: false, loader: loader).forEach { keys.append($0.key) }
      return keys
    }
    let after = Set(try keys(pair.after, loader: loaders.after))
    let shared = try keys(pair.before, loader: loaders.before).filter(after.contains)
    return Dictionary(uniqueKeysWithValues: Set(shared).map { ($0, $0) })
  }

  func attribute(for pair: ModelPairing.EntityPair) throws -> String? {
    if let given = givenAttribute(for: pair) { return given }
    let constraints = (pair.after.uniquenessConstraints + pair.before.uniquenessConstraints).filter { $0.count == 1 }
    let names = pair.columns.map(\.after.name)
    if let unique = constraints.compactMap(\.first).first(where: names.contains) { return unique }
    // A UUID is made to be unique, also where no constraint says so.
    return pair.columns.first { column in
      column.after.content == .attribute(.uuid)
        && ["id", "uuid", "identifier"].contains(column.after.name.lowercased())
    }?.after.name
  }

  private func keys(by name: String, of entity: EntityLayout, _ loader: ColumnLoader) throws -> [Digest: [Int64]] {
    let reader = try RowReader(
      entity, columns: [name], includesSubentities: false, readsBinary: true, loader: loader)
    var found: [Digest: [Int64]] = [:]
    try reader.forEach { row in
      let value = row.value(0)
      if !value.isEmpty { found[Digest { value.hash(into: &$0) }, default: []].append(row.key) }
    }
    return found
  }

  private func pairingName(_ pair: ModelPairing.EntityPair) throws -> String {
    if options.given != nil { return "key" }
    if result.keysGivenAnew != nil { return try attribute(for: pair) ?? "content" }
    return hasSharedKeys && givenAttribute(for: pair) == nil ? "key" : try attribute(for: pair) ?? ""
  }

  private mutating func compareByAttribute(
    _ pair: ModelPairing.EntityPair, report: (ObjectChange) throws -> Void
  ) throws {
    let translation = translations[pair.before.id] ?? [:]
    let readers = try readers(pair)
    var work = Work(pair, readers, begin(pair, by: try pairingName(pair)))
    let matched = Set(translation.values)
    let right = try readers.after.cursor(key: 0)
    let left = try readers.before.cursor()
    let destinations = readers.destinations
    while let row = try left.next() {
      work.sawBefore(row)
      guard let key = translation[row.key] else {
        work.isRemoved(row)
        continue
      }
      guard let match = try right.move(to: key) else {
        // It was met where the whole table was read.
        after.noteLostKey(of: pair.after.table)
        work.isRemoved(row)
        continue
      }
      var column = -1
      try work.compare(
        row, with: match,
        isSame: { one, other in
          column += 1
          return isSame(one, other, leadingTo: destinations[column])
        }, countsMove: result.keysGivenAnew != nil, report: report)
    }
    let rest = try readers.after.cursor()
    while let row = try rest.next() {
      work.sawAfter(row)
      if !matched.contains(row.key) { work.isAdded(row) }
    }
    noteStrays(readers)
    settleDamage(pair, &work)
    try work.finish(report)
    result.entities.append(work.comparison)
  }

  /// Whether two values are the same, keys being those of paired objects.
  private func isSame(_ one: RowValue, _ other: RowValue, leadingTo destination: EntityID?) -> Bool {
    guard let destination else { return one.isSame(as: other) }
    switch (one, other) {
    case (.key(let left), .key(let right)): return translated(left, to: destination) == right
    case (.keys(let left), .keys(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { translated($0, to: destination) == $1 }
        || Set(left.compactMap { translated($0, to: destination) }) == Set(right) && left.count == right.count
    case (.key(let left), .keys(let right)): return right.count == 1 && translated(left, to: destination) == right.first
    case (.keys(let left), .key(let right)):
      return left.count == 1 && left.first.flatMap { translated($0, to: destination) } == right
    default: return one.isSame(as: other)
    }
  }

  private func translated(_ key: Int64, to destination: EntityID) -> Int64? {
    for kind in loaders.before.map.kinds(of: destination) {
      if let match = translations[kind]?[key] { return match }
    }
    return nil
  }
}

extension Store {
  /// The highest key that was handed out to objects of an entity's table; nil where that is not known.
  fileprivate func keysHandedOut(of entity: EntityID) -> Int64? {
    entityMap[entityMap.root(of: entity)]?.keysHandedOut
  }
}

/// Two 64-bit hashes that stand for a value. They hold within one run of the program.
struct Digest: Hashable {
  private let high: Int, low: Int

  init(_ mix: (inout Hasher) -> Void) {
    var (one, other) = (Hasher(), Hasher())
    other.combine(1)
    mix(&one)
    mix(&other)
    (high, low) = (one.finalize(), other.finalize())
  }
}

/// The comparison of one entity as it goes on.
private struct Work {
  private(set) var comparison: EntityComparison
  private let pair: ModelPairing.EntityPair
  private let columns: [ModelPairing.ColumnPair]
  private let title: Int?
  private let readers: (before: RowReader, after: RowReader)
  /// Objects of one store only, with a digest of their values.
  private var removed: [(key: Int64, digest: Digest)] = []
  private var added: [(key: Int64, digest: Digest)] = []

  init(_ pair: ModelPairing.EntityPair, _ readers: Readers, _ comparison: EntityComparison) {
    self.pair = pair
    self.comparison = comparison
    columns = readers.columns
    title = readers.title
    self.readers = (readers.before, readers.after)
  }

  mutating func sawBefore(_ row: RowReader.Row) {
    comparison.before += 1
    for place in comparison.dropped.indices {
      Self.count(row.value(columns.count + place), in: &comparison.dropped[place], isFirst: comparison.before == 1)
    }
  }

  mutating func sawAfter(_ row: RowReader.Row) {
    comparison.after += 1
    for place in comparison.new.indices {
      Self.count(row.value(columns.count + place), in: &comparison.new[place], isFirst: comparison.after == 1)
    }
  }

  private static func count(_ value: RowValue, in fate: inout EntityComparison.PropertyFate, isFirst: Bool) {
    if isFirst {
      fate.constant = value.json
    } else if fate.constant != nil, fate.constant != value.json {
      fate.constant = nil
    }
    if !value.isEmpty { fate.values += 1 }
  }

  mutating func isRemoved(_ row: RowReader.Row) { removed.append((row.key, digest(row))) }
  mutating func isAdded(_ row: RowReader.Row) { added.append((row.key, digest(row))) }

  /// Of attributes alone: links change with the keys of others.
  private func digest(_ row: RowReader.Row) -> Digest {
    Digest { hasher in
      for (place, column) in columns.enumerated() {
        if case .attribute = column.after.content { row.value(place).hash(into: &hasher) }
      }
    }
  }

  mutating func compare(
    _ one: RowReader.Row, with other: RowReader.Row, isSame: (RowValue, RowValue) -> Bool, countsMove: Bool = false,
    report: (ObjectChange) throws -> Void
  ) throws {
    var changes: [ObjectChange.ChangedValue] = []
    for place in columns.indices {
      let (left, right) = (one.value(place), other.value(place))
      guard !isSame(left, right) else { continue }
      guard let change = change(left, to: right, in: columns[place]) else { continue }
      comparison.changedValues[change.property, default: 0] += 1
      changes.append(change)
    }
    guard !changes.isEmpty else {
      guard countsMove, one.key != other.key else { return }
      comparison.moved += 1
      return try report(
        ObjectChange(
          kind: .moved, entity: comparison.name, keyBefore: one.key, keyAfter: other.key, title: title(other)))
    }
    comparison.changed += 1
    try report(
      ObjectChange(
        kind: .changed, entity: comparison.name, keyBefore: one.key, keyAfter: other.key, title: title(other),
        values: changes))
  }

  private func change(
    _ left: RowValue, to right: RowValue, in column: ModelPairing.ColumnPair
  ) -> ObjectChange.ChangedValue? {
    var change = ObjectChange.ChangedValue(property: column.after.name, before: left.json, after: right.json)
    if case (.keys(let one), .keys(let other)) = (left, right), one.count == other.count, Set(one) == Set(other) {
      // Without an order of its own, the order of links says nothing.
      if case .toMany(_, isOrdered: true) = column.after.content { change.isOrderOnly = true } else { return nil }
    }
    return change
  }

  private func title(_ row: RowReader.Row) -> String? {
    guard let title, case .text(let bytes) = row.value(title) else { return nil }
    return String(decoding: bytes.prefix(400), as: UTF8.self)
  }

  /// The keys of the objects that were met in one store only.
  func unpairedKeys() -> (removed: KeySet, added: KeySet) {
    (KeySet(removed.lazy.map(\.key)), KeySet(added.lazy.map(\.key)))
  }

  /// Forgets the objects that were met in one store only.
  ///
  /// - Returns: how many those of each were.
  mutating func forgetUnpaired() -> (removed: Int, added: Int) {
    defer { (removed, added) = ([], []) }
    return (removed.count, added.count)
  }

  /// Pairs objects that were met in both stores at different places, because the keys of one are not in order.
  ///
  /// - Returns: how many there are.
  mutating func pairDisordered(_ report: (ObjectChange) throws -> Void) throws -> Int {
    guard !removed.isEmpty, !added.isEmpty else { return 0 }
    let matches = Dictionary(added.map { ($0.key, $0.digest) }) { first, _ in first }
    var paired: Set<Int64> = []
    for (key, digest) in removed {
      guard let match = matches[key], paired.insert(key).inserted, match != digest else { continue }
      comparison.changed += 1
      try report(ObjectChange(kind: .changed, entity: comparison.name, keyBefore: key, keyAfter: key))
    }
    removed.removeAll { paired.contains($0.key) }
    added.removeAll { paired.contains($0.key) }
    return paired.count
  }

  /// Forgets objects that would be moved ones.
  ///
  /// - Parameter isDoubted: of a key before and one after.
  /// - Returns: the keys of those that were forgotten, in order.
  mutating func takeBackMoves(where isDoubted: (Int64, Int64) -> Bool) -> [(from: Int64, to: Int64)] {
    let doubted = moves().filter { isDoubted($0.key, $0.value) }
    guard !doubted.isEmpty else { return [] }
    let targets = Set(doubted.values)
    removed.removeAll { doubted[$0.key] != nil }
    added.removeAll { targets.contains($0.key) }
    return doubted.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Tells moved objects from removed and added ones, and reports all of them.
  mutating func finish(_ report: (ObjectChange) throws -> Void) throws {
    let moves = self.moves()
    comparison.moved += Int64(moves.count)
    let targets = Set(moves.values)
    if !removed.isEmpty {
      let cursor = try readers.before.cursor(key: 0)
      for (key, _) in removed {
        // A key that was met and is not found again is one of a damaged table.
        let row = try cursor.move(to: key)
        if let target = moves[key] {
          try report(
            ObjectChange(
              kind: .moved, entity: comparison.name, keyBefore: key, keyAfter: target, title: row.flatMap(title)))
        } else {
          comparison.removed += 1
          try report(
            ObjectChange(
              kind: .removed, entity: comparison.name, keyBefore: key, title: row.flatMap(title),
              values: row.map { values(of: $0) { .init(property: $0.before.name, before: $1) } } ?? []))
        }
      }
    }
    guard !added.isEmpty else { return }
    let cursor = try readers.after.cursor(key: 0)
    for (key, _) in added where !targets.contains(key) {
      let row = try cursor.move(to: key)
      comparison.added += 1
      try report(
        ObjectChange(
          kind: .added, entity: comparison.name, keyAfter: key, title: row.flatMap(title),
          values: row.map { values(of: $0) { .init(property: $0.after.name, after: $1) } } ?? []))
    }
  }

  private func values(
    of row: RowReader.Row, _ make: (ModelPairing.ColumnPair, JSONValue) -> ObjectChange.ChangedValue
  ) -> [ObjectChange.ChangedValue] {
    columns.indices.compactMap { place in
      let value = row.value(place)
      return value.isEmpty ? nil : make(columns[place], value.json)
    }
  }

  /// Objects whose values are in one object of the other store only, under another key.
  private func moves() -> [Int64: Int64] {
    guard !removed.isEmpty, !added.isEmpty, comparison.pairedBy == "key" else { return [:] }
    var places: [Digest: Int64?] = [:]
    for (key, digest) in added { places[digest] = places[digest] == nil ? .some(key) : .some(nil) }
    var sources: [Digest: Int] = [:]
    for (_, digest) in removed { sources[digest, default: 0] += 1 }
    var moves: [Int64: Int64] = [:]
    for (key, digest) in removed where sources[digest] == 1 {
      if let target = places[digest] ?? nil { moves[key] = target }
    }
    return moves
  }
}
