import StoreText
import StoreWords
import StoreSourceLint

/// The fixes in the format of `diff -u`.
extension SourceFixes {
  /// The diff of all files; empty where nothing changes.
  package var diff: String { files.map(\.diff).joined() }
}

extension SourceFixes.File {
  /// Lines shown around a change.
  private static let context = 3

  fileprivate var diff: String {
    var (old, new) = (Self.lines(before), Self.lines(after))
    // Nothing follows the last line feed.
    if old.last?.isEmpty ?? false, new.last?.isEmpty ?? false {
      old.removeLast()
      new.removeLast()
    }
    let hunks = Self.hunks(old, to: new)
    guard !hunks.isEmpty else { return "" }
    let name = escapedForTerminal(path)
    return "--- \(name)\n+++ \(name)\n" + hunks.joined()
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(omittingEmptySubsequences: false) { $0 == 0x0A }
  }

  /// Changes with their context; nearby ones are combined.
  private static func hunks(_ old: [ArraySlice<UInt8>], to new: [ArraySlice<UInt8>]) -> [String] {
    let difference = new.difference(from: old)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    // The lines of both sides in order, as `diff` prints them.
    var rows: [(mark: String, old: Int, new: Int)] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if removed.contains(left), left < old.count {
        rows.append(("-", left, right))
        left += 1
      } else if inserted.contains(right), right < new.count {
        rows.append(("+", left, right))
        right += 1
      } else {
        rows.append((" ", left, right))
        left += 1
        right += 1
      }
    }
    let changed = rows.indices.filter { rows[$0].mark != " " }
    var ranges: [ClosedRange<Int>] = []
    for position in changed {
      let range = max(0, position - context)...min(rows.count - 1, position + context)
      if let last = ranges.last, range.lowerBound <= last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges.map { range in
      let rows = rows[range]
      let first = rows[range.lowerBound]
      let counts = (rows.count { $0.mark != "+" }, rows.count { $0.mark != "-" })
      let text = rows.map { row in
        let bytes = row.mark == "+" ? new[row.new] : old[row.old]
        return row.mark + escapedForTerminal(String(decoding: bytes, as: UTF8.self).replacing("\t", with: "    "))
          + "\n"
      }
      return "@@ -\(first.old + 1),\(counts.0) +\(first.new + 1),\(counts.1) @@\n" + text.joined()
    }
  }
}
