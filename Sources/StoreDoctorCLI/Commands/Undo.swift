import StoreRepair
import ArgumentParser
import StoreSQLite
import StoreWords

/// `storedoctor undo JOURNAL-OR-STORE`.
struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take back what 'repair' or 'apply' did to a store with --in-place.",
    discussion: """
      While the store is as the repair left it, its files are put back byte for byte. When the app has changed it since, \
      the repair's changes alone are taken back, row by row; where the app has changed the same rows, nothing is.

      For a store, its journal is looked for beside it; where several can be undone, they are listed, newest first, and \
      nothing is done. A journal that is elsewhere has to be named.

      For a journal, the store is the one beside it, as the repair left it; else the one at the path where it was repaired. Where \
      a copy lies beside the journal that has changed since, name the store with --store.

      Undoing writes a journal of its own, so it can be undone too. When it is interrupted, run it again: until then \
      every other command refuses the store and names the journal.

      EXIT STATUS
        0   taken back
        2   could not do the work, refused it, or there are several journals
        64  wrong usage

      EXAMPLES
        storedoctor undo Notes.sqlite
        storedoctor undo Notes.sqlite.storedoctor-20261121T140000Z
        storedoctor undo journal --store Copy/Notes.sqlite
      """)

  @Argument(
    help: "The folder with the journal, which --in-place names when it is done, or the store.", completion: .file())
  var journal: String

  @Option(help: "The store, where it is not the one beside the journal.", completion: .file())
  var store: String?

  @OptionGroup var output: RepairOutput

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func run() throws {
    try reported {
      let (folder, named) = try journalToUndo(PosixPath(argument: journal))
      if let named, store != nil { throw ValidationError("\(quoted(named.description)) is a store; leave --store out") }
      let outcome = try undo(folder, store: store.map { PosixPath(argument: $0) } ?? named)
      try output.write(outcome, of: named == nil ? journal : folder.description)
    }
  }
}
