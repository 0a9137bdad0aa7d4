import StoreAudit
import StoreFindings
import StoreWords

/// The stores of an audit one by one, for the list on its page.
///
/// Of more than fit the worst are kept, then the first by path, so that the list depends neither on the order of lines nor
/// on how many there are.
package struct AuditStoreList: Sendable {
  /// The most stores that are listed.
  static let limit = 5_000

  /// Where the pages of the stores are, as a page beside them would name it: "", "pages/".
  package var pagesFolder = ""
  /// The page of each store that is listed, or why it has none, in their order; empty where none were asked for.
  private(set) var pages: [StorePageLink] = []

  private var rows: [Row] = []
  /// All stores that were added.
  private(set) var count: Int64 = 0

  /// No stores.
  package init() {}

  /// Adds the store of a line, of which the detail `facts` is enough; lines that are not about a store are left out.
  package mutating func add(_ line: AuditLine) {
    guard line.status.isStore else { return }
    count += 1
    rows.append(Row(line))
    // Sorted seldom, so that a line costs little.
    if rows.count >= Self.limit * 2 { rows = kept }
  }

  /// Notes the page of each store that is listed.
  ///
  /// - Parameter body: gets the paths of the stores that were read, or of which something can be saved, nil for another or one that no text names, and says for each
  ///   where its page is.
  package mutating func link(_ body: ([String?]) throws -> [StorePageLink]) rethrows {
    rows = kept
    pages = try body(rows.map(\.path))
  }

  /// The stores that are listed, in order.
  var kept: [Row] { Array(rows.sorted().prefix(Self.limit)) }

  /// One store.
  struct Row: Comparable {
    /// Its path, and its id where a list gave one.
    var name: String
    /// Its outcome: a verdict, or why it was not read.
    var outcome: String
    /// The style of the outcome, which decides the colour.
    var style: String
    /// The version it has; empty where not known.
    var version: String
    /// The path of one that was read, or of which something can be saved; nil for another, and where no text names it.
    var path: String?
    /// The worst findings, and why its migration could not be rehearsed.
    var words: String
    /// The worst first: not read, not opened, then by the severity of what was found.
    private var rank: Int

    init(_ line: AuditLine) {
      path = (line.status == .audited || line.savable != nil) && line.pathBytes == nil ? line.path : nil
      name = line.id.map { "\($0) (\(line.path))" } ?? line.path
      let verdict = line.status == .audited ? line.verdict : nil
      let isLosing = line.isLosing
      outcome = verdict.map { $0.rawValue + (isLosing ? ", losing data" : "") } ?? line.status.rawValue
      style = verdict.map { isLosing ? "losing" : $0.rawValue } ?? "unread"
      version = line.version ?? line.store?.versionIdentifiers.joined(separator: ", ") ?? ""
      let ids = Set(line.findings.filter { $0.severity == line.severity }.map(\.id)).sorted()
      let rehearsal = line.rehearsal.flatMap { $0.outcome.isPassed ? nil : $0.outcome }
      words = line.problem?.kind ?? (ids + [rehearsal?.rawValue].compactMap(\.self)).joined(separator: ", ")
      let severity = line.severity.flatMap { Severity.allCases.firstIndex(of: $0) } ?? -1
      if line.status != .audited {
        rank = 0
      } else if verdict?.isError == true || rehearsal != nil {
        rank = 1
      } else {
        rank = Severity.allCases.count + 1 - severity
      }
    }

    static func < (left: Row, right: Row) -> Bool {
      (left.rank, left.name, left.outcome) < (right.rank, right.name, right.outcome)
    }
  }
}

/// The page about a store that an audit links to.
package enum StorePageLink: Sendable, Equatable {
  /// Its name in the folder of pages.
  case file(String)
  /// Why there is none.
  case missing(String)
}
