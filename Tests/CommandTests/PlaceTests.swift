import Foundation
import TestSupport
import Testing

/// Stores that lie in archives and backups, for the commands that read one and for `audit`: what is said of each equals
/// what is said of the loose store, but for its name.
@Suite(.needs("python3")) struct PlaceTests {
  private let folder: TemporaryFolder
  private let store = "AppDomain-com.example.notes/Library/Application Support/Notes.sqlite"

  /// A store with rows in its log alone, and the forms in which it arrives.
  init() throws {
    folder = try TemporaryFolder()
    let script = """
      import hashlib, io, os, plistlib, shutil, sqlite3, sys, tarfile, zipfile
      corpus, out = sys.argv[1:]
      os.makedirs(out + "/loose")
      shutil.copy(corpus + "/Notes.sqlite", out + "/live.sqlite")
      os.chmod(out + "/live.sqlite", 0o600)
      db = sqlite3.connect(out + "/live.sqlite")
      db.execute("pragma journal_mode=wal"); db.execute("pragma wal_autocheckpoint=0")
      db.execute("pragma wal_checkpoint(truncate)")
      shutil.copy(out + "/live.sqlite", out + "/loose/Notes.sqlite")
      names = [row[1] for row in db.execute("pragma table_info(ZNOTE)")]
      top = db.execute("select max(Z_PK) from ZNOTE").fetchone()[0]
      for more in range(1, 8):
        columns = ", ".join(str(top + more) if name == "Z_PK" else name for name in names)
        db.execute(f"insert into ZNOTE select {columns} from ZNOTE where Z_PK = {top}")
      db.execute("update Z_PRIMARYKEY set Z_MAX = Z_MAX + 7 where Z_NAME = 'Note'"); db.commit()
      for side in "", "-wal": shutil.copy(out + "/live.sqlite" + side, out + "/loose/Notes.sqlite" + side)
      db.close()
      for side in "", "-wal", "-shm":
        if os.path.exists(out + "/live.sqlite" + side): os.remove(out + "/live.sqlite" + side)
      data = {side: open(out + "/loose/Notes.sqlite" + side, "rb").read() for side in ("", "-wal")}
      place = "private/var/mobile/Containers/Data/Application/7A2B9C10-1111-4222-8333-0123456789AB/Library/Notes.sqlite"
      with zipfile.ZipFile(out + "/ffs.zip", "w", zipfile.ZIP_DEFLATED) as z, tarfile.open(out + "/ffs.tar.gz", "w:gz") as t:
        for side, content in data.items():
          z.writestr(zipfile.ZipInfo("/" + place + side), content)
          info = tarfile.TarInfo("/" + place + side); info.size = len(content); t.addfile(info, io.BytesIO(content))
      with zipfile.ZipFile(out + "/customer.zip", "w") as z: z.write(out + "/ffs.zip", "inner.zip")
      with zipfile.ZipFile(out + "/two.zip", "w") as z:
        for name in "a/Notes.sqlite", "b/Notes.sqlite": z.writestr(name, data[""])
      backup = out + "/backup/00008030-001A2B3C4D5E6F70"; os.makedirs(backup)
      for name in "Info", "Manifest": plistlib.dump({"IsEncrypted": False}, open(f"{backup}/{name}.plist", "wb"))
      db = sqlite3.connect(backup + "/Manifest.db")
      db.execute("create table Files (fileID text primary key, domain text, relativePath text, flags integer, file blob)")
      for side, content in data.items():
        path = "Library/Application Support/Notes.sqlite" + side
        name = hashlib.sha1(("AppDomain-com.example.notes-" + path).encode()).hexdigest()
        os.makedirs(f"{backup}/{name[:2]}", exist_ok=True)
        open(f"{backup}/{name[:2]}/{name}", "wb").write(content)
        db.execute("insert into Files values (?, 'AppDomain-com.example.notes', ?, 1, null)", (name, path))
      db.commit(); db.close()
      """
    let made = try Program.launch(["python3", "-c", script, Project.path("corpus"), folder.path])
    #expect(made.status == 0, "\(made.errors)")
  }

  /// What a person may name, and the name under which the store is read.
  private var forms: [(named: String, shown: String)] {
    let device =
      "/private/var/mobile/Containers/Data/Application/7A2B9C10-1111-4222-8333-0123456789AB/Library/Notes.sqlite"
    let backup = folder("backup/00008030-001A2B3C4D5E6F70")
    return [
      (folder("ffs.zip"), folder("ffs.zip!") + device), (folder("ffs.tar.gz"), folder("ffs.tar.gz!") + device),
      (folder("ffs.zip!") + device.dropFirst(), folder("ffs.zip!") + device),
      (folder("customer.zip"), folder("customer.zip!inner.zip!") + device),
      (folder("customer.zip!inner.zip"), folder("customer.zip!inner.zip!") + device),
      (backup, "\(backup)!\(store)"), (folder("backup"), "\(backup)!\(store)"),
      ("\(backup)!\(store)", "\(backup)!\(store)"),
    ]
  }

  @Test(arguments: [
    ["inspect", "--format", "json"], ["diagnose", "--format", "json"], ["rows", "Note", "--format", "jsonl"],
    ["timeline"], ["recover"],
  ]) func commandsAnswerAsOfTheLooseStore(command: [String]) throws {
    let before = FolderState(of: folder.path)
    func answer(_ named: String, shown: String) throws -> String {
      var arguments = command
      arguments.insert(named, at: 1)
      let outcome = try Program.run(arguments + (command[0] == "diagnose" ? ["--no-config"] : []))
      #expect([0, 1].contains(outcome.status ?? -1), "\(arguments): \(outcome.errors)")
      return outcome.output.replacing(shown, with: "STORE").split(separator: "\n").filter { line in
        // Times of files are those of private files, and commands to run next quote what needs it.
        !line.contains("odified") && !line.contains("storedoctor ")
      }.joined(separator: "\n").replacing("\"./", with: "\"")
    }
    let loose = folder("loose/Notes.sqlite")
    let expected = try answer(loose, shown: loose)
    #expect(expected.count > 100)
    for form in forms {
      let found = try answer(form.named, shown: form.shown)
      #expect(found == expected, "\(command) \(form.named)")
    }
    #expect(FolderState(of: folder.path) == before)
  }

  @Test func storesAreComparedWithThoseInArchives() throws {
    let outcome = try Program.run(["compare", folder("loose/Notes.sqlite"), folder("ffs.zip")])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func severalStoresAreListedWithTheirNames() throws {
    let outcome = try Program.run(["inspect", folder("two.zip")])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("holds 2 stores"))
    for name in ["a", "b"] {
      #expect(outcome.errors.contains(folder("two.zip!\(name)/Notes.sqlite")), "\(outcome.errors)")
    }
    #expect(try Program.run(["inspect", folder("two.zip!b/Notes.sqlite")]).status == 0)
    let missing = try Program.run(["inspect", folder("two.zip!c/Notes.sqlite")])
    #expect(missing.status == 2 && missing.errors.contains("it holds 'a/Notes.sqlite', 'b/Notes.sqlite'"))
  }

  @Test func nothingIsLeftBehind() throws {
    let temporary = try TemporaryFolder()
    for form in forms.prefix(4) {
      _ = try Program.run(["inspect", form.named], environment: ["TMPDIR": temporary.path])
    }
    _ = try AuditRun([folder.path], environment: ["TMPDIR": temporary.path])
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
  }

  /// What lies in an archive or backup is not changed in place, and nothing is left that looks as if it had been.
  @Test func nothingInAPlaceIsChangedInPlace() throws {
    let before = FolderState(of: folder.path)
    for form in forms {
      let outcome = try Program.run(["repair", form.named, "--in-place", "--renumber"])
      #expect(outcome.status != 0, "\(form.named): \(outcome.output)")
    }
    #expect(FolderState(of: folder.path) == before)
  }

  @Test func auditsNameStoresAsPeopleKnowThem() throws {
    let run = try AuditRun([folder.path])
    #expect(
      try run.table(below: folder.path) == """
        backup/00008030-001A2B3C4D5E6F70!\(store)  audited  healthy
        customer.zip!inner.zip!/private/var/mobile/Containers/Data/Application/7A2B9C10-1111-4222-8333-0123456789AB/Library/Notes.sqlite  audited  healthy
        ffs.tar.gz!/private/var/mobile/Containers/Data/Application/7A2B9C10-1111-4222-8333-0123456789AB/Library/Notes.sqlite  audited  healthy
        ffs.zip!/private/var/mobile/Containers/Data/Application/7A2B9C10-1111-4222-8333-0123456789AB/Library/Notes.sqlite  audited  healthy
        loose/Notes.sqlite  audited  healthy
        two.zip!a/Notes.sqlite  audited  healthy
        two.zip!b/Notes.sqlite  audited  healthy
        """)
    let rows = try run.lines.map(\.rows)
    #expect(Set(rows.prefix(5)).count == 1 && rows[0] != rows[5], "logs are read with their stores: \(rows)")
  }

  @Test func auditsGoOnInABackup() throws {
    let whole = try AuditRun([folder("backup")]).outcome.output
    let lines = try folder.write(Array(whole.utf8), to: "lines")
    _ = try AuditRun([folder("backup"), "--resume", lines, "--quiet"])
    #expect(try contents(of: lines) == Array(whole.utf8))
  }
}
