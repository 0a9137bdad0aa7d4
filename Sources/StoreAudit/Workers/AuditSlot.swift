/// The place of an entry in the order of an audit: lines are written in the order of slots, whenever they are ready.
final class AuditSlot {
  /// The entry.
  let item: AuditItem
  /// Its line, once it is ready.
  var line: [UInt8]?
  /// What was found in an archive, each in a place of its own.
  var entries: [AuditSlot]?
  /// Keeps the files of an unpacked archive until the last of its entries is done.
  var folder: DisposableFolder?
  /// Those of an archive's entries that have lines already, from an earlier run.
  var earlier: EarlierLines.Entries?

  init(_ item: AuditItem, line: [UInt8]? = nil, folder: DisposableFolder? = nil) {
    self.item = item
    self.line = line
    self.folder = folder
  }
}
