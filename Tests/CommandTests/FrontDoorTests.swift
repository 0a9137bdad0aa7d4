import Foundation
import TestSupport
import Testing

/// `storedoctor PATH...`: mixtures of what people hold, and what the first screen has to say of each.
@Suite(.needs("python3")) struct FrontDoorTests {
  private let folder: TemporaryFolder

  /// A store of which a model's current version wants what its rows have not, alone and in what it arrives in.
  init() throws {
    folder = try TemporaryFolder()
    let script = """
      import hashlib, os, plistlib, shutil, sqlite3, sys, zipfile
      corpus, out = sys.argv[1:]
      def make(path):
        os.makedirs(os.path.dirname(path), exist_ok=True); return path
      def put(name, data): open(make(out + "/" + name), "wb").write(data)
      def zipped(name, members):
        with zipfile.ZipFile(make(out + "/" + name), "w", zipfile.ZIP_DEFLATED) as z:
          for member, data in members.items(): z.writestr(zipfile.ZipInfo(member), data)
      store = open(corpus + "/Notes.sqlite", "rb").read()
      log = b"CoreData: error: -addPersistentStoreWithType: Error Domain=NSCocoaErrorDomain Code=134110 {entity=Note, attribute=title, reason=x}\\n"
      put("Notes.sqlite", store); put("crash.txt", log); put("diary.txt", b"Nothing happened.\\n")
      model = {}
      for root, _, names in os.walk(corpus + "/Notes.xcdatamodeld"):
        for name in names:
          path = os.path.join(root, name)
          model[os.path.relpath(path, corpus)] = open(path, "rb").read()
      zipped("Customer.zip", {"Data/Notes.sqlite": store})
      zipped("Ticket.zip", {"Customer.zip": open(out + "/Customer.zip", "rb").read()})
      zipped("All.zip", {"x/Notes.sqlite": store, "x/console.log": log, **model})
      zipped("Notes.ipa", {"Payload/Notes.app/" + name: data for name, data in model.items()})
      zipped("Two.zip", {"a/Notes.sqlite": store, "b/Notes.sqlite": store[:60000]})
      for name, data in model.items(): put("Project/" + name, data)
      put("Project/Tests/Fixture.sqlite", store); put("Project/Package.swift", b"// swift-tools-version: 6.0\\n")
      put("Image/Notes.realm", bytes(16) + b"T-DB" + bytes(4076))
      put("disk.E01", b"EVF\\x09\\x0d\\x0a\\xff\\x00" + bytes(4096)); put("alert.png", b"\\x89PNG\\r\\n\\x1a\\n" + bytes(500))
      # One member's bytes are not those of its checksum.
      def torn(name, member, data, others):
        zipped(name, others)
        with zipfile.ZipFile(out + "/" + name, "a", zipfile.ZIP_STORED) as z: z.writestr(member, data)
        whole = open(out + "/" + name, "rb").read(); cut = whole.rindex(data)
        put(name, whole[:cut] + b"?" + whole[cut + 1:])
      torn("TornLog.zip", "torn/console.log", log, {"Notes.sqlite": store, "console.log": log})
      torn("TornModel.zip", "N.xcdatamodel/contents", b"<model/>", {"Notes.sqlite": store})
      for number in range(8): put(f"Logs/{number}.log", log)
      put("Logs/Notes.sqlite", store); put("Long/Notes.sqlite", store)
      open(out + "/Long/console.log", "wb").truncate((16 << 20) + 1)
      put("Deep/Notes.sqlite", store); put("Deep/1/2/3/4/console.log", log)
      put("short.sqlite", store[:60000]); put("empty.sqlite", b"")
      backup = out + "/backup/00008030-001A2B3C4D5E6F70"; os.makedirs(backup)
      plistlib.dump({"IsEncrypted": False}, open(backup + "/Manifest.plist", "wb"))
      db = sqlite3.connect(backup + "/Manifest.db")
      db.execute("create table Files (fileID text primary key, domain text, relativePath text, flags integer, file blob)")
      place = "Library/Application Support/Notes.sqlite"
      name = hashlib.sha1(("AppDomain-com.example.notes-" + place).encode()).hexdigest()
      put(f"backup/00008030-001A2B3C4D5E6F70/{name[:2]}/{name}", store)
      db.execute("insert into Files values (?, 'AppDomain-com.example.notes', ?, 1, null)", (name, place)); db.commit()
      db.close()
      # A store with rows in its log alone, which then lies elsewhere.
      put("live.sqlite", store)
      db = sqlite3.connect(out + "/live.sqlite")
      db.execute("pragma journal_mode=wal"); db.execute("pragma wal_autocheckpoint=0")
      db.execute("update ZNOTE set ZTITLE = 'new' where Z_PK = 1"); db.commit()
      for side in "", "-wal": shutil.copy(out + "/live.sqlite" + side, make(out + "/pair/Notes.sqlite" + side))
      put("hollow/Notes.sqlite", b""); put("hollow/Notes.sqlite-wal", open(out + "/live.sqlite-wal", "rb").read()[:-100])
      shutil.copy(out + "/live.sqlite", make(out + "/apart/Notes.sqlite"))
      shutil.copy(out + "/live.sqlite-wal", out + "/apart/8740")
      db.close()
      for side in "", "-wal", "-shm":
        if os.path.exists(out + "/live.sqlite" + side): os.remove(out + "/live.sqlite" + side)
      """
    let made = try Program.launch(["python3", "-c", script, Project.path("corpus"), folder.path])
    #expect(made.status == 0, "\(made.errors)")
  }

  /// What is named, the exit status, and what the first 24 lines of 100 columns have in them.
  private static let mixtures: [(named: String, status: Int32, says: [String])] = [
    ("Notes.sqlite", 0, ["healthy", "Core Data store, framework", "5 entities, 32 objects"]),
    ("Customer.zip", 0, ["healthy", "Customer.zip!Data/Notes.sqlite"]),
    ("Ticket.zip", 0, ["healthy", "Ticket.zip!Customer.zip!Data/Notes.sqlite"]),
    (
      "crash.txt Customer.zip Notes.ipa", 1,
      [
        "blocked-by-data", "134110", "Note.modifiedAt: 18 rows", "Notes.ipa!Payload/Notes.app/Notes.xcdatamodeld",
        "keys 1, 2",
      ]
    ),
    ("All.zip", 1, ["blocked-by-data", "134110", "console.log: 134110 in line 1"]),
    ("Notes.sqlite Notes.ipa", 1, ["blocked-by-data", "Note.modifiedAt: 18 rows"]),
    ("134110 Notes.sqlite Notes.ipa", 1, ["blocked-by-data", "Note.modifiedAt: 18 rows"]),
    ("Notes.sqlite Project", 1, ["blocked-by-data", "its own stores were not looked at"]),
    ("Project", 1, ["blocked-by-data", "Fixture.sqlite"]),
    ("TornLog.zip", 0, ["healthy", "134110", "? 'TornLog.zip!torn/console.log' is not read: it is damaged"]),
    ("TornModel.zip", 0, ["healthy", "? whether there is a model in 'TornModel.zip' is not known"]),
    ("Logs", 0, ["healthy", "0.log: 134110", "? 'Logs/5.log' and 2 more: not read, since 5 logs of a place are"]),
    ("Long", 0, ["healthy", "? 'Long/console.log' is not read: it is longer than 16 MiB; name it by itself"]),
    ("Deep", 0, ["healthy", "? 'Deep': logs were not looked for in all of it; name one by itself"]),
    ("TornLog.zip!torn/console.log", 2, ["torn/console.log' is not", "it is damaged"]),
    ("Notes.ipa", 0, ["a model and no store", "3 versions, 'Notes 3' is current", "storedoctor STORE"]),
    ("crash.txt", 0, ["134110", "NSMigrationError", "Note.title", "storedoctor STORE"]),
    ("134110", 0, ["134110 NSMigrationError"]), ("SD401", 0, ["SD401 dangling-reference"]),
    (
      "crash.txt Notes.sqlite", 0, ["healthy", "134110 NSMigrationError in line 1", "0 of 18 rows have NULL in ZTITLE"]
    ),
    ("diary.txt", 2, ["is a text in which nothing of Core Data or SQLite is known"]),
    ("backup", 0, ["healthy", "AppDomain-com.example.notes/Library/Application Support/Notes.sqlite"]),
    ("Two.zip", 1, ["2 stores: 1 with errors", "b/Notes.sqlite", "truncated, 60000 bytes", "a/Notes.sqlite"]),
    ("Notes.sqlite short.sqlite", 1, ["2 stores: 1 with errors", "short.sqlite"]),
    ("Image", 2, ["found no Core Data store in"]), ("Image/Notes.realm", 2, ["it is a Realm database"]),
    ("disk.E01", 2, ["it is an EnCase image (EVF, .E01)", "mount it, or export its files"]),
    ("Notes.sqlite alert.png", 0, ["healthy", "it is a PNG file, not a store", "storedoctor explain"]),
    ("short.sqlite", 2, ["truncated, 60000 bytes of 122880; look for a complete copy"]),
    ("empty.sqlite", 2, ["the file is empty (0 bytes)"]),
    ("hollow/Notes.sqlite", 2, ["the file is empty (0 bytes), and its -wal, in which everything may be, cannot be"]),
    ("pair/Notes.sqlite pair/Notes.sqlite-wal", 0, ["healthy", "pair/Notes.sqlite: Core Data store"]),
    ("pair/Notes.sqlite-wal", 0, ["healthy", "pair/Notes.sqlite: Core Data store"]),
    ("apart/Notes.sqlite apart/8740", 0, ["healthy", "apart/8740"]), ("apart/8740", 2, ["write-ahead log"]),
    ("Two.zip!a/Notes.sqlite", 0, ["healthy"]), ("All.zip!x/console.log Notes.sqlite", 0, ["134110 NSMigrationError"]),
  ]

  @Test func theFirstScreenNamesTheCause() throws {
    let before = FolderState(of: folder.path)
    var failures: [String] = []
    for mixture in Self.mixtures {
      let words = mixture.named.split(separator: " ").map { word in
        FileManager.default.fileExists(atPath: folder(String(word.prefix { $0 != "!" })))
          ? folder(String(word)) : String(word)
      }
      let outcome = try Program.run(words)
      let screen = (outcome.output + outcome.errors).split(separator: "\n", omittingEmptySubsequences: false).prefix(26)
        .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
        .replacingOccurrences(of: folder.path + "/", with: "")
      let missing = mixture.says.filter { !screen.contains($0) }
      if outcome.status != mixture.status || !missing.isEmpty {
        failures.append(
          "\(mixture.named): \(outcome.status ?? -1), lacks \(missing)\n\(outcome.output)\(outcome.errors)")
      }
    }
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n----\n"))")
    #expect(FolderState(of: folder.path) == before)
  }

  /// Every answer is a document that its schema allows.
  @Test func answersAreDocuments() throws {
    let schema = try JSONSchema(named: "triage")
    for named in [
      "Notes.sqlite", "All.zip", "Two.zip", "crash.txt", "Notes.ipa", "Image", "disk.E01", "Notes.sqlite alert.png",
    ] {
      let words = named.split(separator: " ").map { folder(String($0)) }
      let outcome = try Program.run(words + ["--format", "json"])
      #expect(schema.violations(in: try JSONTree(outcome.output)) == [], "\(named)")
    }
  }

  @Test func whatIsNotThereEndsAtOnce() throws {
    let outcome = try Program.run([folder("Notes.sqlite"), folder("Gone.zip")])
    #expect(outcome.status == 2 && outcome.output == "")
    #expect(outcome.errors == "storedoctor: cannot read '\(folder("Gone.zip"))': no such file or folder\n")
  }
}
