import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  static let refusedContents = Check(
    .refusedContents, "refused-contents", .warning, traits: [.rows],
    summary: "A collection in an archive holds a class that the attribute's secure transformer does not let through.",
    explanation: """
      ## What it looks for
      Values of transformable attributes with `NSSecureUnarchiveFromData`: archives of an array, a dictionary or a set
      with something in it, through collections alone, of a class that is not on the list of SD509. What is inside of an
      object of another class is decoded by that class, and not judged. `--allow-class` and `--model` are as for SD509.

      ## Why it matters
      Saving such a value does not fail, because only the class of the whole is compared then. Reading it does, as Apple
      describes secure coding; no store has shown it, so this is assumed.

      ## Example
      `Palette.colors` has the transformer `NSSecureUnarchiveFromData`, and row 4 holds an `NSArray` of `UIColor`.

      ## What can be done
      As for SD509: a subclass of `NSSecureUnarchiveFromDataTransformer` whose `allowedTopLevelClasses` has the class as
      well as that of the collection.
      """,
    lookAtSubject: { check, subject in
      let (scan, columns) = (subject.scan, subject.archives.columns())
      return {
        columns.filter(\.transformers.refuses).compactMap { column in
          let classes = column.refusedContents
          var finding = check.finding(
            of: column.place, rows: classes.examples(of: column, in: scan),
            message:
              "\(counted(classes.count, "row")) of \(column.place.table) \(classes.count == 1 ? "holds" : "hold") "
              + "a collection in \(column.place.column) with a class in it that \(column.transformers.words) does not let "
              + "through: \(classes.words)")
          finding?.basis = .assumed
          return finding
        }
      }
    })
}
