import StoreDiagnosis
import StoreWords

extension Savable.Table {
  /// The most ranges of keys that are listed.
  private static let mostRanges = 5

  /// The rows that are saved, in doubt and lost, a line each.
  func write(to page: inout Page) {
    for entity in entities {
      page.field(escapedForTerminal(entity.name ?? name), "\(grouped(Int64(entity.saved))) saved", width: 24)
    }
    if doubtful > 0 {
      let torn = torn > 0 ? ", \(grouped(Int64(torn))) of them torn" : ""
      page.field(escapedForTerminal(name), "\(grouped(Int64(doubtful))) doubtful\(torn)", width: 24)
    }
    guard !lost.isEmpty else { return }
    let ranges = lost.prefix(Self.mostRanges).map(Savable.words)
    let more = lost.count > Self.mostRanges ? " and \(lost.count - Self.mostRanges) more ranges" : ""
    let most = lostKeys.map { "up to \(grouped($0)) " } ?? ""
    page.field(escapedForTerminal(name), "\(most)lost: keys \(ranges.joined(separator: ", "))\(more)", width: 24)
  }
}
