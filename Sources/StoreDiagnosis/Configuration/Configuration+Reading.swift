import StoreFindings
import StoreScanning
import StoreWords
import StoreSQLite
import StoreDataModel
import StoreYAML

// .storedoctor.yaml                   docs/schemas/config.json
// -----------------
//   version: 1
//   severities: {one-sided-inverse: error}
//   skips:
//     - {check: SD406, entity: Note.folder, reason: older versions wrote one side only}
//   models: [Notes.xcdatamodeld]
//   defaults: {fail-on: warning, examples: 10, opening: staged, integrity: false, unique: [Trip.name],
//              cloudkit: true, entity: [Note], assume: [URL=uri], allow-class: [Signature]}

/// Why a configuration cannot be used.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  /// The file.
  package var path: PosixPath
  /// The line, counted from 1; nil if it concerns the whole file.
  package var line: Int?
  /// The problem and its remedy; lower case, no full stop.
  package var message: String

  /// The sentence shown to people.
  package var description: String {
    let place = line.map { "line \($0): " } ?? ""
    return "cannot follow \(quoted(path.description)): \(place)\(escapedForTerminal(message))"
  }
}

extension Configuration {
  /// The largest file that is read, in bytes.
  private static let maximumSize = 1 << 18

  /// Reads a configuration.
  ///
  /// - Throws: `ConfigurationError`, with the line, for anything ambiguous or meaningless: unknown keys, checks and
  ///   words, repeated keys, a skip without a reason.
  package init(_ path: PosixPath) throws(ConfigurationError) {
    let bytes: [UInt8]
    do throws(FileError) {
      let file = try EvidenceFile(path)
      bytes = try file.read(at: 0, count: Int(clamping: min(file.size, Int64(Self.maximumSize + 1))))
    } catch {
      throw ConfigurationError(path: path, line: nil, message: error.reason)
    }
    try self.init(bytes, path: path)
  }

  /// The same for bytes that were read from `path`.
  package init(_ bytes: [UInt8], path: PosixPath) throws(ConfigurationError) {
    do throws(YAMLError) {
      var limits = YAMLNode.Limits()
      limits.bytes = Self.maximumSize
      self.init(path: path)
      if let document = try YAMLNode.reading(bytes, limits: limits) { try read(document) }
    } catch {
      throw ConfigurationError(path: path, line: error.line, message: error.message)
    }
  }

  private mutating func read(_ document: YAMLNode) throws(YAMLError) {
    let members = try document.members(["version", "severities", "skips", "models", "defaults"])
    if let version = members["version"], try version.count() != 1 {
      throw version.error("the version known here is 1; a newer storedoctor may know more")
    }
    for member in try members["severities"]?.entries() ?? [] {
      try setSeverity(of: member)
    }
    for skip in try members["skips"]?.elements() ?? [] { mutes.append(try Mute(skip)) }
    for model in try members["models"]?.elements() ?? [] { models.append(beside(try model.text())) }
    if let node = members["defaults"] { defaults = try Defaults(node) }
  }

  private mutating func setSeverity(of member: YAMLNode.Member) throws(YAMLError) {
    let id = try checkID(member.name, line: member.line)
    guard severities[id] == nil else {
      throw YAMLError(line: member.line, "check \(id) occurs twice, by its id and by its name")
    }
    if case .text("off", _) = member.value.content {
      throw member.value.error("'off' is no severity; a check is muted under 'skips', with a reason")
    }
    severities[id] = try member.value.word(of: Severity.self)
  }

  /// A path in the file, relative to the file's folder.
  private func beside(_ model: String) -> PosixPath {
    model.hasPrefix("/") ? PosixPath(model) : path.sibling(named: Array(model.utf8))
  }
}

extension Configuration.Mute {
  fileprivate init(_ node: YAMLNode) throws(YAMLError) {
    let members = try node.members(["check", "entity", "reason"])
    guard let check = members["check"] else { throw node.error("a skip names a 'check', by id or name") }
    guard let reason = members["reason"] else { throw node.error("a skip gives a 'reason'") }
    let place = try members["entity"].map { node throws(YAMLError) in try Self.place(node) }
    self.init(
      check: try checkID(try check.text(), line: check.line), entity: place?.entity, property: place?.property,
      reason: try reason.text())
  }

  /// "Note" or "Note.folder"; names of entities contain no dot.
  private static func place(_ node: YAMLNode) throws(YAMLError) -> (entity: String, property: String?) {
    let parts = try node.text().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let entity = parts.first, parts.allSatisfy({ !$0.isEmpty }) else {
      throw node.error("an entity, or an entity and a property as in Note.folder, is expected")
    }
    return (entity, parts.count > 1 ? parts[1] : nil)
  }
}

extension Configuration.Defaults {
  fileprivate init(_ node: YAMLNode) throws(YAMLError) {
    let members = try node.members([
      "fail-on", "examples", "opening", "integrity", "unique", "cloudkit", "entity", "assume", "allow-class",
    ])
    failOn = try members["fail-on"].map { node throws(YAMLError) in try node.word() }
    examples = try members["examples"].map { node throws(YAMLError) in try node.count() }
    opening = try members["opening"].map { node throws(YAMLError) in try node.word() }
    integrity = try members["integrity"].map { node throws(YAMLError) in try node.bool() }
    cloudKit = try members["cloudkit"].map { node throws(YAMLError) in try node.bool() }
    entities = try members["entity"].map { node throws(YAMLError) in try node.texts() }
    if let types = members["assume"] {
      assume = try types.elements().map { node throws(YAMLError) in
        guard let type = AssumedType(try node.text()) else {
          throw node.error(
            "a type and what it is stored as are expected, as in URL=uri; it can be "
              + AssumedType.words.map(\.word).joined(separator: ", "))
        }
        return type
      }
    }
    if let classes = members["allow-class"] {
      var allowed = AllowedClasses()
      for node in try classes.elements() where !allowed.add(try node.text()) {
        throw node.error("a class, or a transformer and a class, is expected, as in ColorTransformer=UIColor")
      }
      allowedClasses = allowed
    }
    guard let keys = members["unique"] else { return }
    var unique: [UniqueKey] = []
    for key in try keys.elements() {
      guard let parsed = UniqueKey(try key.text()) else {
        throw key.error("an entity and its attributes are expected, as in Trip.name,startDate")
      }
      unique.append(parsed)
    }
    self.unique = unique
  }
}

private func checkID(_ name: String, line: Int) throws(YAMLError) -> String {
  guard let check = CheckWords.named(name) else {
    throw YAMLError(
      line: line,
      "there is no check '\(name)'\(didYouMean(name, among: CheckWords.all.map(\.name))); they are called like SD401 or "
        + "dangling-reference")
  }
  return check.id
}
