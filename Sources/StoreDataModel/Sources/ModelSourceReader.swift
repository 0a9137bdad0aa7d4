import StoreJSON
import StorePropertyLists
import StoreText

/// Finds out what is at a path and reads it.
struct ModelSourceReader {
  var files: ModelFiles
  /// The only version to read; nil for all.
  var version: String?

  /// The most versions of one bundle; the most seen is about a hundred.
  static let maximumVersions = 1_000

  mutating func read() throws(ModelSourceError) -> ModelSource {
    let source = try files.kind == .file ? readFile() : readFolder()
    guard let version else { return source }
    return try source.only(version)
  }

  // MARK: Files

  private mutating func readFile() throws(ModelSourceError) -> ModelSource {
    if files.path.hasSuffix(".swift") { throw ModelSourceError(files.path, .swiftSource, message: Self.swiftSource) }
    return try Self.source(of: try files.read(), path: files.path)
  }

  /// The model in the bytes of one file; its name is derived from the path.
  static func source(of bytes: [UInt8], path: String) throws(ModelSourceError) -> ModelSource {
    let name = stem(of: path)
    switch ModelContent(of: bytes) {
    case .propertyList: return single(.compiled, version: version(named: name, path, model: try model(of: bytes, path)))
    case .xcodeModel:
      return single(.xcode, version: version(named: name, at: path, xcode: try xcodeModel(of: bytes, path)))
    case .json: return try document(bytes, at: path)
    case .xcodeMapping: throw ModelSourceError(path, .mappingModel, message: mappingModel)
    case .optimised:
      throw ModelSourceError(path, .unsupported, message: "an optimised model (.omo); give the '.mom' file beside it")
    case .database: throw .database(path)
    case .other: throw ModelSourceError(path, .unsupported, message: "not a model that is known here")
    }
  }

  private static func document(_ bytes: [UInt8], at path: String) throws(ModelSourceError) -> ModelSource {
    let document: ModelDocument
    do {
      document = try ModelDocument(bytes)
    } catch {
      throw ModelSourceError(path, .damaged, message: error.description)
    }
    let versions = document.versions.map { version(named: $0.name, path, model: $0.model) }
    return bundle(.json, at: path, versions: versions, current: document.currentVersion, named: [])
  }

  private static let swiftSource = "Swift source, which 'storedoctor-swiftdata' reads"

  private static let mappingModel =
    "a mapping model, which describes no model; give the models it maps between, and it by --mapping, or to "
    + "'storedoctor model match'"

  private func unsupported(_ message: String) -> ModelSourceError {
    ModelSourceError(files.path, .unsupported, message: message)
  }

  /// The name of the model at the path: "Notes 2" of `Notes 2.xcdatamodel/contents`, "Notes" of `a/Notes.mom`.
  private static func stem(of path: String) -> String {
    let parts = path.split(separator: "/")
    guard let last = parts.last else { return path }
    let isContents = last == "contents" && parts.dropLast().last?.hasSuffix(".xcdatamodel") == true
    let name = isContents ? parts.dropLast().last ?? last : last
    for ending in [".mom", ".momd", ".xcdatamodel", ".xcdatamodeld", ".json"] where name.hasSuffix(ending) {
      return String(name.dropLast(ending.count))
    }
    return String(name)
  }

  private static func single(_ format: ModelSource.Format, version: ModelSource.Version) -> ModelSource {
    ModelSource(
      path: version.path, format: format, versions: [version], currentVersionName: version.name,
      missingVersionNames: [])
  }

  private static func version(named name: String, _ path: String, model: Model) -> ModelSource.Version {
    ModelSource.Version(name: name, path: path, model: model.from(path, version: name))
  }

  private static func version(named name: String, at path: String, xcode: XcodeModel) -> ModelSource.Version {
    ModelSource.Version(name: name, path: path, model: xcode.model.from(path, version: name), unknown: xcode.unknown)
  }

