import Foundation
import TestSupport
import Testing

/// Every command with a store, and with a model, in every kind of place that people have.
@Suite(.needs("python3")) struct PlaceTableTests {
  private let folder: TemporaryFolder

  /// The forms: loose, in a folder, in archives, in archives in archives, in backups, in extractions, in an app's data.
  init() throws {
    folder = try TemporaryFolder()
    let script = """
      import hashlib, io, os, plistlib, shutil, sqlite3, sys, tarfile, zipfile
      store, model, out = sys.argv[1:]
      def make(path):
        os.makedirs(os.path.dirname(path), exist_ok=True); return path
      data = open(store, "rb").read()
      shutil.copy(store, make(out + "/loose.sqlite")); os.chmod(out + "/loose.sqlite", 0o600)
      open(make(out + "/folder/a/Notes.sqlite"), "wb").write(data)
      def zipped(path, members):
        with zipfile.ZipFile(make(path), "w", zipfile.ZIP_DEFLATED) as z:
          for name, content in members.items(): z.writestr(zipfile.ZipInfo(name), content)
      def tarred(path, members, mode):
        with tarfile.open(make(path), mode) as t:
          for name, content in members.items():
            info = tarfile.TarInfo(name); info.size = len(content); t.addfile(info, io.BytesIO(content))
      plain = {"a/Notes.sqlite": data, "a/read me.txt": b"text"}
      zipped(out + "/plain.zip", plain); tarred(out + "/plain.tar", plain, "w"); tarred(out + "/plain.tar.gz", plain, "w:gz")
      zipped(out + "/nested.zip", {"inner.zip": open(out + "/plain.zip", "rb").read()})
      container = "private/var/mobile/Containers/Data/Application/7A2B9C10-1111-4222-8333-0123456789AB/"
      metadata = plistlib.dumps({"MCMMetadataIdentifier": "com.example.notes"}, fmt=plistlib.FMT_BINARY)
      image = {container + ".com.apple.mobile_container_manager.metadata.plist": metadata,
        container + "Library/Notes.sqlite": data}
      for name, content in image.items(): open(make(out + "/image/" + name), "wb").write(content)
      absolute = {"/" + name: content for name, content in image.items()}
      zipped(out + "/image.zip", absolute); tarred(out + "/image.tar", absolute, "w")
      appdata = {"Notes.xcappdata/AppDataInfo.plist": plistlib.dumps({"CFBundleIdentifier": "com.example.notes"}),
        "Notes.xcappdata/AppData/Library/Application Support/Notes.sqlite": data}
      for name, content in appdata.items(): open(make(out + "/" + name), "wb").write(content)
      def backup(root, old):
        os.makedirs(root)
        plistlib.dump({"IsEncrypted": False}, open(root + "/Manifest.plist", "wb"))
        plistlib.dump({"SnapshotState": "finished"}, open(root + "/Status.plist", "wb"))
        plistlib.dump({"Product Type": "iPhone12,1", "Product Version": "17.4"}, open(root + "/Info.plist", "wb"))
        domain, path = "AppDomain-com.example.notes", "Library/Application Support/Notes.sqlite"
        name = hashlib.sha1((domain + "-" + path).encode()).hexdigest()
        open(make(root + "/" + ("" if old else name[:2] + "/") + name), "wb").write(data)
        if old:
          text = lambda word: len(word).to_bytes(2, "big") + word.encode()
          record = text(domain) + text(path) + b"\\xff" * 6 + b"\\x81\\xa4" + bytes(37) + b"\\x00"
          open(root + "/Manifest.mbdb", "wb").write(b"mbdb\\x05\\x00" + record); return
        db = sqlite3.connect(root + "/Manifest.db")
        db.execute("create table Files (fileID text primary key, domain text, relativePath text, flags integer, file blob)")
        db.execute("insert into Files values (?, ?, ?, 1, null)", (name, domain, path)); db.commit(); db.close()
      backup(out + "/backup", False); backup(out + "/old-backup", True)
      members = {}
      for root, _, names in os.walk(model):
        for name in names:
          path = os.path.join(root, name)
          members["Payload/Notes.app/Notes.xcdatamodeld/" + os.path.relpath(path, model)] = open(path, "rb").read()
      zipped(out + "/Notes.ipa", members)
      zipped(out + "/Both.zip", {**members, "x/Notes.sqlite": data})
      zipped(out + "/logs.zip", {"crash.txt": b"CoreData: error: (134100) The managed object model version used to open the persistent store is incompatible\\n"})
      """
    let made = try Program.launch([
      "python3", "-c", script, Project.path("corpus/Notes.sqlite"), Project.path(Self.bundle), folder.path,
    ])
    #expect(made.status == 0, "\(made.errors)")
  }

  private static let bundle = "corpus/Notes.xcdatamodeld"

  private static let places = [
    "folder", "plain.zip", "plain.tar", "plain.tar.gz", "nested.zip", "image", "image.zip", "image.tar",
    "Notes.xcappdata",
    "backup", "old-backup", "Both.zip",
  ]

  /// For each command and place, whether it gives what it gives for the loose store.
  @Test func everyCommandTakesEveryPlace() throws {
    let model = Project.path(Self.bundle)
    let commands: [[String]] = [
      ["look", "STORE"], ["inspect", "STORE"], ["diagnose", "STORE", "--no-config"],
      ["diagnose", "STORE", "--model", model, "--no-config"],
      ["rows", "STORE"], ["rows", "STORE", "Note"], ["compare", "STORE", folder("loose.sqlite")],
      ["timeline", "STORE"],
      ["recover", "STORE"], ["repair", "STORE", "--safe", "--output", "OUT"],
      ["report", "STORE", "--no-config", "--output", "OUT"],
      ["migrate", "STORE", "--model", model, "--output", "OUT"], ["rehearse", "STORE", "--model", model],
      ["model", "match", "STORE", model], ["model", "hash", "STORE"], ["model", "show", "STORE"],
      ["model", "diff", "STORE", model],
      ["explain", "--log", folder("logs.zip!crash.txt"), "--store", "STORE"],
      ["recover", "STORE", "--any-sqlite"], ["salvage", "STORE", "--output", "OUT"],
      ["anonymize", "STORE", "--output", "OUT"], ["merge", "STORE", "--into", folder("loose.sqlite")],
    ]
    let before = FolderState(of: folder.path)
    let outside = try TemporaryFolder()
    var failures: [String] = []
    for (number, command) in commands.enumerated() {
      func status(_ store: String) throws -> (Int32?, String) {
        let arguments = command.map {
          $0 == "STORE" ? store : $0 == "OUT" ? outside("\(number)-\(store.hashValue)") : $0
        }
        let outcome = try Program.run(arguments)
        return (outcome.status, outcome.errors)
      }
      let expected = try status(folder("loose.sqlite"))
      #expect([0, 1].contains(expected.0 ?? -1), "\(command): \(expected.1)")
      for place in Self.places {
        let found = try status(folder(place))
        // Of a place with a model too, `model` commands take that.
        if found.0 != expected.0, !(place == "Both.zip" && ["model", "look"].contains(command[0])) {
          failures.append("\(command.joined(separator: " ")) \(place): \(found)")
        }
      }
    }
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    #expect(FolderState(of: folder.path) == before)
  }

  /// The objects, what was deleted, and the events are those of the loose store, in every place.
  @Test func answersOverAWholePlaceAreThoseOfTheLooseStore() throws {
    func lines(_ command: [String], _ place: String, leavingOut members: Set<String>) throws -> [JSONTree] {
      var arguments = command
      arguments.insert(folder(place), at: 1)
      let outcome = try Program.run(arguments)
      #expect(outcome.status == 0, "\(place) \(command): \(outcome.errors)")
      return try outcome.output.split(separator: "\n").map { line in
        guard case .object(let all) = try JSONTree(String(line)) else { return .null }
        return .object(all.filter { !members.contains($0.key) })
      }
    }
    let commands: [([String], Set<String>)] = [
      (["timeline", "--all", "--format", "jsonl"], ["store"]), (["recover", "--all", "--format", "jsonl"], ["store"]),
      (
        ["audit", "--no-config", "--quiet"],
        ["path", "within", "stamp", "container", "device", "store", "run"]
      ),
    ]
    for (command, members) in commands {
      let expected = try lines(command, "loose.sqlite", leavingOut: members)
      for place in Self.places {
        #expect(try lines(command, place, leavingOut: members) == expected, "\(place) \(command)")
      }
    }
  }

  /// A tar with absolute names and 5 GiB of other members, which are holes in the file.
  @Test func fiveGiBOfOtherMembersAreSteppedOver() throws {
    let place = try TemporaryFolder()
    let script = """
      import sys, tarfile
      store = open(sys.argv[1], "rb").read()
      with open(sys.argv[2], "wb") as file:
        def header(name, size):
          info = tarfile.TarInfo(name); info.size = size; return info.tobuf(tarfile.GNU_FORMAT)
        for number in range(5):
          file.write(header(f"/private/var/big{number}.bin", 1 << 30)); file.seek(1 << 30, 1)
          file.write(header(f"/private/var/{number}/Notes.sqlite", len(store)) + store + bytes(-len(store) % 512))
        file.write(bytes(1024))
      """
    let tar = place("image.tar")
    #expect(try Program.launch(["python3", "-c", script, Project.path("corpus/Notes.sqlite"), tar]).status == 0)
    let lines = try AuditRun([tar]).lines
    #expect(lines.map(\.path) == (0..<5).map { "\(tar)!/private/var/\($0)/Notes.sqlite" })
    #expect(lines.allSatisfy { $0.rows == 32 && $0.status == "audited" })
  }

  @Test(arguments: ["Notes.ipa", "Notes.ipa!Payload/Notes.app/Notes.xcdatamodeld", "Both.zip"])
  func anAppIsAModel(named: String) throws {
    let loose = try Program.run(["model", "hash", Project.path(Self.bundle), "--format", "json"])
    let outcome = try Program.run(["model", "hash", folder(named), "--format", "json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.count > 500 && abs(outcome.output.count - loose.output.count) < 2000)
    let diagnosis = try Program.run(["diagnose", folder("plain.zip"), "--model", folder(named), "--no-config"])
    #expect([0, 1].contains(diagnosis.status ?? -1), "\(diagnosis.errors)")
    let missing = try Program.run(["model", "hash", folder("Notes.ipa!nothing.momd")])
    #expect(missing.status == 2)
  }

  @Test func linesOfAnAuditSayWhoseContainerAndWhichDevice() throws {
    for place in ["image", "image.zip", "image.tar"] {
      #expect(try AuditRun([folder(place)]).lines.map(\.container) == ["com.example.notes"], "\(place)")
    }
    let line = try #require(try AuditRun([folder("backup")]).lines.first)
    #expect(line.device == "a backup of iPhone12,1 with iOS 17.4, complete")
    #expect(line.container == nil)
  }

  /// Swift source in an archive, and in one within it, is read as the loose folder is; what of it cannot be read is said.
  @Test func sourceInAnArchiveIsReadAsALooseOne() throws {
    let place = try TemporaryFolder()
    let script = """
      import os, shutil, sys, zipfile
      source, out = sys.argv[1:]
      shutil.copytree(source, f"{out}/Models")
      files = sorted(f"{root}/{name}" for root, _, names in os.walk(f"{out}/Models") for name in names)
      def pack(path, extra=[]):
          with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
              for file in files: z.write(file, os.path.relpath(file, out))
              for name, text in extra: z.writestr(name, text)
      pack(f"{out}/App.zip", [("../../Out.swift", "import SwiftData"), ("/Root.swift", "import SwiftData")])
      with zipfile.ZipFile(f"{out}/Outer.zip", "w") as z: z.write(f"{out}/App.zip", "in/App.zip")
      """
    let out = place.path
    #expect(
      try Program.launch(["python3", "-c", script, Project.path("corpus/Trips/Models"), out]).status == 0)
    func run(_ arguments: [String]) throws -> Program.Outcome {
      try Program.launch(["sh", "-c", "cd \"$0\" && exec \"$@\"", out, Program.path] + arguments)
    }
    func lines(_ text: String) -> [String] {
      text.split(separator: "\n").map(String.init).filter { $0.contains(".swift:") }
    }
    let loose = try run(["lint", "Models", "--format", "xcode"])
    let hashes = try run(["model", "hash", "Models#TripsV1"]).output
    for (archive, names) in [("App.zip", "App.zip!Models"), ("Outer.zip", "Outer.zip!in/App.zip!Models")] {
      let linted = try run(["lint", archive, "--format", "xcode"])
      #expect(linted.status == loose.status, "\(linted.errors)")
      #expect(
        lines(linted.output).map { $0.replacingOccurrences(of: names, with: "Models") } == lines(loose.output),
        "\(archive)")
      let text = try run(["lint", archive]).output
      #expect(text.contains("Out.swift") && !text.contains("storedoctor-source-"), "\(text)")
      let read = try run(["model", "hash", "\(archive)#TripsV1"])
      #expect(read.status == 0 && !read.output.contains("storedoctor-source-"), "\(read.errors)")
      let answer = try run([archive, Project.path("corpus/Trips/1.0.store")])
      #expect(answer.output.hasPrefix("migrates"), "\(answer.output)")
      func versions(_ text: String) -> [Substring] { text.split(separator: "\n").filter { $0.contains("=") } }
      #expect(versions(read.output) == versions(hashes))
    }
    #expect(!FileManager.default.fileExists(atPath: place("Out.swift")))
    for refused in [["--fix"], ["--freeze", "TripsV1"]] {
      let outcome = try run(["lint", "App.zip"] + refused)
      #expect(outcome.status == 2 && outcome.errors.contains("unpack it"), "\(outcome.errors)")
    }
  }

  @Test func whoseContainerAndWhichDeviceIsSaid() throws {
    #expect(
      try Program.run(["inspect", folder("image.zip")]).errors.contains("in the container of 'com.example.notes'"))
    let backup = try Program.run(["inspect", folder("backup")]).errors
    #expect(backup.contains("is a backup of iPhone12,1 with iOS 17.4, complete"), "\(backup)")
  }

  /// Files with the same UUID are states of one store, of which the counters tell the newest.
  @Test func statesOfOneStoreAreTold() throws {
    let place = try TemporaryFolder()
    let script = """
      import shutil, sqlite3, sys
      store, out = sys.argv[1:]
      for name in "old", "new": shutil.copy(store, f"{out}/{name}.sqlite")
      db = sqlite3.connect(out + "/new.sqlite")
      db.execute("update Z_PRIMARYKEY set Z_MAX = Z_MAX + 1"); db.commit()
      """
    #expect(
      try Program.launch(["python3", "-c", script, Project.path("corpus/Notes.sqlite"), place.path]).status == 0)
    let errors = try Program.run(["inspect", place.path]).errors
    #expect(errors.contains("are states of one store (the same UUID)"), "\(errors)")
    #expect(errors.contains("the newest, by its counters, is '\(place("new.sqlite"))'"), "\(errors)")
  }

  /// A store that has lost one of the two tables that keep its books is a damaged one, and its rows are read.
  @Test(arguments: ["Z_METADATA", "Z_PRIMARYKEY"]) func aStoreThatLostATableIsADamagedOne(table: String) throws {
    let place = try TemporaryFolder()
    let path = try place.copyStore(Project.path("corpus/Notes.sqlite"))
    let script =
      "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('drop table ' + sys.argv[2]); db.commit()"
    #expect(try Program.launch(["python3", "-c", script, path, table]).status == 0)
    let diagnosis = try Program.run(["diagnose", path, "--no-config"])
    #expect(diagnosis.status == 1, "\(diagnosis.errors)")
    #expect(diagnosis.output.contains("the table \(table) is missing"), "\(diagnosis.output)")
    let rows = try Program.run(["rows", path, "Note", "--format", "jsonl"])
    let whole = try Program.run(["rows", Project.path("corpus/Notes.sqlite"), "Note", "--format", "jsonl"])
    #expect(rows.output == whole.output, "\(rows.errors)")
    for command in ["inspect", "timeline", "recover"] {
      let outcome = try Program.run([command, path])
      #expect([0, 1].contains(outcome.status ?? -1), "\(command): \(outcome.errors)")
    }
    #expect(try AuditRun([place.path]).lines.count == 1)
    let repair = try Program.run(["repair", path, "--safe", "--output", place("out.sqlite")])
    #expect(repair.status == 2 && repair.errors.contains("its table \(table) is lost"), "\(repair.errors)")
    #expect(!FileManager.default.fileExists(atPath: place("out.sqlite")))
  }

  /// A main file that was copied before its first checkpoint, without its log.
  @Test func anEmptyMainFileIsSaidByAnAudit() throws {
    let place = try TemporaryFolder()
    let script = """
      import shutil, sqlite3, sys
      out = sys.argv[1]; db = sqlite3.connect(out + "/live"); db.execute("pragma page_size=4096")
      db.execute("pragma journal_mode=wal"); db.execute("create table Z_METADATA (Z_VERSION)"); db.commit()
      shutil.copy(out + "/live", out + "/copied"); db.close()
      import os; os.remove(out + "/live")
      """
    #expect(try Program.launch(["python3", "-c", script, place.path]).status == 0)
    let run = try AuditRun([place.path])
    #expect(run.outcome.output.contains("an empty database in WAL mode without its -wal"), "\(run.outcome.output)")
  }

  /// A log that lies in an archive is read by `--wal`.
  @Test func aLogInAnArchiveIsRead() throws {
    let place = try TemporaryFolder()
    let script = """
      import shutil, sqlite3, sys, zipfile
      store, out = sys.argv[1:]
      shutil.copy(store, out + "/live"); db = sqlite3.connect(out + "/live")
      db.execute("pragma journal_mode=wal"); db.execute("pragma wal_autocheckpoint=0")
      db.execute("pragma wal_checkpoint(truncate)"); shutil.copy(out + "/live", out + "/Notes.sqlite")
      db.execute("delete from ZNOTE where Z_PK = (select max(Z_PK) from ZNOTE)"); db.commit()
      with zipfile.ZipFile(out + "/log.zip", "w") as z: z.write(out + "/live-wal", "x/renamed.log")
      """
    #expect(
      try Program.launch(["python3", "-c", script, Project.path("corpus/Notes.sqlite"), place.path]).status == 0)
    func rows(_ more: [String]) throws -> Int {
      let outcome = try Program.run(["rows", place("Notes.sqlite"), "Note", "--format", "jsonl"] + more)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.output.split(separator: "\n").count
    }
    #expect(try rows(["--wal", place("log.zip!x/renamed.log")]) == rows([]) - 1)
    let missing = try Program.run(["rows", place("Notes.sqlite"), "--wal", place("log.zip!x/none")])
    #expect(missing.status == 2 && missing.errors.contains("there is no file of this name in"), "\(missing.errors)")
  }
}
