import SwiftDataSchemas

/// Parsed source: the files that have to do with SwiftData, and the names in them.
package struct SourceProject: Sendable {
  /// The parsed files, by path.
  package let files: [SourceFile]
  package let names: NameTable
  /// Files that were looked at.
  package let fileCount: Int
  /// What could not be read.
  package let problems: [SourceProblem]
  /// Whether all files that have to do with models were parsed.
  private let isWhole: Bool

  /// Reads files and folders.
  ///
  /// - Parameter defines: what `#if` names are: `DEBUG`, `BETA=false`.
  /// - Throws: ``SourceFileError`` for a path that is not there, or more source than the limits allow.
  package init(
    paths: [String], defines: [String] = [], limits: SourceLimits = SourceLimits()
  ) throws(SourceFileError) {
    let found = try SourceFiles(paths, limits: limits)
    self.init(found.files, defines: defines, problems: found.problems, parsedBytes: limits.parsedBytes)
    guard isWhole else {
      throw SourceFileError(
        paths.first ?? "",
        "more than \(limits.parsedBytes) bytes in files that mention SwiftData; give the folders with the models")
    }
  }

  /// Source that is at hand: paths with texts.
  package init(texts: [String: String], defines: [String] = []) {
    let files = texts.sorted { $0.key < $1.key }.map { SourceFiles.File(path: $0.key, bytes: Array($0.value.utf8)) }
    self.init(files, defines: defines, problems: [])
  }

  /// Rounds of looking for names that files already parsed refer to.
  private static let maximumRounds = 16
  /// Bytes that are parsed at once: their trees take up to two hundred times as many.
  private static let bytesAtOnce = 4 << 20

  init(
    _ sources: [SourceFiles.File], defines: [String], problems: [SourceProblem], parsedBytes: Int = .max
  ) {
    let defines = BuildDefines(defines)
    let deep = onLargeStacks(sources) { SourceNesting($0.bytes).isTooDeep }
    let tooDeep = zip(sources, deep).filter(\.1).map { file, _ in
      SourceProblem("'\(file.path)' is left out: lists, key paths or #if nested too deep to be parsed in time")
    }
    let sources = zip(sources, deep).filter { !$1 }.map(\.0)
    let words = onLargeStacks(sources) { SourceWords($0.bytes) }
    var declaring: [String: [Int]] = [:]
    for (position, words) in words.enumerated() {
      for name in words.declaredNames { declaring[name, default: []].append(position) }
    }
    var parsed: [Int: SourceFile] = [:]
    var wanted = words.indices.filter { words[$0].usesSwiftData }
    var table = NameTable(files: [])
    var remainingBytes = parsedBytes
    for _ in 0..<Self.maximumRounds where !wanted.isEmpty {
      remainingBytes -= wanted.reduce(0) { $0 + sources[$1].bytes.count }
      guard remainingBytes >= 0 else { break }
      let largest = wanted.map { sources[$0].bytes.count }.max() ?? 0
      let made = onLargeStacks(wanted.map { sources[$0] }, most: Self.bytesAtOnce / max(1, largest)) {
        SourceFile(path: $0.path, bytes: $0.bytes, defines: defines)
      }
      for (position, file) in zip(wanted, made) { parsed[position] = file }
      table = NameTable(files: parsed.sorted { $0.key < $1.key }.map(\.value))
      let referenced = ReferencedNames.all(in: table).flatMap { declaring[$0] ?? [] }
      wanted = Set(referenced).filter { parsed[$0] == nil }.sorted()
    }
    isWhole = remainingBytes >= 0
    names = table
    files = table.files
    fileCount = sources.count + tooDeep.count
    let broken = table.files.filter(\.hasError).map { file in
      SourceProblem("'\(file.path)' has syntax errors; what is declared there may be incomplete")
    }
    self.problems = problems + tooDeep + broken
  }

  // MARK: What is in it

  /// The `@Model` classes.
  package var models: [TypeID] { names.types.filter(\.isModel).map(\.id) }
  /// The types that conform to `VersionedSchema`.
  package var versions: [TypeID] { types(conformingTo: "VersionedSchema") }
  /// The types that conform to `SchemaMigrationPlan`.
  package var plans: [TypeID] { types(conformingTo: "SchemaMigrationPlan") }

  private func types(conformingTo name: String) -> [TypeID] {
    names.types.filter { $0.kind != .protocol && $0.kind != .extension && $0.conforms(to: name) }.map(\.id)
  }

  /// Whether a class stands in a version, or in an extension of one.
  package func isLive(_ id: TypeID) -> Bool {
    var current = names[id].parent
    while let parent = current {
      if names[parent].conforms(to: "VersionedSchema") { return false }
      current = names[parent].parent
    }
    return true
  }

  /// The stages of a plan with their syntax.
  package func stages(of plan: TypeID) -> [StageDeclaration] { PlanReader(table: names).plan(plan).stages }
}
