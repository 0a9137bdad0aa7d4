import Foundation
import TestSupport
import Testing

/// `model match --git` on repositories that the test makes, good ones and hostile ones.
@Suite(.needs("git")) struct GitHistoryTests {
  @Test func namesTheCommitsAndTagsOfTheModel() throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(in: folder)
    let path = "App/Notes.xcdatamodeld/Notes.xcdatamodel/contents"
    let ids = try XcodeFiles.versions.enumerated().map { position, contents in
      try repository.commit([path: contents], message: "Version \(position + 1)\n\nMore words", tag: "v\(position + 1)")
    }
    _ = try repository.commit(["readme.txt": "x"], message: "Words", tag: "v3.1")
    let store = try XcodeFiles.store(XcodeFiles.versions[1], in: folder)
    let outcome = try Program.run(["model", "match", store, "--git", repository.path])
    #expect(outcome.status == 0)
    #expect(
      outcome.output.contains(
        """
          \(path)
            all 1 equal
            made      \(ids[1].prefix(12)) 2001-01-01 Version 2
            replaced  \(ids[2].prefix(12)) 2001-01-01 Version 3
            tags      v2

        """))
    let last = try Program.run(
      [
        "model", "match", try XcodeFiles.store(XcodeFiles.versions[2], as: "3.sqlite", in: folder), "--git",
        repository.path,
      ])
    #expect(last.output.contains("still there on some branch or tag\n    tags      v3, v3.1"))
    // A bare clone gives the same answer.
    let bare = folder("bare.git")
    #expect(try Program.launch(["git", "clone", "-q", "--bare", repository.path, bare]).status == 0)
    let fromBare = try Program.run(["model", "match", store, "--git", bare])
    #expect(fromBare.output == outcome.output.replacing(repository.path, with: bare))
  }

  @Test func namesTheNearestWhenNoCommitHasTheModel() throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(in: folder)
    _ = try repository.commit(["N.xcdatamodel/contents": XcodeFiles.versions[2]], message: "Three")
    let edited = XcodeFiles.versions[2].replacing(#"name="name" attr"#, with: #"name="name" optional="YES" attr"#)
    let outcome = try Program.run(
      ["model", "match", try XcodeFiles.store(edited, in: folder), "--git", repository.path])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("none has the store's hashes; the most similar:"))
    #expect(outcome.output.contains("1 of 2 equal, 1 differs (Tag)"))
  }

  @Test func findsTheRightOneAmongSixty() throws {
    let folder = try TemporaryFolder()
    let repository = folder("history.git")
    let ids = try GeneratedHistory.write(to: repository, commits: 400, models: 60)
    for number in [0, 31, 59] {
      let store = try XcodeFiles.store(GeneratedHistory.contents(number), as: "\(number).sqlite", in: folder)
      let outcome = try Program.run(["model", "match", store, "--git", repository, "--format", "json"])
      #expect(outcome.status == 0)
      let history = try #require(JSONTree(outcome.output)["history"])
      #expect(history["models"]?.wholeNumber == 60)
      let matches = try #require(history["matches"]?.list)
      #expect(matches.count == 1)
      #expect(matches.first?["introduced"]?.list?.compactMap { $0["id"]?.string } == ids[number])
    }
  }

  /// Every command that a repository's configuration, hooks or attributes can have git run would create the canary
  /// file.
  @Test func runsNothingOfTheRepository() throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(in: folder)
    let canary = folder("canary")
    let command = "touch '\(canary)'; true"
    let script = try folder.writeScript("\(command)\ncat", to: "script.sh")
    let store = try XcodeFiles.store(XcodeFiles.versions[0], in: folder)
    _ = try repository.commit(
      [
        "N.xcdatamodel/contents": XcodeFiles.versions[0],
        ".gitattributes": "* diff=evil filter=evil merge=evil\n",
        "odd\nname\t\"-rf\u{1B}[31m.xcdatamodel/contents": XcodeFiles.versions[0],
        "--output=x.xcdatamodel/contents": XcodeFiles.versions[1],
      ], message: "One\u{1B}]0;title\u{7}", tag: "v1\u{202E}")
    for (key, value) in [
      ("core.fsmonitor", script), ("core.hooksPath", folder.path), ("core.pager", script), ("core.editor", script),
      ("core.sshCommand", script), ("core.gitProxy", script), ("core.askPass", script),
      ("core.alternateRefsCommand", script), ("diff.external", script), ("diff.evil.textconv", script),
      ("diff.evil.command", script), ("filter.evil.smudge", script), ("filter.evil.clean", script),
      ("filter.evil.process", script), ("gpg.program", script), ("log.showSignature", "true"),
      ("credential.helper", script), ("alias.rev-list", "!" + command), ("alias.diff-tree", "!" + command),
      ("alias.cat-file", "!" + command), ("alias.rev-parse", "!" + command), ("pager.diff-tree", script),
      ("pager.rev-list", "true"), ("uploadpack.packObjectsHook", script), ("remote.origin.url", "ext::\(script)"),
      ("remote.origin.promisor", "true"), ("remote.origin.uploadpack", script), ("protocol.ext.allow", "always"),
      ("extensions.partialClone", "origin"), ("core.repositoryFormatVersion", "1"),
    ] {
      try repository.git("config", key, value)
    }
    for hook in ["post-checkout", "pre-auto-gc", "reference-transaction", "post-index-change"] {
      try FileManager.default.createDirectory(
        atPath: repository.path + "/.git/hooks", withIntermediateDirectories: true)
      try? FileManager.default.copyItem(atPath: script, toPath: repository.path + "/.git/hooks/" + hook)
      try? FileManager.default.copyItem(atPath: script, toPath: folder(hook))
    }
    // A missing object, which git would fetch in a partial clone.
    try repository.loseObject(of: "--output=x.xcdatamodel/contents")
    try? FileManager.default.removeItem(atPath: canary)
    let before = FolderState(of: folder.path)
    let outcome = try Program.run(
      ["model", "match", store, "--git", repository.path], environment: ["COLUMNS": "300"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: canary))
    #expect(FolderState(of: folder.path).withoutAccessTimes == before.withoutAccessTimes)
    #expect(!outcome.output.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x07 || $0.value == 0x202E })
    #expect(outcome.output.contains("not in the repository (a shallow or partial clone?)"))
  }

  @Test func saysWhenThereIsNoRepository() throws {
    let folder = try TemporaryFolder()
    let store = try XcodeFiles.store(XcodeFiles.versions[0], in: folder)
    let outcome = try Program.run(["model", "match", store, "--git", folder.path])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("cannot read the git repository '\(folder.path)': git ended with status 128"))
  }
}

