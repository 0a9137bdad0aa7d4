import StoreCoreData
import StorePublishing
import StoreSQLite
import StoreWords

/// The journal that undoing is to use, and the store it is of where that was named.
///
/// - Parameter path: a journal's folder, or a store. For a store it is the only journal beside it that belongs to a
///   repair that is not undone, or the one with which an undo was interrupted.
/// - Throws: `RepairError` with a list, newest first, where there are several, and where there is none. What an undo
///   left is never taken by itself: running the command twice would make the repair again.
package func journalToUndo(_ path: PosixPath) throws(RepairError) -> (folder: PosixPath, store: PosixPath?) {
  guard FileSystem.kind(of: path) == .file, let main = try? path.resolved() else { return (path, nil) }
  if let mark = UnfinishedUndo.marks(beside: main).first { return (mark.journal, path) }
  let candidates = JournalCandidate.all(beside: main)
  let repairs = candidates.filter { !$0.isOfUndo }
  if candidates.isEmpty {
    if let abandoned = UnfinishedRepair.left(beside: main).abandoned { throw RepairError(abandoned, .neverBegun) }
    throw RepairError(path, .noJournal)
  }
  if repairs.isEmpty { throw RepairError(path, .onlyJournalsOfUndos(candidates.map { $0.line(beside: path) })) }
  guard repairs.count == 1, repairs[0].isReadable else {
    throw RepairError(path, .severalJournals(candidates.map { $0.line(beside: path) }))
  }
  return (repairs[0].shown(beside: path), path)
}

/// A journal beside a store that is not undone, or that cannot be read.
private struct JournalCandidate {
  var folder: PosixPath
  var journal: Result<Journal, any Error>

  var isReadable: Bool { (try? journal.get()) != nil }
  var isOfUndo: Bool { (try? journal.get())?.undoes != nil }

  /// Newest first.
  static func all(beside main: PosixPath) -> [JournalCandidate] {
    let prefix = main.name + Array(".storedoctor-".utf8)
    let names = (FileSystem.names(in: main.parent) ?? []).filter { $0.starts(with: prefix) }
    return names.sorted { isNewer($0, $1) }.compactMap { name in
      let folder = main.sibling(named: name)
      // Work that stopped before there was a document has changed nothing.
      guard FileSystem.kind(of: Journal.document(in: folder)) == .file else { return nil }
      let journal = Result { try Journal(reading: folder) }
      return (try? journal.get())?.state == .undone ? nil : JournalCandidate(folder: folder, journal: journal)
    }
  }

  /// Names end with a time in digits, and the second of one moment with "-2": longer ones come later.
  private static func isNewer(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    let (time, other) = (moment(first), moment(second))
    if time.stem != other.stem { return other.stem.lexicographicallyPrecedes(time.stem) }
    return time.number > other.number
  }

  private static func moment(_ name: [UInt8]) -> (stem: [UInt8], number: Int) {
    guard let dash = name.lastIndex(of: UInt8(ascii: "-")), name[..<dash].last == UInt8(ascii: "Z"),
      let number = Int(String(decoding: name[(dash + 1)...], as: UTF8.self))
    else { return (name, 1) }
    return (Array(name[..<dash]), number)
  }

  func shown(beside path: PosixPath) -> PosixPath {
    let sibling = path.sibling(named: folder.name)
    return (try? sibling.resolved()) == folder ? sibling : folder
  }

  /// "Notes.sqlite.storedoctor-20260712T101500Z   a repair"
  func line(beside path: PosixPath) -> String {
    let place = shown(beside: path).description
    guard let journal = try? journal.get() else { return "\(place)   cannot be read" }
    if journal.undoes != nil { return "\(place)   an undo" }
    return place + (journal.state == .prepared ? "   a repair that stopped before or after its commit" : "   a repair")
  }
}
