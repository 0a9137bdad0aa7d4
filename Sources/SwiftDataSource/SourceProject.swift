import StoreDataModel
import StoreSwiftDataSchemas

/// Parsed source: the files that concern SwiftData, and their names.
package struct SourceProject: Sendable {
  /// The parsed files, by path.
  package let files: [SourceFile]
  package let names: NameTable
  /// The number of files examined.
  package let fileCount: Int
  /// Problems of reading.
  package let problems: [SourceProblem]
  /// Files around the source; empty unless asked for.
  package let surroundings: ProjectFiles
  private let defines: BuildDefines
  /// Whether all files that concern models were parsed.
  private let isWhole: Bool

  /// Reads files and folders.
  ///
  /// - Parameters:
  ///   - defines: what `#if` names are: `DEBUG`, `BETA=false`.
  ///   - looksAround: whether tests and entitlements are looked at too, not just what says which file is of which target.
  /// - Throws: ``SourceFileError`` for a path that is not there, or more source than the limits allow.
  package init(
    paths: [String], defines: [String] = [], limits: SourceLimits = SourceLimits(), looksAround: Bool = false
  ) throws(SourceFileError) {
    let found = try SourceFiles(paths, limits: limits)
    self.init(
      found.files, defines: defines, problems: found.problems,
      surroundings: ProjectFiles(around: paths, kinds: looksAround ? nil : [.manifest, .buildSettings]),
      parsedBytes: limits.parsedBytes)
    guard isWhole else {
      throw SourceFileError(
        paths.first ?? "",
        "more than \(limits.parsedBytes) bytes in files that mention SwiftData; give the folders with the models")
    }
  }

  /// Source in memory, as paths with texts; files that are not source count as surroundings.
  package init(texts: [String: String], defines: [String] = []) {
    let files = texts.sorted { $0.key < $1.key }.map { FoundFile(path: $0.key, bytes: Array($0.value.utf8)) }
    self.init(
      files.filter { ProjectFiles.kind(of: $0.path) == nil }, defines: defines, problems: [],
      surroundings: ProjectFiles(texts: files))
  }

  /// One of several states of a project, such as its commits.
  ///
  /// - Parameters:
  ///   - files: Swift files, manifests and build settings.
  ///   - known: what was made of files of the states before.
  /// - Throws: ``SourceFileError`` for more source than the limits allow.
  init(state files: [FoundFile], defines: [String], limits: SourceLimits, known: KnownFiles) throws(SourceFileError) {
    let own = files.filter { !$0.isIn { FoundFile.isHidden($0) } }
    let around = own.filter { ProjectFiles.kind(of: $0.path) != nil && !$0.isIn(ProjectFiles.foreign.contains) }
    self.init(
      own.filter { ProjectFiles.kind(of: $0.path) == nil }, defines: defines, problems: [],
      surroundings: ProjectFiles(texts: around), parsedBytes: limits.parsedBytes, known: known)
    guard isWhole else {
      throw SourceFileError("Swift source", "more than \(limits.parsedBytes) bytes in files that mention SwiftData")
    }
  }

  /// The most rounds of parsing files that others refer to.
  private static let maximumRounds = 16

  init(
    _ sources: [FoundFile], defines: [String], problems: [SourceProblem], surroundings: ProjectFiles = ProjectFiles(),
    parsedBytes: Int = .max, known: KnownFiles = KnownFiles()
  ) {
    let assumedTypes = AssumedType.all(in: defines)
    let defines = BuildDefines(defines)
    self.defines = defines
    self.surroundings = surroundings
    let deep = known.each(sources, part: \.isTooDeep) { onLargeStacks($0) { SourceNesting.isTooDeep($0.bytes) } }
    let tooDeep = zip(sources, deep).filter(\.1).map { file, _ in
      SourceProblem(
        "'\(file.path)' is left out: brackets, key paths, generics or #if nested too deep to be parsed in time")
    }
    let sources = zip(sources, deep).filter { !$1 }.map(\.0)
    let words = known.each(sources, part: \.words) { onLargeStacks($0) { SourceWords($0.bytes) } }
    var declaring: [String: [Int]] = [:]
    for (position, words) in words.enumerated() {
      for name in words.declaredNames { declaring[name, default: []].append(position) }
    }
    var parsed: [Int: SourceFile] = [:]
    var tooSlow: Set<Int> = []
    var wanted = words.indices.filter { words[$0].usesSwiftData || words[$0].removesFiles }
    var table = NameTable(files: [])
    var remainingBytes = parsedBytes
    let targets = SourceTargets(projects: surroundings.buildSettings, manifests: surroundings.manifests)
    for _ in 0..<Self.maximumRounds where !wanted.isEmpty {
      remainingBytes -= wanted.reduce(0) { $0 + sources[$1].bytes.count }
      guard remainingBytes >= 0 else { break }
      let made = known.each(wanted.map { sources[$0] }, part: \.parsed) { SourceFile.parsed($0, defines: defines) }
      for (position, file) in zip(wanted, made) {
        parsed[position] = file?.at(sources[position].path)
        if file == nil { tooSlow.insert(position) }
      }
      table = NameTable(files: parsed.sorted { $0.key < $1.key }.map(\.value), targets: targets)
      let referenced = ReferencedNames.all(in: table).flatMap { declaring[$0] ?? [] }
      wanted = Set(referenced).filter { parsed[$0] == nil && !tooSlow.contains($0) }.sorted()
    }
    isWhole = remainingBytes >= 0
    table.assumedTypes = assumedTypes
    names = table
    files = table.files
    fileCount = sources.count + tooDeep.count
    let broken = table.files.filter(\.hasError).map { file in
      SourceProblem("'\(file.path)' has syntax errors; what is declared there may be incomplete")
    }
    let slow = tooSlow.sorted().map { position in
      SourceProblem("'\(sources[position].path)' is left out: not parsed in \(SourceFile.secondsOfParsing) seconds")
    }
    self.problems = problems + tooDeep + slow + broken
  }

  // MARK: Contents

  /// The `@Model` classes.
  package var models: [TypeID] { names.types.filter(\.isModel).map(\.id) }
  /// The types that conform to `VersionedSchema`.
  package var versions: [TypeID] { types(conformingTo: "VersionedSchema") }
  /// The types that conform to `SchemaMigrationPlan`.
  package var plans: [TypeID] { types(conformingTo: "SchemaMigrationPlan") }

  private func types(conformingTo name: String) -> [TypeID] {
    let protocols = names.refinements(of: name)
    return names.types.filter { $0.kind != .protocol && $0.kind != .extension && $0.conforms(toAnyOf: protocols) }
      .map(\.id)
  }

  /// The `@Model` classes that are in no version, nor in an extension of one.
  package var liveModels: [TypeID] {
    let protocols = names.refinements(of: "VersionedSchema")
    return models.filter { id in
      var current = names[id].parent
      while let parent = current {
        if names[parent].conforms(toAnyOf: protocols) { return false }
        current = names[parent].parent
      }
      return true
    }
  }

  /// Test code that makes containers, with the names visible to it. It is kept apart, so that a test's class is not
  /// taken for one of the app.
  package var testCode: TestCode {
    let tests = surroundings.tests.filter { SourceWords.mentionsContainer($0.bytes) }
    return TestCode(own: files, tests: SourceFile.around(tests, defines: defines))
  }

  /// The stages of a plan with their syntax.
  package func stages(of plan: TypeID) -> [StageDeclaration] { PlanReader(table: names).plan(plan).stages }
}