  private static func model(of bytes: [UInt8], _ path: String) throws(ModelSourceError) -> Model {
    let archive = try archive(of: bytes, path)
    if MappingModelReader.isMappingModel(archive) { throw ModelSourceError(path, .mappingModel, message: mappingModel) }
    do {
      return try ModelArchive.model(from: archive)
    } catch {
      throw ModelSourceError(path, .damaged, message: error.description)
    }
  }

  private static func archive(of bytes: [UInt8], _ path: String) throws(ModelSourceError) -> KeyedArchive {
    let list = try propertyList(of: bytes, path)
    if list.root["NSManagedObjectModel_VersionHashes"] != nil {
      throw ModelSourceError(path, .unsupported, message: "a list of versions; give the '.momd' folder it is in")
    }
    do {
      return try KeyedArchive(list)
    } catch {
      throw ModelSourceError(path, .damaged, message: error.description)
    }
  }

  private static func propertyList(of bytes: [UInt8], _ path: String) throws(ModelSourceError) -> PropertyList {
    do {
      return try PropertyList(bytes)
    } catch {
      throw ModelSourceError(path, .damaged, message: error.description)
    }
  }

  private static func xcodeModel(of bytes: [UInt8], _ path: String) throws(ModelSourceError) -> XcodeModel {
    if bytes.isEmpty { throw ModelSourceError(path, .damaged, message: "an empty file, in which there is no model") }
    do {
      return try XcodeModel(bytes)
    } catch {
      throw ModelSourceError(path, .damaged, message: error.description)
    }
  }

  // MARK: Folders

  private mutating func readFolder() throws(ModelSourceError) -> ModelSource {
    let names = try files.names()
    if names.contains("contents") { return try readXcodeFolder() }
    let compiled = names.filter { $0.hasSuffix(".mom") }
    if !compiled.isEmpty { return try readCompiledBundle(compiled) }
    let models = names.filter { $0.hasSuffix(".xcdatamodel") }
    if !models.isEmpty { return try readXcodeBundle(models) }
    if names.contains(where: { $0.hasSuffix(".swift") || $0.hasSuffix(".xcodeproj") }) {
      throw ModelSourceError(files.path, .swiftSource, message: Self.swiftSource)
    }
    if names.contains("xcmapping.xml") { throw ModelSourceError(files.path, .mappingModel, message: Self.mappingModel) }
    throw unsupported(Self.explanation(of: names))
  }

  private static func explanation(of names: [String]) -> String {
    if names.contains(where: { $0.hasSuffix(".omo") }) {
      return "a folder of optimised models (.omo) without the '.mom' files beside them"
    }
    if names.contains("elements") {
      return
        "a model as Xcode 3 kept it (binary 'elements', no 'contents'), which is not read; an Xcode that still opens "
        + "it saves it in the newer form, and the app's compiled model ('.mom') and stores of later systems tell the same"
    }
    if names.allSatisfy({ $0.hasPrefix(".") }) {
      return "an empty folder, without a model in it (Xcode writes the 'contents' of a new one when it is first saved)"
    }
    return "a folder without a model in it (no '.mom', no '.xcdatamodel', no 'contents')"
  }

  private mutating func readXcodeFolder() throws(ModelSourceError) -> ModelSource {
    let xcode = try Self.xcodeModel(of: try files.read("contents"), files.shown("contents"))
    return Self.single(.xcode, version: Self.version(named: Self.stem(of: files.path), at: files.path, xcode: xcode))
  }

  private mutating func readXcodeBundle(_ names: [String]) throws(ModelSourceError) -> ModelSource {
    let versions = try readVersions(
      try ordered(names, ending: ".xcdatamodel"), ending: ".xcdatamodel", inner: "contents"
    ) {
      name, path, bytes throws(ModelSourceError) in
      Self.version(named: name, at: path, xcode: try Self.xcodeModel(of: bytes, path + "/contents"))
    }
    return Self.bundle(.xcodeBundle, at: files.path, versions: versions, current: try currentXcodeVersion(), named: [])
  }

