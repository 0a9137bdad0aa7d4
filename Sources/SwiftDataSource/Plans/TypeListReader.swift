/// `[Note.self, Tag.self]`, sums of such lists, and names of them (`swiftdata-source.md`: "follow `+` and static properties of
/// the same files; otherwise the schema is incomplete").
package struct TypeListReader {
  let table: NameTable

  /// The types a list names, in order.
  package struct List {
    /// As written, with what was found.
    package var entries: [(text: String, id: TypeID?, span: SourceSpan, file: Int)] = []
    /// Why it is not whole.
    package var problem: String?

    package var ids: [TypeID] { entries.compactMap(\.id) }
  }

  private static let maximumDepth = 16
  private static let maximumEntries = 10_000

  func list(_ value: SourceExpression, in scope: Scope) -> List {
    var list = List()
    read(value, scope, into: &list, depth: 0)
    return list
  }

  private func read(_ value: SourceExpression, _ scope: Scope, into list: inout List, depth: Int) {
    guard depth < Self.maximumDepth, list.entries.count < Self.maximumEntries else {
      list.problem = "the list refers to other lists more than \(Self.maximumDepth) times"
      return
    }
    if let type = value.selfType { return add(type, value, scope, to: &list) }
    switch value.kind {
    case .array(let elements): for element in elements { read(element, scope, into: &list, depth: depth + 1) }
    case .sum(let operands): for operand in operands { read(operand, scope, into: &list, depth: depth + 1) }
    default:
      guard let path = value.pathNames, let found = ValueLookup(table: table).value(path, in: scope) else {
        list.problem = "the list is no plain list of types: '\(text(value, scope))'"
        return
      }
      read(found.value, found.scope, into: &list, depth: depth + 1)
    }
  }

  private func add(_ type: TypeName, _ value: SourceExpression, _ scope: Scope, to list: inout List) {
    var id: TypeID?
    switch table.resolve(type, in: scope) {
    case .declared(let found): id = found
    case .failed(.ambiguous(let name, let places)):
      list.problem =
        "\(name) is declared more than once: \(places.prefix(4).map(\.description).joined(separator: ", "))"
    case .foreign, .array, .set, .dictionary, .optional, .failed:
      list.problem = "\(type) is not declared in the sources"
    }
    list.entries.append((type.description, id, value.span, scope.file))
  }

  func text(_ value: SourceExpression, _ scope: Scope) -> String {
    let bytes = table.files[scope.file].bytes
    guard value.span.start <= value.span.end, value.span.end <= bytes.count else { return "" }
    let text = String(decoding: bytes[value.span.start..<min(value.span.end, value.span.start + 60)], as: UTF8.self)
    return String(text.prefix { !$0.isNewline })
  }
}
