import StoreCoreData
import StoreRecovery
import StoreText
import StoreWords

/// How many objects became what, as far as they are in a report.
struct RecoveredCounts {
  /// Deletions that a change of the history proves.
  var byHistory = 0
  /// Those that only commits of the log prove.
  var byLog = 0
  /// Deleted objects of which bytes were found, and whose key is not in use.
  var shown = 0
  /// Deleted objects of which a version is left.
  var withContent = 0
  var earlierVersions = 0
  /// Objects that are there and of which earlier versions were found.
  var there = 0
  var undecided = 0
  var neverCommitted = 0
  var unreachable = 0
  var links = 0
  var implied = 0

  var deleted: Int { byHistory + byLog + shown }

  init(_ recovery: Recovery) {
    // Rows are by table and key, so those of one object with a key follow each other.
    var withVersions: Set<Int32> = []
    var hasContent: Set<Int32> = []
    var deletedWithoutContent: [Int32] = []
    for row in recovery.rows {
      if recovery.isStore, row.isLink {
        links += 1
        continue
      }
      switch row.kind {
      case .deleted:
        guard row.grade != .implied else {
          implied += 1
          continue
        }
        if row.isProvedByHistory { byHistory += 1 } else if row.grade == .proved { byLog += 1 } else { shown += 1 }
        if row.isFound { withContent += 1 } else { deletedWithoutContent.append(row.citation.object) }
      case .earlierVersion:
        earlierVersions += 1
        withVersions.insert(row.citation.object)
        hasContent.insert(row.citation.object)
      case .undecided: undecided += 1
      case .neverCommitted: neverCommitted += 1
      case .unreachable: unreachable += 1
      }
    }
    withContent += deletedWithoutContent.count(where: hasContent.contains)
    let gone = Set(
      recovery.rows.lazy.filter { $0.kind == .deleted }.map(\.citation.object).filter(withVersions.contains))
    there = withVersions.count - gone.count
  }
}

extension Recovery {
  /// "20 deleted: 20 proved by history, 3 with content; 8 earlier versions of 5 objects that are there".
  ///
  /// Objects are counted, never rows. Keys that only a gap shows are no objects that were found, and neither is a row of
  /// which it is not known whether its object is gone: neither is among those called deleted. Links have no keys, and are no
  /// objects.
  var verdictLine: String { verdictParts.joined(separator: "; ") }

  /// Its clauses, what was deleted first.
  var verdictParts: [String] {
    let counts = RecoveredCounts(self)
    let implied = counts.implied + Int(clamping: unlistedKeys)
    func part(_ count: Int, _ words: String) -> String? { count == 0 ? nil : "\(grouped(Int64(count))) \(words)" }
    let how = [
      part(counts.byHistory, "proved by history"), part(counts.byLog, "proved by the log"), part(counts.shown, "shown"),
      counts.deleted == 0 ? nil : "\(grouped(Int64(counts.withContent))) with content",
    ].compactMap(\.self)
    let parts: [String?] = [
      "\(grouped(Int64(counts.deleted))) deleted" + (how.isEmpty ? "" : ": " + how.joined(separator: ", ")),
      counted(Int64(counts.earlierVersions), "earlier version")
        + (counts.there == 1
          ? " of an object that is there"
          : counts.there == 0 ? "" : " of \(grouped(Int64(counts.there))) objects that are there"),
      part(counts.undecided, "undecided (deleted, or earlier versions)"),
      part(counts.neverCommitted, "never committed"), part(counts.unreachable, "unreachable"),
      part(counts.links, "deleted \(counts.links == 1 ? "link" : "links")"),
      part(implied, "\(implied == 1 ? "key" : "keys") not in use (implied)"),
      reading.flatMap(\.boundsWords),
      bytesUnsearched > 0 ? "the search stopped, so counts are what there is at least" : nil,
    ]
    return parts.compactMap(\.self)
  }

  /// The objects by entity, or table where it is not known; of each entity by number.
  var byEntity: [(name: String, objects: [RecoveredObject])] {
    Dictionary(grouping: objects, by: name).map { (name: $0.key, objects: $0.value) }.sorted { $0.name < $1.name }
  }

  /// The entity of an object; its table where that is not known.
  func name(of object: RecoveredObject) -> String {
    object.rows.lazy.compactMap { self.rows[$0].entity }.first ?? object.rows.first.flatMap { rows[$0].table }
      ?? "unknown table"
  }
}

extension RecoveredObject {
  /// What became of it, for a line about it.
  var fateWords: String {
    switch fate {
    case .deleted, .implied: "deleted"
    case .there: "there"
    case .undecided: "undecided"
    case .neverCommitted: "never-committed"
    case .unreachable: "unreachable"
    case .link: "link"
    }
  }
}

extension VersionChanges {
  /// "differs from the object as it is there today": what the changes lead to.
  func title(_ rows: [RecoveredRow]) -> String {
    (changes.isEmpty ? "no value differs from " : "differs from ") + nextWords(rows)
  }

  /// "the object as it is there today", or "version 3.2".
  func nextWords(_ rows: [RecoveredRow]) -> String {
    switch next {
    case .there: "the object as it is there today"
    case .version(let row): "version \(rows[row].citation.text)"
    }
  }
}

extension RecoveredRow {
  /// Whether a change of the history says that it is gone.
  var isProvedByHistory: Bool { witnesses.contains(where: \.isDeletion) }

  /// When the row was deleted, or the version replaced.
  var whenWords: String? { deletedAt.map { "deleted \(momentText($0))" } ?? bracket.words }
}

extension VersionChanges.Change {
  /// Both values; of long texts the part around what differs.
  func excerpts(upTo limit: Int) -> (before: String, after: String) {
    guard let after else { return (before.words(upTo: limit), "not known") }
    let (old, new) = (before.words(upTo: limit), after.words(upTo: limit))
    guard before.isText, after.isText, max(old.utf8.count, new.utf8.count) > Self.longLine else { return (old, new) }
    let (left, right) = (Array(old), Array(new))
    var first = 0
    while first < min(left.count, right.count), left[first] == right[first] { first += 1 }
    var last = 0
    while last < min(left.count, right.count) - first, left[left.count - 1 - last] == right[right.count - 1 - last] {
      last += 1
    }
    func part(_ text: [Character]) -> String {
      let start = max(0, first - Self.context)
      let end = min(text.count, max(first, text.count - last) + Self.context)
      return (start > 0 ? "\u{2026}" : "") + String(text[start..<end]) + (end < text.count ? "\u{2026}" : "")
    }
    return (part(left), part(right))
  }

  private static let longLine = 160
  private static let context = 40
}

extension Reading {
  /// Why the counts of an answer are bounds; nil where they are none.
  fileprivate var boundsWords: String? {
    guard sound == .no else { return nil }
    return damage.contains { $0.contains("damaged") }
      ? "a table is damaged, so counts are bounds" : "rows may not be seen, so counts are bounds"
  }
}
