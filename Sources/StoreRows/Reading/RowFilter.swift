import StoreCoreData
import StoreDataModel
import StorePredicates
import StoreScanning

/// Which objects of a result to show, by a predicate.
final class RowFilter {
  /// The columns it looks at, which are read after those that are shown.
  let paths: [String]
  /// Objects for which the predicate cannot be decided, because a value could not be read.
  private(set) var undecided: Int64 = 0
  /// What in the predicate reads otherwise than somebody may expect, in a sentence each.
  let remarks: [String]
  private let predicate: ResolvedPredicate
  private let sources: [Source]

  /// Where the value of a path comes from.
  private enum Source {
    /// A column.
    case column(Int)
    /// How many objects the object with the key in a column leads to.
    case count(Int, LinkTable)
    /// A value of each of them.
    case values(Int, LinkTable, LoadedColumn)
  }

  /// - Throws: `RowQueryError` with the place where the text is no predicate or does not fit the model; what reading
  ///   tables throws.
  init(_ text: String, of entity: EntityLayout, _ loader: ColumnLoader) throws {
    let model = try loader.store.model ?? Model(inferredBy: loader.store.layout)
    do {
      let written = try FetchPredicate(parsing: text)
      remarks = written.remarks
      predicate = try written.resolved(for: entity.modelName ?? entity.name, in: model)
    } catch {
      let lines = error.excerpt.map { $0.split(separator: "\n").map { "\n  \($0)" }.joined() } ?? ""
      throw RowQueryError(error.description + lines)
    }
    var paths: [String] = []
    sources = try predicate.paths.map { path in
      func column(_ name: String) -> Int {
        if let known = paths.firstIndex(of: name) { return known }
        paths.append(name)
        return paths.count - 1
      }
      /// The key of the object that a to-many belongs to.
      func owner() -> Int {
        column(path.toOnes.isEmpty ? RowColumn.key.name : path.toOnes.map(\.relationship).joined(separator: "."))
      }
      switch path.end {
      case .attribute: return .column(column(path.description))
      case .object: return .column(owner())
      case .count(let step): return .count(owner(), try Self.links(step, loader: loader))
      case .values(let step, let rest):
        guard let destination = loader.map.entity(named: step.destination) else {
          throw RowQueryError("the store has no entity \(step.destination)")
        }
        let end = rest.description == "SELF" ? RowColumn.key.name : rest.description
        return .values(owner(), try Self.links(step, loader: loader), try loader.loaded(end, of: destination))
      }
    }
    self.paths = paths
  }

  private static func links(_ step: ResolvedPath.Step, loader: ColumnLoader) throws -> LinkTable {
    guard let entity = loader.map.entity(named: step.entity),
      let links = try loader.links(step.relationship, of: entity)
    else { throw RowQueryError("it is not known where the store keeps '\(step.entity).\(step.relationship)'") }
    return links
  }

  /// Whether an object is shown.
  ///
  /// - Parameters:
  ///   - first: the first of the columns it looks at.
  ///   - isGone: whether the object is one that is not in the table any more.
  func accepts(_ row: RowReader.Row, from first: Int, isGone: Bool = false) -> Bool {
    switch predicate.match({ isGone ? remains($0, in: row, from: first) : value($0, in: row, from: first) }) {
    case .matches: return true
    case .differs: return false
    case .unknown:
      undecided += 1
      return false
    }
  }

  /// A value as far as it is left: the lost part is not known, nor what it led to, since only present rows tell.
  private func remains(_ path: Int, in row: RowReader.Row, from first: Int) -> PredicateValue {
    guard case .column(let column) = sources[path] else { return .unknown }
    // A key stands in the row itself; what is behind it may have changed since.
    let isOwn = predicate.paths[path].end.isObject ? 1 : 0
    guard predicate.paths[path].toOnes.count <= isOwn else { return .unknown }
    let value = row.value(first + column)
    if case .absent = value { return .unknown }
    return value.forPredicate
  }

  private func value(_ path: Int, in row: RowReader.Row, from first: Int) -> PredicateValue {
    switch sources[path] {
    case .column(let column): return row.value(first + column).forPredicate
    case .count(let column, let links):
      guard case .key(let key) = row.value(first + column) else { return .integer(0) }
      return .integer(Int64(links.keys(of: key).count))
    case .values(let column, let links, let values):
      guard case .key(let key) = row.value(first + column) else { return .collection([]) }
      return .collection(links.keys(of: key).map { values.value(of: $0)?.forPredicate ?? .null })
    }
  }
}

extension ResolvedPath.End {
  fileprivate var isObject: Bool { if case .object = self { true } else { false } }
}

extension RowValue {
  /// The value as predicates see it.
  fileprivate var forPredicate: PredicateValue {
    switch self {
    case .absent, .null: .null
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .decimal(let number): .decimal(number.description)
    case .date(let seconds): .date(seconds)
    case .text(let bytes): UTF8Check.isValid(bytes) ? .text(String(decoding: bytes, as: UTF8.self)) : .unknown
    case .uri(let bytes): UTF8Check.isValid(bytes) ? .uri(String(decoding: bytes, as: UTF8.self)) : .unknown
    case .uuid(let bytes): .uuid([UInt8](bytes))
    case .data(let bytes), .transformed(let bytes): .data([UInt8](bytes))
    case .key(let key): .object(key: key)
    case .entity(let name): .text(name)
    case .dataLength, .missingFile, .written, .keys: .unknown
    }
  }
}

extension Model {
  /// A model of what is known about a store without one: names in small letters, types as the columns suggest.
  fileprivate init(inferredBy layout: Layout) throws {
    let entities = layout.entities.filter { !$0.id.isInternal }
    try self.init(
      entities: entities.map { entity in
        let own: (String) -> Bool = { $0 == entity.modelName ?? entity.name }
        let relationships = entity.relationships.filter { own($0.declaredBy) }.map { relationship in
          Property(
            name: relationship.name, isOptional: true,
            kind: .relationship(
              Relationship(
                destination: relationship.destination ?? "", inverse: relationship.inverse,
                maximumCount: relationship.isToMany ? 0 : 1)))
        }
        let names = Set(relationships.map(\.name))
        return Entity(
          name: entity.name, parent: entity.parent,
          properties: entity.attributes.filter { own($0.declaredBy) && !names.contains($0.property.name) }
            .map(\.property) + relationships)
      }, keepsFaults: true)
  }
}
