import StoreFindings

extension Check {
  package static let unreadableFile = Check(
    .unreadableFile, "unreadable-file", .error, traits: [.unreadable],
    summary: "A file that should be a store cannot be read as one.",
    explanation: """
      ## What it looks for
      `storedoctor audit` puts this in the line of every file that is called or begins as a store is and cannot be read
      as one: empty, cut off, encrypted, of another kind, not permitted, changing while it is read, a write-ahead log
      without its store; and of every store that took longer or more memory than a store may, or ended the process that
      read it. Commands for a single store end with status 2 instead. No `--skip` and no configuration leaves it out,
      only a baseline: it is what is there in place of all other findings.

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
    // `diagnose` never finds this: a store that could be opened is readable. `audit` reports it.
    ofCandidates: { _ in [] })
}
