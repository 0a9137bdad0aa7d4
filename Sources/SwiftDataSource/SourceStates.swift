import StoreSwiftDataSchemas

/// States of one project, such as its commits, read one after the other. A file that several states have is parsed once,
/// as long as it is in each of them, and entities are derived once for states that declare the same one after the other.
package final class SourceStates {
  private let folder: String
  private let defines: [String]
  private let limits: SourceLimits
  private let known = KnownFiles()
  private let derived = KnownDerivations()
  /// How many lists of classes were derived, and not known from the state before.
  package var derivedLists: Int { derived.derivedLists }

  /// - Parameter folder: where the states lie.
  package init(folder: String, defines: [String], limits: SourceLimits = SourceLimits()) {
    self.folder = folder
    self.defines = defines
    self.limits = limits
  }

  /// Reads a state.
  ///
  /// - Parameter name: the name of its file. In it stands for each file of the project, one after the other,
  ///   `<name of its content> <count> <path> NUL` and so many bytes; "-" for the count, and no bytes, where the state
  ///   before has a file with that content.
  /// - Throws: ``SourceFileError`` where it cannot be read, or more source than the limits allow.
  package func read(_ name: String) throws(SourceFileError) -> SourceReading {
    guard !name.contains("/") else { throw SourceFileError(name, "it lies in another folder") }
    let files = try files(in: try FoundFile.bytes(of: folder + "/" + name, shown: name, limit: limits.bytes), of: name)
    defer { known.keep(files) }
    let project = try SourceProject(state: files, defines: defines, limits: limits, known: known)
    derived.begin(project.names)
    return project.read(derived).reading
  }

  private func files(in state: [UInt8], of name: String) throws(SourceFileError) -> [FoundFile] {
    var files: [FoundFile] = []
    var contents: [String: [UInt8]] = [:]
    var rest = state[...]
    while let end = rest.firstIndex(of: 0) {
      let head = rest[..<end].split(separator: UInt8(ascii: " "), maxSplits: 2).map {
        String(decoding: $0, as: UTF8.self)
      }
      rest = rest[(end + 1)...]
      guard head.count == 3, files.count < limits.files else { throw SourceFileError(name, "no state of a project") }
      let (content, path) = (head[0], head[2])
      var bytes = contents[content] ?? known.bytes(of: content)
      if head[1] != "-" {
        guard let count = Int(head[1]), count >= 0, count <= rest.count else {
          throw SourceFileError(name, "no state of a project")
        }
        bytes = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      guard let bytes else { throw SourceFileError(path, "its content is missing") }
      contents[content] = bytes
      files.append(FoundFile(path: path, bytes: bytes, content: content))
    }
    return files.sorted { $0.path < $1.path }
  }
}
