import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  static let insecureArchive = Check(
    .insecureArchive, "insecure-archive", .note, traits: [.rows],
    summary: "An archive can be read today and could not be with a secure transformer.",
    explanation: """
      ## What it looks for
      Values of transformable attributes without a transformer, or with `NSKeyedUnarchiveFromData`: archives of a class,
      or of a collection with a class in it, that `NSSecureUnarchiveFromData` would not let through (SD509, SD510).

      ## Why it matters
      Core Data warns of such attributes at every start, and says that it will take the secure transformer where none is
      named. Whoever follows it, in an app whose hashes and so whose stores stay the same, makes these rows unreadable.

      ## Example
      `Parcel.legacy` has no transformer, and row 1 of `ZPARCEL` holds an object of the class `UIColor`.

      ## What can be done
      Nothing is wrong today. Before the name is changed: a subclass of `NSSecureUnarchiveFromDataTransformer` whose
      `allowedTopLevelClasses` has these classes, and `diagnose --model NEW --allow-class TRANSFORMER=CLASS` to see which
      rows remain.
      """,
    lookAtSubject: { check, subject in
      let (scan, columns) = (subject.scan, subject.archives.columns())
      return {
        columns.filter { !$0.transformers.refuses && $0.transformers.filter != nil }.compactMap { column in
          let classes = column.refused.count > 0 ? column.refused : column.refusedContents
          let total = column.refused.count + column.refusedContents.count
          let both = column.refused.count > 0 && column.refusedContents.count > 0
          var finding = check.finding(
            of: column.place, rows: classes.examples(of: column, in: scan),
            message: "\(counted(total, "row")) of \(column.place.table) \(total == 1 ? "holds" : "hold") an archive in "
              + "\(column.place.column) that NSSecureUnarchiveFromData would refuse: \(classes.words)"
              + (both ? "; inside of collections: \(column.refusedContents.words)" : ""))
          finding?.count = total
          return finding
        }
      }
    })
}
