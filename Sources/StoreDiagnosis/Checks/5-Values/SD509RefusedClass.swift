import StoreDataModel
import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  static let refusedClass = Check(
    .refusedClass, "refused-class", .error, traits: [.rows],
    summary: "An archive is of a class that the attribute's secure transformer does not let through.",
    explanation: """
      ## What it looks for
      Values of transformable attributes with `NSSecureUnarchiveFromData`: archives whose own object is of a class that
      is not on that transformer's list, nor inherits from one that is. On the list are `NSArray`, `NSDictionary`,
      `NSSet`, `NSString`, `NSNumber`, `NSDate`, `NSData`, `NSURL`, `NSUUID` and `NSNull`. With `--model` the
      transformer is that of the model the store is opened with. NULL is never counted.

      What an app's own transformer lets through only the app knows: it is named as not checked, once for each
      transformer that has values. `--allow-class TRANSFORMER=CLASS` says what it lets through besides the list, and
      `--allow-class CLASS` what every one does.

      ## Why it matters
      Reading such a value fails, and saving one ends the app: "Object of class X is not among allowed top level class
      list". A new transformer migrates nothing: the hashes are the same, so the rows keep what the former one wrote.

      ## Example
      `Parcel.proof` has the transformer `NSSecureUnarchiveFromData`, and rows 1 to 3 of `ZPARCEL` hold an object of the
      class `Post.Signature`.

      ## What can be done
      Register a subclass of `NSSecureUnarchiveFromDataTransformer` that adds the class to `allowedTopLevelClasses`,
      under a name that the model has; the class has to adopt `NSSecureCoding`. The rows can then be read as they are.
      """,
    lookAtSubject: { check, subject in
      let (scan, columns) = (subject.scan, subject.archives.columns())
      return {
        skipUnknownTransformers(columns, in: scan)
        skipValuesInFiles(columns, in: scan)
        return columns.filter(\.transformers.refuses).flatMap { column in
          [refusedFinding(check, in: column, scan: scan), notArchives(check, in: column, scan: scan)]
            .compactMap(\.self)
        }
      }
    })
}

private func refusedFinding(_ check: Check, in column: ArchiveColumn, scan: Scan) -> Finding? {
  let classes = column.refused
  return check.finding(
    of: column.place, rows: classes.examples(of: column, in: scan),
    message:
      "\(counted(classes.count, "row")) of \(column.place.table) \(classes.count == 1 ? "holds" : "hold") an archive "
      + "in \(column.place.column) of a class that \(column.transformers.words) does not let through: \(classes.words)")
}

/// What an app's own transformer wrote, where the model the store is opened with has a secure one. Of the store's own
/// model another check says it.
private func notArchives(_ check: Check, in column: ArchiveColumn, scan: Scan) -> Finding? {
  guard !column.transformers.stored.writesKeyedArchives, column.transformers.version != nil,
    column.refused.count == 0
  else { return nil }
  let count = column.unreadable.count
  let rows = ExampleTally(column.unreadable) { row in
    .init(row, ["entity": scan.entityName(of: row, in: column.table, besides: column.place.owner.id)])
  }
  return check.finding(
    of: column.place, rows: rows,
    message: "\(counted(count, "row")) of \(column.place.table) \(count == 1 ? "has" : "have") bytes in "
      + "\(column.place.column) that are no keyed archive, and \(column.transformers.words) reads no other")
}

/// Names each of the app's own transformers once, if there is a value it reads.
private func skipUnknownTransformers(_ columns: [ArchiveColumn], in scan: Scan) {
  var names: Set<String> = []
  for column in columns where column.valueCount > 0 && column.transformers.filter == nil {
    guard case .own(let name) = column.transformers.reading else { continue }
    names.insert(name)
  }
  for name in names {
    scan.skip("transformer \(quoted(name)) is the app's own: what it reads is not known (--allow-class)")
  }
}

private func skipValuesInFiles(_ columns: [ArchiveColumn], in scan: Scan) {
  for column in columns where column.externalCount > 0 {
    scan.skip("\(counted(column.externalCount, "value")) of \(quoted("\(column.place)")) in files: not looked into")
  }
}