  private mutating func readCompiledBundle(_ names: [String]) throws(ModelSourceError) -> ModelSource {
    let info = try versionInfo()
    let versions = try readVersions(try ordered(names, ending: ".mom"), ending: ".mom") {
      name, path, bytes throws(ModelSourceError) in
      var version = Self.version(named: name, path, model: try Self.model(of: bytes, path))
      version.recorded = info.recorded(for: name)
      return version
    }
    return Self.bundle(
      .compiledBundle, at: files.path, versions: versions, current: info.currentName, named: info.names)
  }

  /// How many files are read before they are decoded together, so that a large bundle is never completely in memory.
  private static let batchSize = 16

  /// Reads files one by one and decodes them concurrently. An unreadable version does not affect the others; it is
  /// listed with its failure.
  ///
  /// - Parameter inner: the file within a version, if that is a folder.
  /// - Throws: `ModelSourceError` of the first version if none can be read, or if the bundle is too large.
  private mutating func readVersions(
    _ names: [String], ending: String, inner: String? = nil,
    decode: @Sendable (_ name: String, _ path: String, [UInt8]) throws(ModelSourceError) -> ModelSource.Version
  ) throws(ModelSourceError) -> [ModelSource.Version] {
    var versions: [ModelSource.Version] = []
    var rest = names[...]
    while !rest.isEmpty {
      var batch: [(name: String, path: String, bytes: Result<[UInt8], ModelSourceError>)] = []
      for name in rest.prefix(Self.batchSize) {
        batch.append((name, files.shown(name + ending), try content(of: name + ending, inner)))
      }
      rest = rest.dropFirst(batch.count)
      versions += try concurrently(batch) { item throws(ModelSourceError) in
        do throws(ModelSourceError) {
          return try decode(item.name, item.path, try item.bytes.get())
        } catch {
          return try ModelSource.Version(unreadable: item.name, item.path, error)
        }
      }
    }
    if let first = versions.first?.failure, versions.allSatisfy({ $0.failure != nil }) { throw first }
    return versions
  }

  /// The bytes of a version, or why they could not be read.
  ///
  /// - Throws: `ModelSourceError` if the whole bundle is refused.
  private mutating func content(
    of name: String, _ inner: String?
  ) throws(ModelSourceError) -> Result<[UInt8], ModelSourceError> {
    do throws(ModelSourceError) {
      return .success(try files.read(inner.map { "\(name)/\($0)" } ?? name))
    } catch {
      if error.path == files.path { throw error }
      guard error.kind == .missing, inner != nil, let names = try? files.names(in: name) else { return .failure(error) }
      return .failure(ModelSourceError(files.shown(name), .unsupported, message: Self.explanation(of: names)))
    }
  }

  private static func bundle(
    _ format: ModelSource.Format, at path: String, versions: [ModelSource.Version], current: String?, named: [String]
  ) -> ModelSource {
    let there = Set(versions.map(\.name))
    let missing = Set(named + [current].compactMap(\.self)).subtracting(there)
    return ModelSource(
      path: path, format: format, versions: versions,
      currentVersionName: current ?? (versions.count == 1 ? versions.first?.name : nil),
      missingVersionNames: missing.sorted(by: versionNamesPrecede))
  }

  private func ordered(_ names: [String], ending: String) throws(ModelSourceError) -> [String] {
    guard names.count <= Self.maximumVersions else {
      throw ModelSourceError(
        files.path, .refused, message: "\(names.count) versions, more than \(Self.maximumVersions)")
    }
    let all = names.map { String($0.dropLast(ending.count)) }.sorted(by: versionNamesPrecede)
    guard let version else { return all }
    // Other versions are not read at all.
    guard let wanted = all.first(where: { $0 == version }) else { throw .noVersion(version, in: all, of: files.path) }
    return [wanted]
  }

  // MARK: Which version is current

