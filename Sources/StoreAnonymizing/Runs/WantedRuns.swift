/// A few runs that are looked for among many.
struct WantedRuns: Sendable {
  let runs: Set<UInt64>
  // Most runs are told from them without looking in the set.
  private let filter: RunFilter

  init(_ runs: some Sequence<UInt64>) {
    self.runs = Set(runs)
    filter = RunFilter(bytes: Int64(self.runs.count))
    filter.insert(self.runs)
  }

  @inline(__always) func contains(_ run: UInt64) -> Bool { filter.table.contains(run) && runs.contains(run) }
}
