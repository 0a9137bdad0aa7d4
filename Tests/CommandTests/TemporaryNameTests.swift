import Foundation
import TestSupport
import Testing

/// Names of private copies and of unfinished outputs mean nothing to anybody: no message has them, whatever goes wrong.
@Suite(.needs("python3")) struct TemporaryNameTests {
  private let folder: TemporaryFolder

  /// Damaged stores, each loose, in a zip and in a tar.gz.
  init() throws {
    folder = try TemporaryFolder()
    let script = """
      import os, shutil, sqlite3, sys, tarfile, zipfile
      corpus, out = sys.argv[1:]
      def sql(path, *statements):
        db = sqlite3.connect(path, isolation_level=None)
        for each in ("pragma journal_mode=delete",) + statements: db.execute(each).fetchall()
        db.close()
      def patch(path, at, content):
        data = bytearray(open(path, "rb").read()); data[at:at + len(content)] = content
        open(path, "wb").write(data)
      def root(path, name):
        db = sqlite3.connect(path)
        page = db.execute("select rootpage from sqlite_master where name = ?", (name,)).fetchone()[0]
        db.close()
        return (page - 1) * 4096
      def cut(path): data = open(path, "rb").read(); open(path, "wb").write(data[:len(data) // 2])
      kinds = {
        "other": lambda p: open(p, "wb").write(b"no database " * 1000),
        "cut": cut,
        "leaf": lambda p: patch(p, root(p, "ZNOTE"), b"M"),
        "map": lambda p: patch(p, root(p, "Z_PRIMARYKEY"), bytes(60)),
        "schema": lambda p: patch(p, 100, bytes([0, 0, 0, 0, 255])),
        "list": lambda p: sql(p, "update Z_METADATA set Z_PLIST = x'00'"),
        "abort": lambda p: sql(
          p, "update ZNOTE set ZFOLDER = 999 where Z_PK = 1",
          "create trigger no before update on ZNOTE begin select raise(abort, 'no'); end"),
        "log": lambda p: open(p + "-wal", "wb").write(bytes(range(256)) * 20),
        "hot": lambda p: open(p + "-journal", "wb").write(bytes.fromhex("d9d505f920a163d700000001") + bytes(range(200))),
      }
      for name, make in kinds.items():
        path = out + "/" + name + ".sqlite"
        shutil.copy(corpus + "/Notes.sqlite", path); os.chmod(path, 0o600); sql(path); make(path)
        sides = [side for side in ("", "-wal", "-journal") if os.path.exists(path + side)]
        with zipfile.ZipFile(out + "/" + name + ".zip", "w", zipfile.ZIP_DEFLATED) as z:
          for side in sides: z.write(path + side, "app/Notes.sqlite" + side)
        with tarfile.open(out + "/" + name + ".tar.gz", "w:gz") as t:
          for side in sides: t.add(path + side, "app/Notes.sqlite" + side)
      """
    let made = try Program.launch(["python3", "-c", script, Project.path("corpus"), folder.path])
    #expect(made.status == 0, "\(made.errors)")
    try FileManager.default.createDirectory(atPath: folder("out"), withIntermediateDirectories: false)
    try folder.write([1], to: "taken")
  }

  private func commands(_ store: String) -> [[String]] {
    let model = Project.path("corpus/Notes.xcdatamodeld")
    return [
      ["inspect", store], ["diagnose", store, "--no-config"], ["diagnose", store, "--no-config", "--model", model],
      ["rows", store], ["rows", store, "Note", "--format", "csv"],
      ["rows", store, "--format", "sqlite", "--output", folder("out/rows.sqlite")],
      ["rows", store, "--format", "csv", "--output", folder("nowhere/rows")],
      ["compare", store, Project.path("corpus/Notes.sqlite")], ["timeline", store],
      ["recover", store, "--format", "html", "--output", folder("out/report.html")],
      ["recover", store, "--output", folder("nowhere/report")],
      ["repair", store, "--safe", "--output", folder("out/repaired.sqlite")],
      ["repair", store, "--safe", "--output", folder("taken")],
      ["repair", store, "--safe", "--output", folder("nowhere/repaired.sqlite")],
      ["migrate", store, "--model", model, "--allow-lossy", "--output", folder("out/migrated.sqlite")],
      ["rehearse", store, "--model", model], ["audit", store, "--summary"], ["model", "match", store, model],
    ]
  }

  @Test(arguments: ["other", "cut", "leaf", "map", "schema", "list", "abort", "log", "hot"])
  func noMessageHasThem(kind: String) throws {
    let temporary = try TemporaryFolder()
    for store in [".sqlite", ".zip", ".tar.gz"].map({ folder(kind + $0) }) {
      for command in commands(store) {
        let outcome = try Program.run(command, environment: ["TMPDIR": temporary.path])
        #expect([0, 1, 2].contains(outcome.status ?? -1), "\(command): \(outcome.errors)")
        var said = outcome.output + outcome.errors
        for name in try FileManager.default.contentsOfDirectory(atPath: folder("out")) {
          #expect(!name.hasPrefix(".storedoctor"), "\(command)")
          if name.hasSuffix(".html") { said += try String(contentsOfFile: folder("out/" + name), encoding: .utf8) }
          try FileManager.default.removeItem(atPath: folder("out/" + name))
        }
        for part in [temporary.path, "/dev/fd/", "/.storedoctor-"]
        where said.contains(part) {
          Issue.record("\(command) says \(part): \(said.prefix(900))")
        }
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
  }
}
