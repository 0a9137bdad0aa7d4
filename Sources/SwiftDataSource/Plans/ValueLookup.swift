/// Values that have names: static properties, constants at top level, and local ones.
package struct ValueLookup {
  let table: NameTable

  package init(table: NameTable) { self.table = table }

  /// A value with the place its own names are to be looked up from.
  package typealias Found = (value: SourceExpression, scope: Scope)

  /// `common`, `Self.common`, `SchemaV1.models`
  package func value(_ path: [String], in scope: Scope) -> Found? {
    guard let name = path.last else { return nil }
    if path.count > 1 {
      guard let owner = table.declaredType(.path(Array(path.dropLast())), in: scope) else { return nil }
      return staticValue(name, of: owner)
    }
    var current = scope.type
    while let id = current {
      if let found = staticValue(name, of: id) { return found }
      current = table[id].parent
    }
    if let found = only(table.files[scope.file].localValues.filter { $0.name == name }) { return (found.value, scope) }
    let all = table.topVariables[name] ?? []
    let here = all.filter { $0.file == scope.file }
    return only(here.isEmpty ? all : here).flatMap { top in
      top.variable.value.map { ($0, Scope(file: top.file)) }
    }
  }

  private func staticValue(_ name: String, of id: TypeID) -> Found? {
    guard let (file, variable) = table[id].staticVariable(name), let value = variable.value else { return nil }
    return (value, Scope(file: file, type: id))
  }

  private func only<Element>(_ found: [Element]) -> Element? { found.count == 1 ? found[0] : nil }
}
