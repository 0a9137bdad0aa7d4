import StoreScanning
import StoreText
import StoreWords
import StoreDataModel
import StoreCoreData
import StoreSQLite

extension Workbench {
  /// Fills an attribute where it is NULL, also in subentities that store it in a column of their own.
  func backfill(_ item: Recipe.Backfill) throws -> Decision {
    guard let entity = map.entity(named: item.entity) else {
      return .refusal(.backfill, message: "no entity \(quoted(item.entity))")
    }
    var decision = Decision()
    let constants = try BackfillConstants(of: item, entity: entity, bench: self)
    for holders in BackfillTarget.targets(item.attribute, of: entity, sources: item.sources, in: map) {
      decision += try backfill(item, in: holders, constants: constants)
    }
    return decision
  }

  private func backfill(
    _ item: Recipe.Backfill, in target: BackfillTarget, constants: BackfillConstants
  ) throws -> Decision {
    let place = "\(item.entity).\(item.attribute)"
    var query = ValueQuery(target.table)
    let (key, present) = (query.add(column: "Z_PK"), query.add(column: target.column))
    let fillers = try item.sources.map {
      try filler(for: $0, in: target, of: item, constants: constants, query: &query)
    }
    var shared: SQLiteValue?
    if case .constant(let value)? = fillers.first { shared = value }
    var edit = RowEdit.objects(target.table, set: [target.column], shared: shared.map { [$0] })
    var failures = BackfillFailures()
    let standard = defaults[target.layout.modelName ?? target.entity]?[item.attribute].map(target.stored)
    let column = "t.\(quotedIdentifier(target.column))"
    let isMissing = standard == nil ? "\(column) IS NULL" : "(\(column) IS NULL OR \(column) IS ?1)"
    let rows = try connection.prepare(query.sql(where: "\(isMissing) AND \(isOfKind(target.kinds))"))
    if let standard { try rows.bind(standard, at: 1) }
    while try rows.step() {
      let row = rows.int64(key)
      guard shared == nil else {
        if rows.value(present) != shared { edit.add(row) }
        continue
      }
      do throws(EvaluationError) {
        let value = try firstValue(of: fillers, in: rows, row: row, place: place, constants: constants)
        if value.isNull {
          if rows.kind(present) == .null { failures.withoutValue.append(row) }
        } else if target.stored(value) != rows.value(present) {
          edit.add(row, set: [target.stored(value)])
        }
      } catch {
        failures.failed[error, default: []].append(row)
      }
    }
    let obstacles = failures.obstacles(target.entity, attribute: item.attribute)
    guard edit.count > 0 else { return Decision(obstacles: obstacles) }
    return Decision(
      operations: [
        Operation(
          .backfill, summary: "fill \(target.entity).\(item.attribute) of \(counted(edit.count, "object"))",
          entity: target.entity, property: item.attribute, .rows(edit))
      ], obstacles: obstacles)
  }

  /// The value of the first source that gives one; NULL where none does.
  private func firstValue(
    of fillers: [BackfillFiller], in rows: Statement, row: Int64, place: String, constants: BackfillConstants
  ) throws(EvaluationError) -> SQLiteValue {
    for filler in fillers {
      let value = try filler.value(in: rows, row: row, place: place, made: generated, constants: constants)
      if !value.isNull { return value }
    }
    return .null
  }

  private func filler(
    for source: Recipe.Backfill.Source, in target: BackfillTarget, of item: Recipe.Backfill,
    constants: BackfillConstants, query: inout ValueQuery
  ) throws -> BackfillFiller {
    switch source {
    case .from(let name):
      guard let path = map.path(name, of: target.layout) else { return .nothing }
      return .path(query.add(path), path, target.type)
    case .group(let names):
      let paths = names.compactMap { target.part($0, in: map) }
      guard paths.count == names.count else { return .nothing }
      return .group(paths.map { query.add($0) }, try groups(names, item: item))
    case .expression(let expression):
      let checked = try expression.checked { name throws(ExpressionError) in
        guard let path = map.path(name, of: target.layout), let type = ExpressionType(path.type) else {
          throw ExpressionError(column: nil, "no attribute \(quoted(name)) in \(target.entity) that can be read")
        }
        return type
      }
      let paths = checked.paths.compactMap { map.path($0, of: target.layout) }
      return .expression(checked, paths.map { (query.add($0), $0) }, target.type)
    case .value(let constant): return .constant(target.stored(try constant.storedValue(for: target.type)))
    case .generate(.now): return .constant(try target.type.storedValue(.real(generated.now)))
    case .generate(.default): return target.defaultValue.map { .constant(target.stored($0)) } ?? .nothing
    case .generate(.uuid): return .uuid(target.type)
    case .generate(.sequence): return .sequence(target.type)
    }
  }