  /// `.xccurrentversion`: a property list whose `_XCCurrentVersionName` is "Notes 2.xcdatamodel".
  private mutating func currentXcodeVersion() throws(ModelSourceError) -> String? {
    guard let list = try propertyList(".xccurrentversion") else { return nil }
    guard let name = list.root["_XCCurrentVersionName"]?.string else { return nil }
    return name.hasSuffix(".xcdatamodel") ? String(name.dropLast(".xcdatamodel".count)) : name
  }

  private mutating func versionInfo() throws(ModelSourceError) -> VersionInfo {
    guard let list = try propertyList("VersionInfo.plist") else { return VersionInfo() }
    return VersionInfo(list)
  }

  private mutating func propertyList(_ name: String) throws(ModelSourceError) -> PropertyList? {
    guard try files.kind(of: name) != nil else { return nil }
    return try Self.propertyList(of: try files.read(name), files.shown(name))
  }
}

extension Model {
  /// The model with its origin.
  package func from(_ path: String, version: String) -> Model {
    var model = self
    model.origin = ModelOrigin(path: path, version: version)
    return model
  }
}

extension ModelSource {
  /// The source reduced to one version, as if the app used that one; or to one of its plans, by name.
  package func only(_ name: String) throws(ModelSourceError) -> ModelSource {
    let wanted = versions.filter { $0.name == name }
    if wanted.isEmpty, let plan = plans.first(where: { $0.name == name }) { return choosing(plan) }
    guard !wanted.isEmpty else { throw .noVersion(name, in: versions.map(\.name) + plans.map(\.name), of: path) }
    return ModelSource(
      path: path, format: format, versions: wanted, currentVersionName: name, missingVersionNames: [])
  }
}

extension ModelSource {
  /// The source of an app that uses one of several plans: only the versions of that plan, in its order.
  package func choosing(_ plan: Plan) -> ModelSource {
    var source = ModelSource(
      path: path, format: format,
      versions: plan.versions.compactMap { name in versions.first { $0.name == name } },
      currentVersionName: plan.versions.last,
      missingVersionNames: plan.versions.filter { name in !versions.contains { $0.name == name } }, plan: plan,
      currentBasis: "the last version of '\(plan.name)'")
    source.plans = plans
    return source
  }

  /// Whether it has several plans and none is chosen.
  package var hasUnchosenPlans: Bool { plan == nil && plans.count > 1 && versions.count > 1 }

  /// The error asking to name one of its plans.
  package var unchosenPlans: ModelSourceError {
    let names = plans.map { "'\($0.name)'" }.joined(separator: ", ")
    return ModelSourceError(
      path, .unsupported,
      message:
        "several migration plans (\(names)); name one behind '#', as in '\(path)#\(plans.first?.name ?? "")', or with "
        + "--migration-plan where a store is given")
  }
}

/// The kind of a file, according to its first bytes.
enum ModelContent {
  case propertyList
  case xcodeMapping
  case xcodeModel
  case json
  case optimised
  case database
  case other

  init(of bytes: [UInt8]) {
    let head = bytes.prefix(4096)
    if head.starts(with: "bplist".utf8) {
      self = .propertyList
    } else if head.starts(with: "momv2$".utf8) {
      self = .optimised
    } else if head.starts(with: "SQLite format 3\0".utf8) {
      self = .database
    } else {
      self = Self(markup: head)
    }
  }

  /// In UTF-16 every second byte of a tag is 0; zero bytes are dropped.
  private init(markup head: ArraySlice<UInt8>) {
    let text = String(decoding: head.filter { $0 != 0 }, as: UTF8.self)
    let start = text.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" || $0 == "\u{FFFD}" }
    switch start.first {
    // The metadata of a mapping model, which is an XML store, contain a property list.
    case "<":
      if text.contains("<database") {
        self = .xcodeMapping
      } else if text.contains("<plist") {
        self = .propertyList
      } else {
        self = .xcodeModel
      }
    case "{": self = .json
    case _: self = .other
    }
  }
}
