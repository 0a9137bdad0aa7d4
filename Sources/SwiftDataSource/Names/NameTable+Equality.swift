extension NameTable {
  /// Whether two tables have the same declarations at the same places, by the same numbers, so that whatever is derived
  /// from them is the same.
  ///
  /// Functions at top level, and what they contain, do not count: no type lies in them, and no type's members are read
  /// in them.
  func declaresTheSame(as other: NameTable) -> Bool {
    files.count == other.files.count && moduleNames == other.moduleNames && assumedTypes == other.assumedTypes
      && hasSameTargets(as: other) && zip(files, other.files).allSatisfy { $0.declaresTheSame(as: $1) }
  }
}

extension SourceFile {
  fileprivate func declaresTheSame(as other: SourceFile) -> Bool {
    guard path == other.path else { return false }
    // Arrays that share their memory are equal at once.
    if bytes == other.bytes { return true }
    let end = declarations.endOfDeclarations
    guard let locals = locals(before: end), let others = other.locals(before: end) else { return false }
    // The bytes say in which line a declaration stands, and how the cases of enums are spelled.
    return end == other.declarations.endOfDeclarations && bytes.prefix(end) == other.bytes.prefix(end)
      && declarations.withoutFunctions == other.declarations.withoutFunctions && locals == others
  }

  /// The values of names that something declared before an offset can see; nil where some names have too many to be
  /// followed, which is counted for the whole file.
  private func locals(before end: Int) -> [String: [LocalValue]]? {
    guard localValues.values.allSatisfy({ $0.count <= Self.maximumNamesakes }) else { return nil }
    return localValues.mapValues { $0.filter { $0.reach.start < end } }.filter { !$0.value.isEmpty }
  }
}

extension SourceMembers {
  fileprivate var withoutFunctions: SourceMembers {
    var rest = self
    rest.functions = []
    return rest
  }

  /// The end of the last declaration that is no function.
  fileprivate var endOfDeclarations: Int {
    let spans = types.map(\.span) + aliases.map(\.span) + variables.map(\.span) + cases.map(\.span) + macros.map(\.span)
    return spans.map(\.end).max() ?? 0
  }
}
