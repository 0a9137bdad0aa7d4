import StoreFindings
import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData

extension Check {
  static let unreadableArchive = Check(
    .unreadableArchive, "unreadable-archive", .warning, traits: [.rows],
    summary: "A transformable value is not the keyed archive it should be.",
    explanation: """
      ## What it looks for
      Values of transformable attributes with one of the system's own keyed transformers, or with none, which is the
      same: bytes that cannot be read as a keyed archive. What an app's own transformer writes nobody knows, so it is
      not looked at. Whether the classes in an archive are let through is SD509's and SD510's.

      ## Why it matters
      Reading the attribute gives nil, or ends the app with an exception. Often the value was cut off, encrypted, or
      written with another transformer before.

      ## Example
      `Note.style` has the transformer `NSSecureUnarchiveFromData`, and row 7 of `ZNOTE` has 10 bytes in `ZSTYLE` that
      do not begin with `bplist00`.

      ## What can be done
      Where the bytes are of a former transformer, the app can still read them with it. Otherwise setting the attribute
      to NULL loses what cannot be read anyway.
      """,
    lookAtSubject: { check, subject in
      let scan = subject.scan
      let columns = subject.archives.columns()
      return {
        columns.filter(\.transformers.stored.writesKeyedArchives).compactMap { column in
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
    })
}
