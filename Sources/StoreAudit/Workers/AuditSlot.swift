/// An entry's place in the order of lines, which are written in this order whenever they are ready.
final class AuditSlot {
  /// The entry.
  let item: AuditItem
  /// Its line, once it is ready.
  var line: [UInt8]?
  /// The entries of an archive, each with a slot of its own.
  var entries: [AuditSlot]?
  /// Keeps the files of an unpacked archive until its last entry is done.
  var folder: DisposableFolder?
  /// The archive's entries that have lines already, from an earlier run.
  var earlier: EarlierLines.Entries?

  init(_ item: AuditItem, line: [UInt8]? = nil, folder: DisposableFolder? = nil) {
    self.item = item
    self.line = line
    self.folder = folder
  }
}