/// Files of tests, and the names visible to them: the project's and their own.
package struct TestCode: Sendable {
  package let names: NameTable
  /// The numbers of the test files.
  package let files: Range<Int>

  init(own: [SourceFile], tests: [SourceFile]) {
    names = NameTable(files: own + tests)
    files = own.count..<(own.count + tests.count)
  }
}

extension SourceFile {
  /// The most bytes that are parsed at a time; syntax trees take up to two hundred times as much.
  private static let bytesAtOnce = 4 << 20

  /// The time limit for parsing a file. A file of 4 MiB takes some seconds.
  fileprivate static let secondsOfParsing = 60

  /// Files around the source, parsed; without those that cannot be parsed in time.
  package static func around(_ files: [FoundFile], defines: BuildDefines = BuildDefines()) -> [SourceFile] {
    parsed(files.filter { !SourceNesting.isTooDeep($0.bytes) }, defines: defines).compactMap(\.self)
  }

  /// Parses files that are not nested too deeply; nil for those that take too long.
  fileprivate static func parsed(_ files: [FoundFile], defines: BuildDefines) -> [SourceFile?] {
    let atOnce = bytesAtOnce / max(1, files.map(\.bytes.count).max() ?? 0)
    return onLargeStacks(files, most: atOnce, eachWithin: .seconds(secondsOfParsing)) {
      SourceFile(path: $0.path, bytes: $0.bytes, defines: defines)
    }
  }
}
