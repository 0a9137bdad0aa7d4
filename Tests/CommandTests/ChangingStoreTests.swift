import Foundation
import TestSupport
import Testing

/// While another process writes to the store, an answer shows the state after one transaction, or there is none.
@Suite struct ChangingStoreTests {
  private static let runs = Program.isLong ? 1000 : 50

  /// Adds ten notes a transaction, sets `Z_MAX`, and now and then deletes 200. A count that is no multiple of ten, or a
  /// key above `Z_MAX`, exists only within a transaction.
  private static let writer = """
    import sqlite3, sys, time, random
    path, mode = sys.argv[1:]
    store = sqlite3.connect(path, isolation_level=None, timeout=30)
    store.execute("PRAGMA journal_mode=" + mode)
    store.execute("PRAGMA synchronous=OFF")
    store.execute("PRAGMA wal_autocheckpoint=%d" % (20 if mode == "WAL" else 0))
    # Small enough that a transaction writes to the file before it is committed.
    store.execute("PRAGMA cache_size=5")
    top = store.execute("SELECT max(Z_PK) FROM ZNOTE").fetchone()[0]
    while True:
        store.execute("BEGIN IMMEDIATE")
        for key in range(top + 1, top + 11):
            store.execute("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (?, 2, 1, ?)", (key, "x" * random.choice([10, 900])))
        top += 10
        store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = 'Note'", (top,))
        if store.execute("SELECT count(*) FROM ZNOTE").fetchone()[0] > 400:
            store.execute("DELETE FROM ZNOTE WHERE Z_PK IN (SELECT Z_PK FROM ZNOTE ORDER BY Z_PK LIMIT 200)")
        store.execute("COMMIT")
        time.sleep(random.choice([0, 0.002, 0.01, 0.05, 0.15]))
    """

  @Test(.needs("python3"), arguments: ["WAL", "DELETE"])
  func everyAnswerIsOfOneMoment(_ mode: String) throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder("Notes.sqlite"), notes: 10, usesWAL: mode == "WAL")
    let script = try folder.write(Array(Self.writer.utf8), to: "writer.py")
    let writer = try Program.Background(["python3", script, store, mode])
    var answers = 0
    var states: Set<Int64> = []
    for run in 0..<Self.runs {
      let outcome = try Program.run(["inspect", store, "--format", "json"])
      guard outcome.status == 0 else {
        #expect(outcome.status == 2, "run \(run)")
        #expect(outcome.errors.contains("changed while reading; copy "), "run \(run): \(outcome.errors)")
        continue
      }
      answers += 1
      let answer = try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
      #expect(answer.problems == [], "run \(run)")
      let note = try #require(answer.entities.first { $0.name == "Note" })
      let rows = try #require(note.rows)
      states.insert(note.highWater ?? 0)
      #expect(
        rows % 10 == 0 && (note.highWater ?? 0) % 10 == 0,
        "run \(run): \(rows) rows, highest key \(note.highWater ?? -1)")
      #expect(rows <= note.highWater ?? 0, "run \(run)")
      #expect(answer.store.wal?.belongsToStore != "no", "run \(run)")
    }
    #expect(writer.isRunning)
    #expect(states.count > Self.runs / 10, "the writer hardly wrote")
    print(
      "\(mode): \(answers) of \(Self.runs) runs answered with \(states.count) different states, the others said that the store changed"
    )
  }
}