/// A repository with a work tree.
struct Repository {
  let path: String
  /// The time of the commits to come.
  var date = "2001-01-01T12:00:00Z"

  init(in folder: TemporaryFolder) throws {
    path = folder("repository")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try git("init", "-q")
    try git("config", "user.name", "A Developer")
    try git("config", "user.email", "developer@example.com")
  }

  /// Commits files and gives the commit's name.
  func commit(_ files: [String: String], message: String, tag: String? = nil) throws -> String {
    for (name, text) in files { try XcodeFiles.write(text, to: path + "/" + name) }
    try git("add", "-A")
    try git("commit", "-q", "-m", message)
    if let tag { try git("tag", tag) }
    return try git("rev-parse", "HEAD")
  }

  func loseObject(of name: String) throws {
    let id = try git("rev-parse", "HEAD:" + name)
    try FileManager.default.removeItem(atPath: "\(path)/.git/objects/\(id.prefix(2))/\(id.dropFirst(2))")
  }

  @discardableResult
  func git(_ arguments: String...) throws -> String {
    let outcome = try Program.launch(
      ["git", "-C", path] + arguments,
      environment: [
        "GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date,
        "GIT_CONFIG_GLOBAL": "/dev/null",
      ])
    try #require(outcome.status == 0, "git \(arguments): \(outcome.errors)")
    return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// A long history of one model file, written as git's own import stream.
enum GeneratedHistory {
  /// State `number` of the model: twelve entities, of which one grows.
  static func contents(_ number: Int) -> String {
    let entities = (0..<12).map { entity in
      let attributes = (0...(entity == number % 12 ? number : 8)).map {
        #"  <attribute name="attribute\#($0)" optional="YES" attributeType="String"/>"#
      }
      return "<entity name=\"Entity\(entity)\">\n\(attributes.joined(separator: "\n"))\n</entity>"
    }
    return XcodeFiles.contents(entities.joined(separator: "\n"), identifier: "\(number)")
  }

  /// Writes a bare repository in which every seventh commit or so changes the model.
  ///
  /// - Returns: for each model the commits that introduced it.
  static func write(to path: String, commits: Int, models: Int) throws -> [[String]] {
    var stream = ""
    for number in 0..<models {
      let text = contents(number)
      stream += "blob\nmark :\(number + 1)\ndata \(text.utf8.count)\n\(text)\n"
    }
    var introduced = [[Int]](repeating: [], count: models)
    var current = -1
    for commit in 0..<commits {
      let model = commit * models / commits
      stream += "commit refs/heads/main\nmark :\(models + 1 + commit)\n"
      stream += "committer A <a@example.com> \(1_000_000_000 + commit * 3600) +0000\ndata 7\nCommit\n\n"
      if model != current {
        stream += "M 100644 :\(model + 1) App/Notes.xcdatamodeld/Notes.xcdatamodel/contents\n"
        introduced[model].append(models + 1 + commit)
        current = model
      } else {
        stream += "M 100644 inline readme.txt\ndata 9\n\(String(format: "%08d", commit))\n\n"
      }
    }
    let script = """
      git init -q --bare "$1" && cd "$1" && git fast-import --quiet --export-marks=marks <"$2"
      """
    let file = path + ".stream"
    try Data(stream.utf8).write(to: URL(fileURLWithPath: file))
    let outcome = try Program.launch(["sh", "-c", script, "sh", path, file])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let marks = try String(contentsOfFile: path + "/marks", encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: " ") }
    let names = Dictionary(uniqueKeysWithValues: marks.map { (String($0[0].dropFirst()), String($0[1])) })
    return introduced.map { $0.compactMap { names[String($0)] } }
  }
}

/// "None" is said only where all that the repository names was read.
@Suite(.needs("git")) struct PartialHistoryTests {
  private struct Stand {
    let folder: TemporaryFolder
    let repository: Repository
    let store: String

    /// A model above a folder with source, a tag at its first version, and a store of that version.
    init() throws {
      folder = try TemporaryFolder()
      repository = try Repository(in: folder)
      _ = try repository.commit(
        ["App.xcdatamodel/contents": XcodeFiles.versions[0], "Sources/App.txt": "x"], message: "First", tag: "v1")
      _ = try repository.commit(["App.xcdatamodel/contents": XcodeFiles.versions[2]], message: "Second")
      store = try XcodeFiles.store(XcodeFiles.versions[0], in: folder)
    }

    func match(_ path: String) throws -> Program.Outcome { try Program.run(["model", "match", store, "--git", path]) }
  }

  @Test func aFolderOfTheRepositoryStandsForAllOfIt() throws {
    let stand = try Stand()
    let whole = try stand.match(stand.repository.path)
    #expect(whole.status == 0 && whole.output.contains("tags      v1"), "\(whole.output)")
    let below = stand.repository.path + "/Sources"
    try FileManager.default.createDirectory(atPath: below, withIntermediateDirectories: true)
    let part = try stand.match(below)
    #expect(part.output == whole.output.replacing(stand.repository.path, with: below) && part.status == 0)
    _ = try stand.repository.git("config", "core.worktree", stand.folder.path)
    let elsewhere = try stand.match(stand.repository.path)
    #expect(elsewhere.output == whole.output && elsewhere.status == 0, "\(elsewhere.output)\(elsewhere.errors)")
  }

  @Test func aModelThatIsNotThereLeavesItOpen() throws {
    let stand = try Stand()
    let object = try stand.repository.git("rev-parse", "v1:App.xcdatamodel/contents")
    let path = "\(stand.repository.path)/.git/objects/\(object.prefix(2))/\(object.dropFirst(2))"
    try FileManager.default.removeItem(atPath: path)
    let outcome = try stand.match(stand.repository.path)
    let words = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains("none of those of the repository's models that can be read; which one made it is not known"),
      "\(outcome.output)\(outcome.errors)")
    #expect(outcome.status == 2)
    let json = try Program.run(["model", "match", stand.store, "--git", stand.repository.path, "--format", "json"])
    #expect(json.output.contains(#""isWhole": false"#) && json.status == 2)
  }

  @Test func aShallowCloneLeavesItOpen() throws {
    let stand = try Stand()
    let clone = stand.folder("shallow")
    let made = try Program.launch(["git", "clone", "-q", "--depth", "1", "file://\(stand.repository.path)", clone])
    try #require(made.status == 0, "\(made.errors)")
    let outcome = try stand.match(clone)
    #expect(outcome.status == 2 && outcome.output.contains("the clone is shallow"), "\(outcome.output)")
  }
}
