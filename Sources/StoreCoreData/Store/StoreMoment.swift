import StoreSQLite

/// A commit of a store's write-ahead log, as of which it is read.
package struct StoreMoment: Sendable, Equatable {
  /// Counted from 1; 0 for the store before the first.
  package var commit: Int
  /// How many commits the log has.
  package var commits: Int

  /// "commit 3 of 7".
  package var words: String { "commit \(commit) of \(commits)" }
}

/// A store's file, and the commit that `STORE@3` names with it.
package struct StoreReference {
  /// The path without the commit.
  package let file: PosixPath
  /// The commit; nil where none is named.
  package let commit: Int?

  /// Takes "@3" for a commit only where nothing has the whole name, and something has the name before it.
  package init(_ path: PosixPath) {
    file = Self.split(path)?.file ?? path
    commit = Self.split(path)?.commit
  }

  private static func split(_ path: PosixPath) -> (file: PosixPath, commit: Int)? {
    guard let at = path.bytes.lastIndex(of: UInt8(ascii: "@")), at > 0 else { return nil }
    let digits = path.bytes[(at + 1)...]
    guard !digits.isEmpty, digits.count <= 9,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let commit = Int(String(decoding: digits, as: UTF8.self)), FileSystem.sight(of: path) == .nothing
    else { return nil }
    let file = PosixPath(bytes: Array(path.bytes[..<at]))
    return FileSystem.kind(of: file) == nil ? nil : (file, commit)
  }
}

/// Why a store cannot be read as of a commit.
struct CommitRefusal: Error, CustomStringConvertible {
  let why: String

  var description: String { why }

  init(_ why: String) { self.why = why }
}

extension WALFacts {
  /// Why a commit of this log cannot be read; nil if it can.
  func refusal(ofCommit commit: WALHistory.Commit, last: Int) -> String? {
    guard isReadable else {
      return "its write-ahead log cannot be read together with the main file: \(reasons.joined(separator: "; "))"
    }
    // The last commit is what reading without a commit shows, with the same doubt said.
    if hasDoubt, commit.number < last {
      return "its write-ahead log may be from another time than the main file: \(reasons.joined(separator: "; "))"
    }
    return commit.refusal?.why
  }
}

extension WALHistory.Refusal {
  /// The reason in words.
  package var why: String {
    switch self {
    case .overwritten(let page, let by?):
      "the main file has page \(page) as commit \(by) wrote it, so a checkpoint has replaced the version that it needs"
    case .overwritten(let page, nil):
      "the main file has page \(page) as a later commit wrote it, which is no longer whole in the log"
    case .missing(let page): "page \(page) is in neither file; a checkpoint of a smaller database may have cut it off"
    case .cutOff(let page): "page \(page) was cut off by a checkpoint of a smaller database and is zeros now"
    }
  }
}
