extension Connection {
  /// The file that is read, where it rests; nil where a log or a hot journal counts beside it, where its header does not
  /// tell its size, and for a smaller or a written one.
  package func settledFile(leastBytes: Int64 = SettledFile.leastBytes) -> SettledFile? {
    evidence.flatMap { SettledFile($0.session, leastBytes: leastBytes) }
  }
}
