import StoreDiagnosis
import StoreFindings
import StoreScanning
import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `corpus/checks/SDnnn/sick.sql` or `healthy.sql`: the SQL that changes a bundled store, and what is then found.
package struct Fixture: CustomTestStringConvertible {
  /// "SD404".
  package var check: String
  /// "sick" or "healthy".
  package var kind: String
  /// The file's text.
  package var sql: String

  /// Every file, by check.
  package static let all: [Fixture] = {
    let folder = Project.path("corpus/checks")
    let checks = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
    return checks.flatMap { check in
      ["healthy", "sick"].compactMap { kind in
        (try? String(contentsOfFile: "\(folder)/\(check)/\(kind).sql", encoding: .utf8))
          .map { Fixture(check: check, kind: kind, sql: $0) }
      }
    }
  }()

  /// Those of stores that can be opened.
  package static let readable = all.filter { $0.comments("cut").isEmpty }

  package var testDescription: String { "\(check) \(kind)" }

  /// The findings it lists, as `Finding.line` writes them.
  package var finds: [String] { comments("finds") }
  /// The reasons for which it says that checks skip something.
  package var skips: [String] { comments("skips") }

  private func comments(_ name: String) -> [String] {
    sql.split(separator: "\n").filter { $0.hasPrefix("-- \(name): ") }
      .map { String($0.dropFirst("-- \(name): ".count)) }
  }

  /// The options it is diagnosed with.
  ///
  /// - `unique: Folder.name` and `cloudkit: yes` as on the command line;
  /// - `model: Notes.xcdatamodeld#Notes 3`: a bundled model or store; after semicolons what is changed in it:
  ///   `only A, B` and `without A, B` of its entities, `drop A.b, A.c` of its properties, `A.b renamed c` with the old name
  ///   as renaming identifier, `A.b is String` for an attribute's type;
  /// - `opening: staged`: the way of opening.
  package var options: DiagnosisOptions {
    get throws {
      let models = try comments("model").enumerated().map { try FixtureModel.read($1, name: "V\($0 + 1)") }
      let opening = comments("opening").first.flatMap(OpeningWay.init)
      return DiagnosisOptions(
        unique: try comments("unique").map { try #require(UniqueKey($0)) },
        judgesAsMirrored: comments("cloudkit") == ["yes"],
        candidates: CandidateOptions(models: models, opening: opening))
    }
  }

  /// Makes the store and returns its path.
  ///
  /// Besides `store`, `finds` and `skips` a file may say
  /// - `keeps: wal` or `keeps: journal`: the side file as it is before the connection is closed, or ends its transaction;
  /// - `wal of: Club.sqlite`: another bundled store's write-ahead log lies beside this one;
  /// - `beside: -shm`: an empty file of that suffix does;
  /// - `zeros: 12`: that page is filled with zeros afterwards;
  /// - `cut: 6000`: the file has so many bytes left: it can no longer be opened.
  package func build(in folder: TemporaryFolder) throws -> String {
    let base = try #require(comments("store").first)
    let path = try folder.copyStore(Project.path("corpus/\(base)"))
    if let suffix = comments("keeps").first {
      try keepSideFile(suffix, path)
    } else {
      try run(sql, on: path)
    }
    if let other = comments("wal of").first { try Self.copyWAL(of: other, to: path) }
    for suffix in comments("beside") { try Data().write(to: URL(fileURLWithPath: path + suffix)) }
    for bytes in comments("cut") {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.truncate(atOffset: try #require(UInt64(bytes)))
      try file.close()
    }
    for page in comments("zeros") { try fillWithZeros(try #require(UInt64(page)), of: path) }
    // Files beside the store, by their paths in its folder.
    for file in comments("file") {
      let url = URL(fileURLWithPath: folder(file))
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("a file".utf8).write(to: url)
    }
    return path
  }

  private func keepSideFile(_ suffix: String, _ path: String) throws {
    let connection = try Connection(writing: path, create: false)
    try connection.execute(sql)
    let files = [path, "\(path)-\(suffix)"]
    let contents = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    connection.close()
    for (file, content) in zip(files, contents) { try content.write(to: URL(fileURLWithPath: file)) }
  }

  /// Copies a WAL whose page size is another, so that it certainly belongs to another store.
  private static func copyWAL(of store: String, to path: String) throws {
    let folder = try TemporaryFolder()
    let other = try folder.copyStore(Project.path("corpus/\(store)"))
    let connection = try Connection(writing: other, create: false)
    try connection.execute(
      "PRAGMA page_size = 8192; VACUUM; PRAGMA journal_mode = WAL; UPDATE Z_METADATA SET Z_VERSION = 2; UPDATE Z_METADATA SET Z_VERSION = 1"
    )
    try Data(contentsOf: URL(fileURLWithPath: other + "-wal")).write(to: URL(fileURLWithPath: path + "-wal"))
    connection.close()
  }

  private func fillWithZeros(_ page: UInt64, of path: String) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seek(toOffset: (page - 1) * 4096)
    try file.write(contentsOf: Data(count: 4096))
    try file.close()
  }

  /// Runs SQL on a store, as a tool would that knows nothing of Core Data.
  package func run(_ sql: String, on path: String) throws {
    let connection = try Connection(writing: path, create: false)
    try connection.execute("PRAGMA synchronous=OFF")
    try connection.execute(sql)
    connection.close()
  }
}

extension Finding {
  /// "SD401 error Note.folder 2 [3, 7]"; of several entities "SD410 note Asset 3, Person 2 5 [4, 1, 7]".
  package var line: String {
    let place = place
    let keys = examples.map { $0.primaryKey.map(String.init) ?? "NULL" }.joined(separator: ", ")
    return "\(id) \(severity.rawValue) \(place) \(count) [\(keys)]"
  }
}

extension Finding {
  /// "Note.folder", or the entities of a finding about several, with their counts where there are more than one.
  package var place: String {
    guard entities.isEmpty else {
      let names = entities.keys.sorted()
      return names.count == 1 ? names[0] : names.map { "\($0) \(entities[$0] ?? 0)" }.joined(separator: ", ")
    }
    return [entity ?? table, property].compactMap(\.self).joined(separator: ".")
  }
}

extension Diagnosis {
  /// Why something was skipped, each reason once.
  package var skipReasons: [String] { Set(skipped.map(\.reason)).sorted() }
}

extension SkippedCheck {
  /// "SD401 there is no table 'ZFOLDER'".
  package var line: String { "\(check) \(reason)" }
}

/// The names and bytes of every file in a folder and the folders in it.
package struct FolderContents: Equatable {
  package var files: [String: Data] = [:]

  package init(_ folder: String) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
      files[name] = isFolder.boolValue ? Data() : try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
    }
  }
}
