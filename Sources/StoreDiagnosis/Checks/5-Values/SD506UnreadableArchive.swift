import StoreFindings
import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData
import StorePropertyLists
import StoreSQLite

extension Check {
  static let unreadableArchive = Check(
    .unreadableArchive, "unreadable-archive", .warning, traits: [.rows],
    summary: "A transformable value is not the keyed archive it should be.",
    explanation: """
      ## What it looks for
      Values of transformable attributes with one of the system's own keyed transformers, or with none, which is the
      same: bytes that cannot be read as a keyed archive. What an app's own transformer writes nobody knows, so it is
      not looked at; and whether the classes in an archive are the expected ones only the app can tell.

      ## Why it matters
      Reading the attribute gives nil, or ends the app with an exception. Often the value was cut off, encrypted, or
      written with another transformer before.

      ## Example
      `Note.style` has the transformer `NSSecureUnarchiveFromData`, and row 7 of `ZNOTE` has 10 bytes in `ZSTYLE` that
      do not begin with `bplist00`.

      ## What can be done
      Where the bytes are of a former transformer, the app can still read them with it. Otherwise setting the attribute
      to NULL loses what cannot be read anyway.
      """
  ) { check, scan in
    guard scan.store.hasModel else {
      scan.skip("without a model nobody knows which bytes are archives")
      return { [] }
    }
    let columns = scan.map.attributePlaces.places.filter(\.holdsArchives).compactMap { place in
      scan.holder(of: place).map { table in
        scan.visit(table, entities: place.holders, columns: [place.column]) {
          ArchiveColumn(place, table, index: $0[0], limit: scan.exampleLimit)
        }
      }
    }
    return {
      columns.compactMap { column in
        let count = column.unreadable.count
        let rows = ExampleTally(column.unreadable) { row in
          .init(row, ["entity": scan.entityName(of: row, in: column.table, besides: column.place.owner.id)])
        }
        return check.finding(
          of: column.place, rows: rows,
          message: "\(counted(count, "row")) of \(column.place.table) \(count == 1 ? "has" : "have") bytes in "
            + "\(column.place.column) that are no keyed archive")
      }
    }
  }
}

extension AttributePlace {
  /// The system's transformers that write keyed archives, as real models and Xcode spell them; without a transformer,
  /// one of them is used.
  private static let keyedTransformers: Set<String> = [
    "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSSecureUnarchiveFromDataTransformerName",
    "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
  ]

  fileprivate var holdsArchives: Bool {
    guard let attribute = leaf.attribute, attribute.type == .transformable else { return false }
    return attribute.valueTransformerName.map(Self.keyedTransformers.contains) ?? true
  }
}

/// Decodes every value, because only decoding shows whether one is correct.
private final class ArchiveColumn: RowVisitor {
  let place: AttributePlace
  let table: TableScan
  private(set) var unreadable: RowTally
  private let index: Int
  private let isPrefixed: Bool

  init(_ place: AttributePlace, _ table: TableScan, index: Int, limit: Int) {
    self.place = place
    self.table = table
    self.index = index
    unreadable = RowTally(limit: limit)
    isPrefixed = place.leaf.attribute?.allowsExternalStorage == true
  }

  override func visit(_ row: Row) {
    let value = row.values[index]
    guard value.kind == .blob else { return }
    var bytes = value.withBytes { [UInt8]($0) }
    if isPrefixed {
      // `01` marks an inline value; anything else refers to a file or is reported by another check.
      guard bytes.first == 1 else { return }
      bytes.removeFirst()
    }
    do throws(PropertyListError) { _ = try KeyedArchive(bytes) } catch { unreadable.add(row.key) }
  }
}
