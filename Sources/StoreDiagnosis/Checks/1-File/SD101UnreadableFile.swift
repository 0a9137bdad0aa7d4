import StoreFindings
import StoreScanning

extension Check {
  package static let unreadableFile = Check(
    .unreadableFile, "unreadable-file", .error, traits: [.unreadable, .damage],
    summary: "A file that should be a store cannot be read as one.",
    explanation: """
      ## What it looks for
      `storedoctor audit` puts this in the line of every file that is called or begins as a store is and cannot be read
      as one: empty, cut off, encrypted, of another kind, not permitted, changing while it is read, a write-ahead log
      without its store; and of every store that took longer or more memory than a store may, or ended the process that
      read it. Commands for a single store end with status 2 instead. No `--skip` and no configuration leaves it out,
      only a baseline: it is what is there in place of all other findings.

      `diagnose` and `audit` put it beside other findings where SQLite refuses the schema of a store to every program that
      opens it to write, as apps do, and not to one that only reads: a `CHECK` that it does not allow. The message has
      SQLite's own words.

      ## Why it matters
      Nothing is known of what it holds. The app may not be able to open it either, and a fleet report without it would
      look better than the fleet is.

      ## Example
      `Notes.sqlite` has 0 bytes, and `Notes.sqlite-wal` beside it holds the rows: it was copied in the middle of being
      written.

      ## What can be done
      The message says what the file is instead, and `storedoctor inspect` of that one file says more. Copy the store
      again, with its `-wal` and from an app that is not running; give a store that takes long more time (`--timeout`)
      or more memory (`--memory`).
      """,
    // All else that cannot be read ends `diagnose`, and `audit` reports it.
    look: { check, scan in
      {
        scan.store.shape.refusals.sorted { $0.key < $1.key }.map { table, words in
          check.finding(
            scan.map.entity(ofTable: table)?.name, table: table,
            message: "every program that opens the store to write is refused: \(words)", blocks: [259, 11])
        }
      }
    })
}
