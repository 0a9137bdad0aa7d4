/// The id of a git object: SHA-1 or SHA-256 in hex digits.
package struct GitObjectID: Hashable, CustomStringConvertible {
  package let description: String

  /// Nil unless it is 40 or 64 lower-case hex digits.
  init?(_ digits: some Collection<UInt8>) {
    guard digits.count == 40 || digits.count == 64, digits.allSatisfy(Self.isDigit) else { return nil }
    description = String(decoding: digits, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }

  /// Whether it stands for no object.
  var isNull: Bool { description.utf8.allSatisfy { $0 == UInt8(ascii: "0") } }
}

/// The changes of one commit to one file.
struct GitChange {
  var commit: GitObjectID
  /// The path in the repository, any bytes but NUL.
  var path: [UInt8]
  /// The content before, one for each parent; none where the file is new.
  var old: [GitObjectID]
  /// The content after; nil where the file is gone.
  var new: GitObjectID?
}

/// Reads `git diff-tree --stdin -z --raw -c`:
///
///     <commit> NUL :<mode> <mode> <old> <new> <status> NUL <path> NUL ...
///
/// with one colon, mode and old object more for each further parent of a merge.
struct GitChangeParser {
  private(set) var changes: [GitChange] = []
  private var commit: GitObjectID?
  private var pending: (old: [GitObjectID], new: GitObjectID?)?

  mutating func take(_ token: [UInt8], in repository: String) throws {
    if let (old, new) = pending, let commit {
      changes.append(GitChange(commit: commit, path: token, old: old, new: new))
      pending = nil
    } else if let id = GitObjectID(token) {
      commit = id
    } else {
      pending = try objects(token, in: repository)
    }
  }

  private func objects(_ token: [UInt8], in repository: String) throws -> (old: [GitObjectID], new: GitObjectID?) {
    let parents = token.prefix { $0 == UInt8(ascii: ":") }.count
    let words = token.dropFirst(parents).split(separator: UInt8(ascii: " "))
    // Modes of all parents and of the result, their objects in the same order, letters.
    let ids = words.dropFirst(parents + 1).prefix(parents + 1).compactMap { GitObjectID($0) }
    guard commit != nil, parents > 0, ids.count == parents + 1, let new = ids.last else {
      throw GitError(path: repository, message: "git printed a line that cannot be understood")
    }
    return (ids.dropLast().filter { !$0.isNull }, new.isNull ? nil : new)
  }
}
