import StoreSwiftDataSchemas

/// Reads `[Note.self, Tag.self]`, sums of such lists, and constants with one. A list with other parts is incomplete.
package struct TypeListReader {
  let table: NameTable

  /// The types of a list, in order.
  package struct List {
    /// Each type as written, with its resolution.
    package var entries: [(text: String, id: TypeID?, span: SourceSpan, file: Int)] = []
    /// Why it is incomplete.
    package var problem: String?
    /// Whether two classes fit an entry.
    package var isDoubtful = false

    package var ids: [TypeID] { entries.compactMap(\.id) }
  }

  private static let maximumDepth = 16
  private static let maximumParts = 50_000

  /// `static var models` or `schemas` of a type.
  func list(_ name: String, of id: TypeID) -> List {
    switch StaticList(name, of: id, in: table) {
    case .unknown(let problem): return List(problem: problem)
    case .value(let value, let scope, let condition):
      var list = self.list(value, in: scope, named: name)
      if let condition { list.problem = "\(name) depends on '\(condition)'" }
      return list
    }
  }

  func list(_ value: SourceExpression, in scope: Scope, named name: String = "the list") -> List {
    var list = List()
    var parts = Self.maximumParts
    read(value, in: scope, named: name, into: &list, parts: &parts, depth: 0)
    return list
  }

  private func read(
    _ value: SourceExpression, in scope: Scope, named name: String, into list: inout List, parts: inout Int, depth: Int
  ) {
    parts -= 1
    guard depth < Self.maximumDepth, parts > 0 else {
      list.problem = "the list refers to other lists more than \(Self.maximumDepth) times"
      return
    }
    if let type = value.selfType { return add(type, at: value, in: scope, to: &list) }
    switch value.kind {
    case .array(let elements), .sum(let elements):
      for element in elements { read(element, in: scope, named: name, into: &list, parts: &parts, depth: depth + 1) }
    case .cast(let value, _): read(value, in: scope, named: name, into: &list, parts: &parts, depth: depth + 1)
    case .alternatives(let condition, let values):
      let lists = values.map { value in
        var list = List()
        read(value, in: scope, named: name, into: &list, parts: &parts, depth: depth + 1)
        return list
      }
      guard let first = lists.first else { return }
      list.entries += first.entries
      list.problem = first.problem ?? list.problem
      if !lists.allSatisfy(first.names) { list.problem = "\(name) depends on '\(condition)'" }
    default:
      guard let found = named(value, in: scope) else {
        list.problem = "the list is no plain list of types: '\(text(value, in: scope))'"
        return
      }
      read(found.value, in: found.scope, named: name, into: &list, parts: &parts, depth: depth + 1)
    }
  }

  /// The value of `all` or `all()`.
  private func named(_ value: SourceExpression, in scope: Scope) -> ValueLookup.Found? {
    let lookup = ValueLookup(table: table)
    if let (callee, arguments) = value.call {
      return arguments.isEmpty ? callee.pathNames.flatMap { lookup.result(of: $0, in: scope) } : nil
    }
    return lookup.value(value, in: scope)
  }

  private func add(_ type: TypeName, at value: SourceExpression, in scope: Scope, to list: inout List) {
    var id: TypeID?
    switch table.resolve(type, in: scope) {
    case .declared(let found): id = found
    case .failed(.ambiguous(let name, let places)):
      list.isDoubtful = true
      list.problem =
        "\(name) is declared more than once: \(places.prefix(4).map(\.description).joined(separator: ", "))"
    case .foreign, .array, .set, .dictionary, .optional, .failed:
      list.problem = "\(type) is not declared in the sources"
    }
    list.entries.append((type.description, id, value.span, scope.file))
  }

  func text(_ value: SourceExpression, in scope: Scope) -> String {
    let bytes = table.files[scope.file].bytes
    guard value.span.start <= value.span.end, value.span.end <= bytes.count else { return "" }
    let text = String(decoding: bytes[value.span.start..<min(value.span.end, value.span.start + 60)], as: UTF8.self)
    return String(text.prefix { !$0.isNewline })
  }
}

extension TypeListReader.List {
  /// Whether another list has the same types in the same order.
  fileprivate func names(_ other: Self) -> Bool {
    problem == other.problem && entries.count == other.entries.count
      && zip(entries, other.entries).allSatisfy { $0.id == $1.id && ($0.id != nil || $0.text == $1.text) }
  }
}
