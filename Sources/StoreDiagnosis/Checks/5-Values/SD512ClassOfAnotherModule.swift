import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  static let classOfAnotherModule = Check(
    .classOfAnotherModule, "class-of-another-module", .note, traits: [.rows],
    summary: "The archives of one attribute are of classes of several modules.",
    explanation: """
      ## What it looks for
      Values of one transformable attribute whose classes are of several modules, as in `App.Cover` and
      `AppExtension.Cover`: the name of a Swift class in an archive begins with its module.

      ## Why it matters
      Two targets wrote the attribute, such as an app and its extension or its tests. An app has the class of one module
      only, and reads what the other wrote only if it maps the name (`NSKeyedUnarchiver.setClass(_:forClassName:)`).

      ## Example
      Of the rows of `ZBOOK`, 52 hold an `App.Cover` in `ZCOVER` and 6 an `AppTests.Cover`.

      ## What can be done
      Give the class a name without a module, `@objc(Cover)`, and map the former ones where the archives are read.
      """,
    lookAtSubject: { check, subject in
      let (scan, columns) = (subject.scan, subject.archives.columns())
      return {
        columns.compactMap { column in
          guard column.modules.byCount.count > 1 else { return nil }
          return check.finding(
            of: column.place, rows: column.modules.examples(of: column, in: scan, as: "module"),
            message: "\(column.place.column) of \(column.place.table) holds classes of several modules: "
              + column.modules.words)
        }
      }
    })
}
