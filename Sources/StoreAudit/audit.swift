// How an audit works
// ------------------
//
//   AuditInput ─► AuditItems ─► slots, in order ─► workers, one entry at a time each ─► lines, in the order of slots
//
// The audit itself reads no store. Whatever a store does to the process that reads it costs that process and one line.
// What is in the air is bounded: so many slots, so many bytes of lines that wait for an earlier one. Nothing grows with
// the number of stores.

/// Audits stores.
///
/// - Parameters:
///   - earlier: lines of a run that was cut, which are not made again; nil for none.
///   - onCaughtUp: told once, after the last of the earlier lines, or what came in its place, was written.
///   - problemLine: makes the line of an entry of which nothing can be said but why.
///   - write: takes the lines, in the order of the input, each with its line feed.
/// - Returns: what was named more than once.
/// - Throws: `AuditError` when the run itself fails, and whatever `write` throws.
@discardableResult
public func audit(
  _ options: AuditOptions, after earlier: EarlierLines? = nil,
  onCaughtUp: @escaping () throws -> Void = {},
  problemLine: @escaping (AuditItem, AuditProblem) -> String,
  write: @escaping ([UInt8]) throws -> Void
) throws -> Repetitions {
  let run = AuditRun(options, earlier, problemLine: problemLine, write: write, onCaughtUp: onCaughtUp)
  try run.work()
  return run.repetitions
}

/// How many entries an input has, without looking into its archives; nil where it cannot be told, or `isUnwanted` says
/// that nobody waits for it any more.
public func countEntries(_ input: AuditInput, isUnwanted: () -> Bool) -> Int? {
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
