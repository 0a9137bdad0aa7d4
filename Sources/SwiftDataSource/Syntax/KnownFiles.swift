/// Results that depend on nothing but a file's own bytes, so that states of a project, of which most files
/// are equal, share them.
///
/// It holds the files of the last state and of the one that is being read: twice what one state takes, at most.
final class KnownFiles {
  /// The values made of one file.
  struct File {
    var bytes: [UInt8]
    var isTooDeep: Bool?
    var words: SourceWords?
    /// Nil inside for a file that took too long.
    var parsed: SourceFile??
  }

  private var files: [String: File] = [:]

  /// The bytes of a file of the last state.
  func bytes(of content: String) -> [UInt8]? { files[content]?.bytes }

  /// The result of `make` for each file; it is called only for files whose result is not known.
  func each<Made>(
    _ all: [FoundFile], part: WritableKeyPath<File, Made?>, make: ([FoundFile]) -> [Made]
  ) -> [Made] {
    func known(_ file: FoundFile) -> Made? { file.content.flatMap { files[$0]?[keyPath: part] } }
    let found = all.map(known)
    let new = zip(all, found).filter { $0.1 == nil }.map(\.0)
    let made = make(new)
    for (file, made) in zip(new, made) {
      guard let content = file.content else { continue }
      files[content, default: File(bytes: file.bytes)][keyPath: part] = made
    }
    var rest = made.makeIterator()
    return found.compactMap { $0 ?? rest.next() }
  }

  /// Keeps these files, also those of which nothing was made, and forgets all others.
  func keep(_ kept: [FoundFile]) {
    var rest: [String: File] = [:]
    for file in kept {
      guard let content = file.content else { continue }
      rest[content] = files[content] ?? File(bytes: file.bytes)
    }
    files = rest
  }
}
