import StorePlatform
import StoreSystem
import StoreText

/// Reads an untrusted git repository through git's plumbing commands.
///
/// A repository has its own configuration, and many settings are commands that git would run: hooks, pagers,
/// file-system monitors, diff programs, signature checkers, transports. So only commands that read objects are run,
/// with all of these turned off, with no configuration but the repository's own, and with no transport allowed.
package struct GitRepository {
  /// The folder, as its path was given; bare or not.
  let path: String

  /// - Throws: `GitError` when git cannot be run or there is no repository.
  package init(path: String) throws {
    self.path = path
    let git = try start(["rev-parse", "--git-dir"])
    try finished(git) { _ = try git.read(until: 0, atMost: 1 << 16) }
  }

  /// The changes that commits made to model files; children before their parents.
  ///
  /// A merge is listed only if its file differs from that of every parent.
  func modelChanges() throws -> [GitChange] {
    let commits = try start(["rev-list", "--all", "--topo-order"])
    let changes = try start(
      [
        "diff-tree", "--stdin", "--root", "-r", "-z", "--raw", "-c", "--no-renames", "--no-abbrev", "--no-ext-diff",
        "--no-textconv", "--",
      ] + Self.modelFiles, input: .output(of: commits))
    var parser = GitChangeParser()
    try finished(changes) {
      while let token = try changes.read(until: 0, atMost: Self.longestName) { try parser.take(token, in: path) }
    }
    try finished(commits) {}
    return parser.changes
  }

  /// The commits that changed Swift files, each before its parents, with its nearest ancestors of that kind.
  func sourceCommits() throws -> [(id: GitObjectID, parents: [GitObjectID])] {
    let git = try start(
      ["rev-list", "--all", "--topo-order", "--full-history", "--parents", "--", Self.swiftFiles])
    var commits: [(GitObjectID, [GitObjectID])] = []
    try finished(git) {
      while let line = try git.read(until: UInt8(ascii: "\n"), atMost: Self.longestName) {
        let ids = line.split(separator: UInt8(ascii: " ")).compactMap { GitObjectID($0) }
        guard let id = ids.first else {
          throw GitError(path: path, message: "git printed a line that cannot be understood")
        }
        commits.append((id, Array(ids.dropFirst())))
      }
    }
    return commits
  }

  /// Whether a file says what is built into which target.
  static func isProject(_ path: [UInt8]) -> Bool {
    guard let name = path.split(separator: UInt8(ascii: "/")).last else { return false }
    return name.elementsEqual("Package.swift".utf8) || name.elementsEqual("project.pbxproj".utf8)
  }

  /// The Swift files of a commit, and the project's own: path, any bytes but NUL, to content.
  func sourceFiles(of commit: GitObjectID) throws -> [[UInt8]: GitObjectID] {
    let git = try start(["ls-tree", "-r", "-z", "--full-tree", commit.description])
    var files: [[UInt8]: GitObjectID] = [:]
    try finished(git) {
      // `<mode> blob <object> TAB <path>`
      while let entry = try git.read(until: 0, atMost: Self.longestName) {
        guard let tab = entry.firstIndex(of: UInt8(ascii: "\t")) else { continue }
        let path = Array(entry[(tab + 1)...])
        guard path.suffix(6).elementsEqual(".swift".utf8) || Self.isProject(path) else { continue }
        let words = entry[..<tab].split(separator: UInt8(ascii: " "))
        // Symbolic links are not source.
        guard words.count == 3, words[0].starts(with: "100".utf8), let id = GitObjectID(words[2]) else { continue }
        files[path] = id
      }
    }
    return files
  }

  /// The tags that contain commit `first` and none of `last`, sorted by date; at most a hundred.
  func tags(containing first: GitObjectID, without last: [GitObjectID]) throws -> [String] {
    let git = try start(
      ["for-each-ref", "--contains", first.description] + last.flatMap { ["--no-contains", $0.description] }
        + ["--count=100", "--sort=creatordate", "--format=%(refname:strip=2)", "refs/tags"])
    var names: [String] = []
    try finished(git) {
      while let line = try git.read(until: UInt8(ascii: "\n"), atMost: Self.longestName) {
        names.append(String(decoding: line, as: UTF8.self))
      }
    }
    return names
  }

  /// The newest tags with the commits they stand for.
  ///
  /// - Parameter pattern: a pattern as git takes it, such as `v*`; nil for all tags.
  package func tags(matching pattern: String?) throws -> GitRevisions {
    try references(["refs/tags" + (pattern.map { "/\($0)" } ?? "")])
  }

  /// The branches, also of remotes, with the commits at their tips; those with the newest commits.
  ///
  /// - Parameter pattern: as git takes it: `release/*`.
  package func branches(matching pattern: String) throws -> GitRevisions {
    try references(["refs/heads/\(pattern)", "refs/remotes/*/\(pattern)"])
  }

  private func references(_ patterns: [String]) throws -> GitRevisions {
    let fields = ["objecttype", "objectname", "*objecttype", "*objectname", "refname:strip=2"]
    let git = try start(
      [
        "for-each-ref", "--count=\(GitRevisions.most + 1)", "--sort=-creatordate",
        "--format=" + fields.map { "%(\($0))" }.joined(separator: "%00"),
      ] + patterns)
    var (found, lines): ([(name: String, commit: GitObjectID)], Int) = ([], 0)
    try finished(git) {
      while let line = try git.read(until: UInt8(ascii: "\n"), atMost: Self.longestName) {
        lines += 1
        let parts = line.split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count == fields.count else {
          throw GitError(path: path, message: "git printed a line that cannot be understood")
        }
        // An annotated tag is an object of its own; a tag may also point to something that is not a commit.
        let target = parts[0].elementsEqual("tag".utf8) ? parts[2...3] : parts[0...1]
        guard target.first?.elementsEqual("commit".utf8) ?? false, let id = target.last.flatMap({ GitObjectID($0) })
        else { continue }
        found.append((String(decoding: parts[4], as: UTF8.self), id))
      }
    }
    return GitRevisions(found, areMore: lines > GitRevisions.most)
  }

  /// The commit that a name stands for, or the newest commits of a range, `v1..main`, that changed Swift files.
  ///
  /// - Throws: `GitError` also where there is no such commit.
  package func commits(_ text: String) throws -> GitRevisions {
    let isRange = text.contains("..")
    let walk = isRange ? ["--topo-order", "--full-history", "--max-count=\(GitRevisions.most + 1)"] : ["--no-walk"]
    let git = try start(["rev-list"] + walk + ["--end-of-options", text, "--"] + (isRange ? [Self.swiftFiles] : []))
    var found: [(name: String, commit: GitObjectID)] = []
    try finished(git) {
      while let line = try git.read(until: UInt8(ascii: "\n"), atMost: Self.longestName) {
        guard let id = GitObjectID(line) else {
          throw GitError(path: path, message: "git printed a line that cannot be understood")
        }
        found.append((isRange ? String(id.description.prefix(10)) : text, id))
      }
    }
    return GitRevisions(found, areMore: found.count > GitRevisions.most)
  }

  /// The commit that is checked out; nil where there is none yet.
  func currentCommit() throws -> GitObjectID? { try commits("HEAD").found.first?.commit }

  /// Whether a file is as it is in the commit that is checked out.
  static func isCommitted(_ file: String) throws -> Bool {
    let slash = file.lastIndex(of: "/")
    let folder = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    let name = slash.map { String(file[file.index(after: $0)...]) } ?? file
    let repository = try GitRepository(path: folder)
    return try repository.line(["rev-parse", "--verify", "--end-of-options", "HEAD:./\(name)"])
      == repository.line(["hash-object", "--no-filters", "--", name])
  }

  /// The first line that git prints.
  private func line(_ arguments: [String]) throws -> [UInt8] {
    let git = try start(arguments)
    var line: [UInt8] = []
    try finished(git) {
      line = Array(try git.read(until: UInt8(ascii: "\n"), atMost: Self.longestName) ?? [])
      while try git.read(until: UInt8(ascii: "\n"), atMost: Self.longestName) != nil {}
    }
    return line
  }

  /// A reader of objects by id.
  func objects() throws -> GitObjects {
    GitObjects(path: path, git: try start(["cat-file", "--batch"], input: .written))
  }

  /// Xcode's models and compiled ones, of the whole repository: a folder in it stands for all of it, and a working tree
  /// that its configuration names is not asked for.
  private static let modelFiles = [":(top)*.xcdatamodel/contents", ":(top)*.mom"]
  private static let swiftFiles = ":(top)*.swift"

  /// Whether older commits are not there, because the clone was made without them.
  func isShallow() throws -> Bool {
    try line(["rev-parse", "--is-shallow-repository"]).elementsEqual("true".utf8)
  }

  /// The longest path that is read, in bytes.
  private static let longestName = 1 << 16

  // MARK: Running git

  private func start(_ arguments: [String], input: ChildProcess.Input = .nothing) throws -> ChildProcess {
    do {
      return try ChildProcess(
        "git", ["-C", path, "--no-pager", "--no-optional-locks"] + Self.settings + arguments,
        environment: Self.environment, input: input)
    } catch let failure as ChildProcess.Failure {
      throw GitError(path: path, message: "git \(failure.message)")
    }
  }

  private func finished(_ git: ChildProcess, read: () throws -> Void) throws {
    do {
      try read()
      try git.finish()
    } catch let failure as ChildProcess.Failure {
      throw GitError(path: path, message: "git \(failure.message)")
    }
  }

  /// Given on the command line, so that a repository's own configuration cannot override them.
  private static let settings = [
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.attributesFile=/dev/null",
    "core.sshCommand=false", "core.gitProxy=false", "core.askPass=false", "core.alternateRefsCommand=false",
    "diff.orderFile=/dev/null", "diff.relative=false", "log.showSignature=false", "gpg.program=false",
    "credential.helper=", "protocol.allow=never", "submodule.recurse=false",
    // Evidence often belongs to another user; git would refuse to read it. Nothing of it is run.
    "safe.directory=*",
  ].flatMap { ["-c", $0] }

  private static let environment: [String: String] = {
    var environment = [
      "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_ATTR_NOSYSTEM": "1",
      "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "",
      "GIT_NO_REPLACE_OBJECTS": "1", "GIT_PAGER": "cat", "GIT_DISCOVERY_ACROSS_FILESYSTEM": "1", "LC_ALL": "C",
      "HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent",
    ]
    environment["PATH"] = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return environment
  }()
}

/// Commits with the names under which they are known, the newest first.
package struct GitRevisions {
  /// The most that are looked at.
  static let most = 100

  /// At most a hundred.
  package let found: [(name: String, commit: GitObjectID)]
  /// Whether there are more.
  package let areMore: Bool

  init(_ found: [(name: String, commit: GitObjectID)], areMore: Bool) {
    self.found = Array(found.prefix(Self.most))
    self.areMore = areMore
  }
}

/// Why a repository cannot be read.
package struct GitError: Error, CustomStringConvertible {
  /// The repository, as its path was given.
  package var path: String
  /// The problem.
  package var message: String

  /// The sentence shown to people.
  package var description: String { "cannot read the git repository '\(path)': \(message)" }
}
