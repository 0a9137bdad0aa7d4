/// What is left out of an archive: each with its reason, and beyond a limit only how many there were. What an archive names
/// takes more memory than it does there, and a small one can name millions.
struct LeftOutList {
  private let most: Int
  private(set) var named: [LeftOut] = []
  private var counts: [String: Int] = [:]

  init(most: Int) {
    self.most = most
  }

  mutating func add(_ name: [UInt8], _ kind: LeftOut.Kind, _ reason: String) {
    guard named.count < most else {
      counts[reason, default: 0] += 1
      return
    }
    named.append(.init(name: name, kind: kind, reason: reason))
  }

  /// What is to be said of those that are not named.
  var words: [String] {
    counts.sorted { $0.key < $1.key }.map { reason, count in
      "of \(count) more \(count == 1 ? "member" : "members") the same is to be said: \(reason)"
    }
  }
}
