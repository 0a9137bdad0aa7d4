import SwiftDataSource

extension NameTable {
  /// The extensions of `ModelContext` in the sources; nil where there are none.
  var modelContext: TypeID? { types.first { $0.name == "ModelContext" && $0.kind == .extension }?.id }
}

extension DeclaredType {
  /// The names of all its functions.
  var functionNames: Set<String> { Set(parts.flatMap(\.declaration.members.functions).map(\.name)) }
}