  /// The first value of an attribute for each combination of values in `names`.
  private func groups(_ names: [String], item: Recipe.Backfill) throws -> [[KeyValue]: SQLiteValue] {
    guard let entity = map.entity(named: item.entity) else { return [:] }
    var first: [[KeyValue]: (key: Int64, value: SQLiteValue)] = [:]
    for target in BackfillTarget.targets(item.attribute, of: entity, sources: item.sources, in: map) {
      let paths = names.compactMap { target.part($0, in: map) }
      guard paths.count == names.count else { continue }
      var query = ValueQuery(target.table)
      let (key, value) = (query.add(column: "Z_PK"), query.add(column: target.column))
      let places = paths.map { query.add($0) }
      let rows = try connection.prepare(
        query.sql(where: "t.\(quotedIdentifier(target.column)) IS NOT NULL AND \(isOfKind(target.kinds))"))
      while try rows.step() {
        let group = places.compactMap { KeyValue(rows, $0) }
        guard group.count == places.count, first[group].map({ rows.int64(key) < $0.key }) ?? true else { continue }
        // A value in an external file belongs to its row; the next one that can be read counts.
        let taken = target.taken(rows.value(value))
        if !taken.isNull { first[group] = (rows.int64(key), taken) }
      }
    }
    return first.mapValues(\.value)
  }
}

/// The rows of entities that store an attribute, and everything its sources read, in the same columns.
struct BackfillTarget {
  /// One of these entities.
  let layout: EntityLayout
  /// All of them.
  private(set) var kinds: [EntityID]
  let table: String
  let column: String
  let leaf: Property

  /// The name of the entity.
  var entity: String { layout.name }
  /// The attribute's type.
  var type: AttributeType { leaf.attribute?.type ?? .undefined }

  /// The targets for an attribute of an entity and its subentities, parents first.
  static func targets(
    _ attribute: String, of entity: EntityLayout, sources: [Recipe.Backfill.Source], in map: StoreMap
  ) -> [BackfillTarget] {
    let names = sources.flatMap(\.paths)
    var targets: [(signature: [String], target: BackfillTarget)] = []
    for kind in map.entities(of: entity) {
      guard let value = kind.value(attribute.split(separator: ".").map(String.init)[...]),
        value.leaf.attribute?.derivation == nil
      else { continue }
      let read = names.map { name in map.path(name, of: kind).map { "\($0.hops) \($0.column)" } ?? "" }
      let signature = [kind.table, value.column] + read
      if let known = targets.firstIndex(where: { $0.signature == signature }) {
        targets[known].target.kinds.append(kind.id)
      } else {
        targets.append(
          (
            signature,
            BackfillTarget(layout: kind, kinds: [kind.id], table: kind.table, column: value.column, leaf: value.leaf)
          ))
      }
    }
    return targets.map(\.target)
  }

  /// The value that rows are grouped by: an attribute, or the key of a to-one relationship.
  func part(_ name: String, in map: StoreMap) -> ValuePath? {
    if let path = map.path(name, of: layout) { return path }
    guard case .key(let column?, _, _)? = layout.relationships.first(where: { $0.name == name })?.storage else {
      return nil
    }
    return ValuePath(hops: [], column: column, leaf: leaf)
  }

  /// A value as the column stores it: where external storage is allowed, an inline value begins with the byte 1.
  func stored(_ value: SQLiteValue) -> SQLiteValue {
    guard leaf.attribute?.allowsExternalStorage == true, case .blob(let bytes) = value else { return value }
    return .blob([1] + bytes)
  }

  /// The column's value without that byte; NULL for an external file, which belongs to its row.
  func taken(_ value: SQLiteValue) -> SQLiteValue { value.withoutExternalMark(leaf) }

  /// The model's default value; nil where there is none, or one that storedoctor does not read.
  var defaultValue: SQLiteValue? { leaf.attribute?.storedDefault }
}

