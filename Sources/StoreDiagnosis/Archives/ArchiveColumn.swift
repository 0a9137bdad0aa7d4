import StoreDataModel
import StorePropertyLists
import StoreScanning
import StoreSQLite
import StoreWords

/// The archives in the column of a transformable attribute: which cannot be decoded, and which have a class that the
/// transformer does not let through. Decodes every value once, because only decoding shows whether one is correct.
final class ArchiveColumn: RowVisitor {
  let place: AttributePlace
  let table: TableScan
  /// How the values were written, and how they will be read.
  let transformers: ArchiveTransformers
  /// Rows whose bytes are no keyed archive.
  private(set) var unreadable: RowTally
  /// Rows whose archive's own object is of a class that is not let through.
  private(set) var refused: ClassTally
  /// Rows whose archive is let through, with something in it that is not.
  private(set) var refusedContents: ClassTally
  /// Rows by the module of their class.
  private(set) var modules: ClassTally
  /// Values that are in files beside the store, and are not decoded.
  private(set) var externalCount: Int64 = 0
  /// Values that are not NULL.
  private(set) var valueCount: Int64 = 0
  private let index: Int
  private let isPrefixed: Bool

  init(_ place: AttributePlace, _ table: TableScan, transformers: ArchiveTransformers, index: Int, limit: Int) {
    self.place = place
    self.table = table
    self.transformers = transformers
    self.index = index
    unreadable = RowTally(limit: limit)
    refused = ClassTally(limit: limit)
    refusedContents = ClassTally(limit: limit)
    modules = ClassTally(limit: limit)
    isPrefixed = place.leaf.attribute?.allowsExternalStorage == true
  }

  override func forLaterRows() -> RowVisitor? {
    ArchiveColumn(place, table, transformers: transformers, index: index, limit: unreadable.limit)
  }

  override func canAdd(_ later: RowVisitor) -> Bool {
    guard let later = later as? ArchiveColumn else { return false }
    return refused.canAdd(later.refused) && refusedContents.canAdd(later.refusedContents)
      && modules.canAdd(later.modules)
  }

  override func add(_ later: RowVisitor) {
    guard let later = later as? ArchiveColumn else { return }
    unreadable.add(later.unreadable)
    refused.add(later.refused)
    refusedContents.add(later.refusedContents)
    modules.add(later.modules)
    externalCount += later.externalCount
    valueCount += later.valueCount
  }

  override func visit(_ row: Row) {
    guard transformers.decodes else {
      if row.storedKind(index) != .null { valueCount += 1 }
      return
    }
    let value = row[index]
    guard value.kind == .blob else { return }
    valueCount += 1
    var bytes = value.withBytes { [UInt8]($0) }
    if isPrefixed {
      // `01` marks an inline value; anything else refers to a file or is reported by another check.
      guard bytes.first == 1 else {
        if bytes.first == 2 { externalCount += 1 }
        return
      }
      bytes.removeFirst()
    }
    do throws(PropertyListError) {
      judge(try KeyedArchive(bytes), row: row.key)
    } catch { unreadable.add(row.key) }
  }

  private func judge(_ archive: KeyedArchive, row: Int64) {
    if let filter = transformers.filter, let found = archive.refusedClass(by: filter) {
      if found.isTop { refused.add(row, name: found.name) } else { refusedContents.add(row, name: found.name) }
    }
    if let module = archive.rootModule { modules.add(row, name: module) }
  }
}

/// The transformers of one attribute, and the classes that are let through.
struct ArchiveTransformers {
  /// That of the store's own model, which wrote the values.
  var stored: TransformerKind
  /// That of the model the store is opened with; the same where there is none.
  var reading: TransformerKind
  /// The classes that it lets through, or that the secure one would where it takes any; nil for one of the app's own whose
  /// list nobody gave.
  var filter: ClassFilter?
  /// The version that is opened with, where its transformer is another.
  var version: String?

  init(_ stored: TransformerKind, reading: TransformerKind, version: String?, allowed: AllowedClasses) {
    self.stored = stored
    self.reading = reading
    self.version = stored == reading ? nil : version
    let added =
      switch reading {
      case .secure, .own: allowed.added(to: reading)
      case .keyed, .unkeyed: Optional(allowed.everywhere)
      }
    filter = added.map { ClassFilter(AllowedClasses.system, bareNames: $0) }
    if case .unkeyed = reading { filter = nil }
  }

  /// Whether the values are decoded: those of the system's transformers, and those whose classes can be judged.
  var decodes: Bool { stored.writesKeyedArchives || filter != nil }

  /// Whether a class outside the list is refused, and not only would be.
  var refuses: Bool {
    switch reading {
    case .secure, .own: filter != nil
    case .keyed, .unkeyed: false
    }
  }

  /// "NSSecureUnarchiveFromData", with the version where that is another than the store's.
  var words: String {
    (reading.name ?? "the transformer") + (version.map { " of \(quoted($0))" } ?? "")
  }
}
