import StoreCoreData
import StoreJSON
import StoreRows

extension Rows {
  /// The document around the rows, `storedoctor.rows/1`.
  package var documentFrame: JSONRowWriter.Frame {
    .document(
      head: [
        ("schema", .string("storedoctor.rows/1")), ("tool", .object(["version": .string(toolVersion)])),
        ("entity", .string(entity.name)), ("columns", .array(columns.map(\.json))),
      ],
      tail: { rows in
        [("count", .integer(rows.count))] + (rows.total.map { [("total", .integer($0))] } ?? [])
          + [("remarks", .strings(rows.remarks)), ("store", StoreIdentity(rows.store).json)]
      })
  }
}