extension SQLiteValue {
  /// The bytes of an inline value of an attribute that allows external storage; NULL for one in an external file.
  fileprivate func withoutExternalMark(_ leaf: Property) -> SQLiteValue {
    guard leaf.attribute?.allowsExternalStorage == true, case .blob(let bytes) = self else { return self }
    return bytes.first == 1 ? .blob(Array(bytes.dropFirst())) : .null
  }
}

extension Recipe.Backfill.Source {
  /// The attributes it reads.
  var paths: [String] {
    switch self {
    case .from(let path): [path]
    case .group(let names): names
    case .expression(let expression): expression.paths
    case .value, .generate: []
    }
  }
}

/// State that continues from row to row: the numbers of a sequence.
final class BackfillConstants {
  private var last: Int64

  /// - Throws: `SQLiteError` when the column cannot be read.
  init(of item: Recipe.Backfill, entity: EntityLayout, bench: Workbench) throws {
    last = 0
    guard item.sources.contains(.generate(.sequence)) else { return }
    for target in BackfillTarget.targets(item.attribute, of: entity, sources: item.sources, in: bench.map) {
      let column = quotedIdentifier(target.column)
      // A text that is not a number counts as 0.
      let rows = try bench.connection.prepare(
        "SELECT max(CAST(\(column) AS INTEGER)) FROM \(quotedIdentifier(target.table)) AS t WHERE \(isOfKind(target.kinds))"
      )
      if try rows.step() { last = max(last, rows.int64(0)) }
    }
  }

  /// The next number.
  func next() throws(EvaluationError) -> Int64 {
    let (next, overflow) = last.addingReportingOverflow(1)
    if overflow { throw EvaluationError("there is no number after the greatest") }
    last = next
    return next
  }
}

/// A source, with what it reads resolved to columns.
enum BackfillFiller {
  case path(Int, ValuePath, AttributeType)
  case group([Int], [[KeyValue]: SQLiteValue])
  case expression(CheckedExpression, [(place: Int, path: ValuePath)], AttributeType)
  case constant(SQLiteValue)
  case uuid(AttributeType)
  case sequence(AttributeType)
  case nothing

  /// The value for a row; NULL where it gives none.
  func value(
    in rows: Statement, row: Int64, place: String, made: SeededValues, constants: BackfillConstants
  ) throws(EvaluationError) -> SQLiteValue {
    switch self {
    case .path(let index, let path, let type):
      return try type.fitting(rows.value(index).withoutExternalMark(path.leaf))
    case .group(let places, let groups):
      let group = places.compactMap { KeyValue(rows, $0) }
      return group.count == places.count ? groups[group] ?? .null : .null
    case .expression(let expression, let inputs, let type):
      let values = inputs.map { rows.value($0.place).withoutExternalMark($0.path.leaf) }
      return try type.fitting(try expression.value(of: values, row: row, in: place, made: made))
    case .constant(let value): return value
    case .uuid(let type):
      let bytes = made.uuid(for: row, of: place)
      return type == .uuid ? .blob(bytes) : .text(UUIDText.text(bytes))
    case .sequence(let type):
      let number = try constants.next()
      return type == .string ? .text(String(number)) : try type.fitting(.integer(number))
    case .nothing: return .null
    }
  }
}

extension AttributeType {
  /// `storedValue`; a value that does not fit is reported like any other failure of a row.
  fileprivate func fitting(_ value: SQLiteValue) throws(EvaluationError) -> SQLiteValue {
    do throws(UnstorableValue) {
      return try storedValue(value)
    } catch {
      throw EvaluationError(error.description)
    }
  }
}

/// Rows that could not be filled.
private struct BackfillFailures {
  var withoutValue: [Int64] = []
  var failed: [EvaluationError: [Int64]] = [:]

  func obstacles(_ entity: String, attribute: String) -> [Obstacle] {
    func obstacle(_ rows: [Int64], why: String) -> Obstacle {
      Obstacle(
        .backfill, entity: entity, property: attribute, count: rows.count, keys: rows,
        "\(counted(rows.count, "object")) left without \(quoted(attribute)): \(why)", refusesPlan: false)
    }
    let failures = failed.map { obstacle($1, why: $0.description) }.sorted { $0.message < $1.message }
    return failures + (withoutValue.isEmpty ? [] : [obstacle(withoutValue, why: "no source of the recipe has a value")])
  }
}
