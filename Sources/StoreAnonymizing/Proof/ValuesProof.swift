import StoreCoreData
import StoreSQLite
import StoreWords

/// That both stores have the same rows with the same keys and links, and values of the same kind: told while the store is read
/// again, with the rows of the copy beside.
final class ValuesProof: RowObserver {
  private(set) var rows: Int64 = 0
  private(set) var kept: Int64 = 0
  private(set) var replaced: Int64 = 0
  /// Of a sample: rows that were left out, and links that were cut.
  private(set) var leftOut: Int64 = 0
  private(set) var cut: Int64 = 0
  private(set) var otherLengths: Int64 = 0
  /// Replaced texts and bytes that have the length they had, where that is not the end of a class.
  private(set) var keptLengths: Int64 = 0

  private let copy: Store
  private let sample: StoreSample?
  /// The rows of the copy of the table that is read, and which rows of the store belong to a sample.
  private var current: (after: Statement, part: SampledTable?)?

  init(_ copy: Store, _ sample: StoreSample?) { (self.copy, self.sample) = (copy, sample) }

  // MARK: Reading both side by side

  func begin(_ table: AnonymizingPlan.Table) throws {
    current = (try table.rows(copy.connection), sample.map { SampledTable($0, table) })
  }

  /// Compares a row with the next one of the copy.
  ///
  /// - Throws: `AnonymizingError` at the first difference.
  func see(_ before: Statement, of table: AnonymizingPlan.Table, _ treatments: AnonymizingPlan.RowTreatments) throws {
    guard let (after, part) = current else { return }
    if try part?.keeps(before) == false {
      leftOut += 1
      return
    }
    let (nulls, links) = try part?.cut(before) ?? ([], 0)
    cut += links
    guard try after.step() else { throw Self.differs(table, "it lacks rows") }
    rows += 1
    if table.hasRowID, before.int64(0) != after.int64(0) {
      throw Self.differs(table, "its rows have other numbers")
    }
    for index in table.columns.indices {
      if nulls.contains(index + table.offset) {
        guard after.isNull(index + table.offset) else {
          throw Self.differs(table, "a link to what was left out is in it")
        }
        continue
      }
      try compare(before, after, index + table.offset, treatments[index], table.columns[index])
    }
  }

  func end(_ table: AnonymizingPlan.Table) throws {
    if try current?.after.step() == true { throw Self.differs(table, "it has more rows") }
    current = nil
  }

  private func compare(
    _ before: Statement, _ after: Statement, _ column: Int, _ treatment: AnonymizingPlan.Treatment,
    _ place: AnonymizingPlan.Column
  ) throws(AnonymizingError) {
    let kind = before.kind(column)
    if case .attribute(let use) = treatment, use.decision == .drop {
      guard after.isNull(column) else { throw AnonymizingError("\(place.place) was not dropped") }
      return
    }
    guard kind == after.kind(column) else {
      throw AnonymizingError(
        "a value of \(place.place) would be stored as another kind; try again, for chance decides about values")
    }
    let isKept: Bool
    switch (kind, treatment) {
    case (.null, _): return
    case (_, .keep), (.integer, .structure): isKept = true
    case (_, .attribute(let use)):
      isKept =
        use.decision == .keep || kind == .integer && use.keepsIntegers
        || !use.named.isEmpty && use.named.contains(before.value(column))
    default: isKept = false
    }
    if isKept {
      let isSame =
        kind == .integer
        ? before.int64(column) == after.int64(column) : before.value(column) == after.value(column)
      guard isSame else {
        throw AnonymizingError("\(place.place) would not stay as it is")
      }
      kept += 1
      return
    }
    replaced += 1
    guard kind == .text || kind == .blob else { return }
    let (old, new) = (before.withBytes(column) { $0.count }, after.withBytes(column) { $0.count })
    if old != new {
      otherLengths += 1
    } else if AnonymizingSizes.rough.length(for: old) != old {
      keptLengths += 1
    }
  }

  private static func differs(_ table: AnonymizingPlan.Table, _ how: String) -> AnonymizingError {
    AnonymizingError("the copy of the table \(quoted(table.name)) is not as it should be: \(how)")
  }
}
