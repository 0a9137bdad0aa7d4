import StoreSystem

/// Reads objects one after the other through `git cat-file --batch`.
struct GitObjects {
  let path: String
  let git: ChildProcess

  /// An object's content.
  enum Answer {
    case content([UInt8])
    /// Not in the repository: a shallow or partial clone.
    case missing
    case tooLarge(bytes: Int64)
  }

  /// The content of an object, which may have `limit` bytes.
  ///
  /// `<object> <type> <size> LF <content> LF`, or `<object> missing LF`.
  func read(_ id: GitObjectID, limit: Int) throws -> Answer {
    do {
      try git.write(Array("\(id)\n".utf8))
      let head = try git.read(until: UInt8(ascii: "\n"), atMost: 1 << 12) ?? []
      let words = String(decoding: head, as: UTF8.self).split(separator: " ")
      guard words.count == 3, let size = Int64(words[2]), size >= 0 else { return .missing }
      guard size <= limit else {
        try git.skip(count: size + 1)
        return .tooLarge(bytes: size)
      }
      let content = try git.read(count: Int(size))
      try git.skip(count: 1)
      return .content(content)
    } catch let failure as ChildProcess.Failure {
      throw GitError(path: path, message: "git \(failure.message)")
    }
  }

  /// A commit as people know it.
  ///
  ///     tree ...
  ///     author Name <address> 1700000000 +0100
  ///     committer Name <address> 1700000000 +0100
  ///
  ///     Subject
  func commit(_ id: GitObjectID) throws -> HistoryMatch.Commit {
    guard case .content(let bytes) = try read(id, limit: 1 << 20) else {
      return HistoryMatch.Commit(id: id.description, time: nil, subject: "")
    }
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", maxSplits: 200, omittingEmptySubsequences: false)
    let head = lines.prefix { !$0.isEmpty }
    let time = head.first { $0.hasPrefix("committer ") }?.split(separator: " ").dropLast().last.flatMap { Int64($0) }
    let subject = lines.dropFirst(head.count + 1).first { !$0.isEmpty }.map(String.init) ?? ""
    return HistoryMatch.Commit(id: id.description, time: time, subject: String(subject.prefix(200)))
  }
}
