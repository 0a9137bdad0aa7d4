import StoreWords
import StoreFindings
import StoreCoreData
import StoreSQLite

/// A column whose values may be in external files; filled by the read.
///
/// An inline value begins with the byte 1. A reference to an external file is the byte 2, the file's name, which is a
/// UUID of 36 characters, and the byte 0 (seen in 93 values of 41 stores).
package final class ExternalColumn: RowVisitor {
  /// The attribute's column.
  package let place: AttributePlace
  /// The table with the column.
  package let holder: TableScan
  /// References in the order of rows, at 24 bytes each.
  package private(set) var references: [(row: Int64, file: ExternalFileName)] = []
  /// Rows whose value is neither.
  package private(set) var malformed: RowTally
  private let index: Int

  init(_ place: AttributePlace, holder: TableScan, index: Int, exampleLimit: Int) {
    self.place = place
    self.holder = holder
    self.index = index
    malformed = RowTally(limit: exampleLimit)
  }

  package override func forLaterRows() -> RowVisitor? {
    ExternalColumn(place, holder: holder, index: index, exampleLimit: malformed.limit)
  }

  package override func add(_ later: RowVisitor) {
    guard let later = later as? ExternalColumn else { return }
    references += later.references
    malformed.add(later.malformed)
  }

  package override func visit(_ row: Row) {
    // Other storage classes are reported by another check.
    let value = row[index]
    guard value.kind == .blob else { return }
    value.withBytes { bytes in
      switch bytes.first {
      // The form of an empty value was never seen.
      case 1, nil: break
      case 2:
        guard bytes.count == 38, bytes[37] == 0, let file = ExternalFileName(bytes[1..<37]) else {
          return malformed.add(row.key)
        }
        references.append((row.key, file))
      default: malformed.add(row.key)
      }
    }
  }

  /// An example row: its key, and its entity if that is not the declaring one.
  package func example(_ row: Int64, in scan: Scan) -> Finding.Example {
    .init(row, ["entity": scan.entityName(of: row, in: holder, besides: place.owner.id)])
  }
}

extension Scan {
  /// The external files of the store; a folder that cannot be listed is noted as skipped.
  package func externalFiles() -> Store.ExternalFiles {
    let files = store.externalFiles()
    if files == .unlistable { skip("the folder \(quoted(store.externalFolderName)) cannot be listed") }
    return files
  }
}

/// The name of an external file: a UUID in capitals.
package struct ExternalFileName: Hashable {
  private let high: UInt64, low: UInt64

  /// Parses "01234567-89AB-CDEF-0123-456789ABCDEF"; nil for any other text.
  package init?(_ text: some Collection<UInt8>) {
    guard text.count == 36 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for (position, byte) in text.enumerated() {
      if [8, 13, 18, 23].contains(position) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
    }
    (self.high, self.low) = (high, low)
  }
}
