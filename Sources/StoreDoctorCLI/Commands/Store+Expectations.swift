import StoreCoreData
import StoreDataModel
import StoreDigests
import StoreReports
import StoreRows
import StoreSwiftCode
import StoreText

extension Store {
  /// The expected content of a migrated store for each entity of a model.
  ///
  /// - Parameter classes: the class of each entity, where tests need it.
  func expectations(of model: Model, _ classes: [String: String]) throws -> [MigrationTests.Entity] {
    try model.entities.sorted { $0.name < $1.name }.map { entity in
      var query = RowQuery(entity: entity.name)
      query.readsBinary = true
      let rows = try Rows(query, of: self)
      let own = model.properties(of: entity.name)
      let columns = rows.columns.enumerated().filter { _, column in
        guard let property = own[column.name]?.property else { return false }
        return !property.isTransient && property.attribute?.derivation == nil
      }
      let kind = rows.columns.firstIndex { $0.content == .entity }
      var objects: [MigrationTests.Object] = []
      try rows.forEach { row in
        var name = entity.name
        if let kind, case .entity(let own) = row.value(kind) { name = own }
        objects.append(
          MigrationTests.Object(
            entity: name, key: row.key,
            values: columns.map { MigrationTests.Value(row.value($0.offset), $0.element.content) }))
      }
      return MigrationTests.Entity(
        name: entity.name, className: classes[entity.name],
        columns: columns.map { .init(name: $0.element.name, content: .init($0.element.content)) }, objects: objects)
    }
  }
}

extension MigrationTests.Column.Content {
  fileprivate init(_ content: RowColumn.Content) {
    self =
      switch content {
      case .toOne: .toOne
      case .toMany: .toMany
      case .attribute(.date): .date
      case .attribute(.float): .float
      case .attribute(let type) where Self.plain.contains(type): .plain
      case .attribute, .key, .entity, .version, .state, .cloudKit, .recordName, .origin, .stored: .other
      }
  }

  /// The types whose values are the same text wherever Swift runs.
  private static let plain: Set<AttributeType> = [
    .integer16, .integer32, .integer64, .double, .string, .boolean, .uuid,
  ]
}

extension MigrationTests.Value {
  fileprivate init(_ value: RowValue, _ content: RowColumn.Content) {
    switch (value, content) {
    case (.null, .toOne): self = .links([])
    case (.null, _): self = .null
    case (.boolean(let value), _): self = .boolean(value)
    case (.integer(let value), _): self = .integer(value)
    case (.real(let value), _): self = .real(value)
    case (.date(let seconds), _): self = .date(seconds)
    case (.text(let bytes), _): self = String(validating: bytes, as: UTF8.self).map(Self.text) ?? .unknown
    case (.uri(let bytes), _): self = String(validating: bytes, as: UTF8.self).map(Self.uri) ?? .unknown
    case (.uuid(let bytes), _): self = .uuid(UUIDText.text(Array(bytes)))
    case (.data(let bytes), _): self = .data(Array(bytes))
    case (.key(let key), .toOne): self = .links([key])
    case (.keys(let keys), .toMany(_, let isOrdered)): self = .links(isOrdered ? Array(keys) : keys.sorted())
    case (.absent, _), (.decimal, _), (.dataLength, _), (.transformed, _), (.written, _), (.missingFile, _),
      (.key, _), (.keys, _), (.entity, _):
      self = .unknown
    }
  }
}
