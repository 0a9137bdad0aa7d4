// How an audit works
// ------------------
//
//   AuditInput ─► AuditItems ─► slots, in order ─► workers, one entry at a time each ─► lines, in the order of slots
//
// The audit itself reads no store. Whatever a store does to the process that reads it costs that process and one line.
// Open slots and lines that wait for an earlier one are limited. Only the names of entries grow with their number: some
// 40 bytes each, to recognise repetitions.

/// Audits stores.
///
/// - Parameters:
///   - earlier: lines of an interrupted run, which are not made again; nil for none.
///   - onCaughtUp: called once, after the last of the earlier lines, or what replaces it, was written.
///   - problemLine: makes the line of an entry that could not be read.
///   - write: receives the lines, in the order of the input, each with its line feed.
/// - Returns: entries that were named more than once.
/// - Throws: `AuditError` when the run itself fails, and what `write` throws.
@discardableResult
package func audit(
  _ options: AuditOptions, after earlier: EarlierLines? = nil,
  onCaughtUp: @escaping () throws -> Void = {},
  problemLine: @escaping (AuditItem, AuditProblem) -> String,
  write: @escaping ([UInt8]) throws -> Void
) throws -> Repetitions {
  let run = AuditRun(options, earlier, problemLine: problemLine, write: write, onCaughtUp: onCaughtUp)
  try run.work()
  return run.repetitions
}

/// The number of entries of an input, without looking into archives; nil where it cannot be counted, or `isUnwanted`
/// ends the counting.
package func countEntries(_ input: AuditInput, isUnwanted: () -> Bool) -> Int? {
  let items = AuditItems(input)
  var count = 0
  do {
    while try items.next() != nil {
      count += 1
      if isUnwanted() { return nil }
    }
    return count
  } catch {
    return nil
  }
}
