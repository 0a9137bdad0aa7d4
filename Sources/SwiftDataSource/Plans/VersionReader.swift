import StoreSwiftDataSchemas

/// Reads the contents of a `VersionedSchema`.
package struct VersionReader {
  let table: NameTable

  package init(table: NameTable) { self.table = table }

  /// The classes of a version, with the reason if not all are known.
  package func models(of version: TypeID) -> TypeListReader.List {
    classes(TypeListReader(table: table).list("models", of: version))
  }

  /// Reports entries that are not `@Model` classes.
  func classes(_ list: TypeListReader.List) -> TypeListReader.List {
    var list = list
    for entry in list.entries {
      guard let id = entry.id, !table[id].isModel else { continue }
      list.problem = "\(entry.text) is no class with @Model"
    }
    list.entries.removeAll { entry in entry.id.map { !table[$0].isModel } ?? false }
    return list
  }

  func identifier(of version: TypeID) -> SourceSchema.Identifier {
    guard table[version].staticVariable("versionIdentifier") != nil else {
      return .unknown("it has no static versionIdentifier")
    }
    guard let value = ValueLookup(table: table).staticValue("versionIdentifier", of: version)?.value else {
      return .unknown("versionIdentifier is computed by more than one expression")
    }
    return identifier(value)
  }

  /// Reads `Schema.Version(2, 0, 0)` and `.init(2, 0, 0)`.
  func identifier(_ value: SourceExpression) -> SourceSchema.Identifier {
    if case .alternatives(let condition, let values) = value.kind {
      let identifiers = Set(values.map(identifier))
      guard identifiers.count == 1, let only = identifiers.first else {
        return .unknown("versionIdentifier depends on '\(condition)'")
      }
      return only
    }
    guard let (callee, arguments) = value.call,
      ["Version", "init"].contains(callee.memberName ?? callee.pathNames?.last ?? ""), arguments.count == 3
    else { return .unknown("its version is no Schema.Version(…) of three numbers") }
    let numbers = arguments.compactMap(\.value.integerValue)
    guard numbers.count == 3 else { return .unknown("its version is no Schema.Version(…) of three literals") }
    return .stated(numbers.map { String($0) }.joined(separator: "."))
  }
}
