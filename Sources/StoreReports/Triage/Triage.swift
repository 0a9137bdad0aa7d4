import StoreAudit
import StoreDataModel
import StoreDiagnosis
import StoreExplanation
import StoreFindings
import StoreSQLite
import StoreTriage
import StoreWords

/// What is answered to a person who named some things and no command: `storedoctor PATH...`.
package struct Triage {
  /// The things, as they were named.
  package var things: [GivenThing]
  /// What is said of their stores.
  package var answer: Answer
  /// The models that were found, those that could not be read included.
  package var models: [FoundModel] = []
  /// What the logs say, and what the store has of it where there is one.
  package var logs: [GivenThing.ReadLog] = []
  /// What is to be known besides; a sentence each.
  package var notes: [String] = []

  /// What is said of stores.
  package enum Answer {
    /// There is one store.
    case store(Diagnosis, entities: Int)
    /// There are several.
    case stores(TriagedStores)
    /// There is one, and it cannot be read; a sentence.
    case unreadable(String)
    /// There is none.
    case none
  }

  /// A model that was found.
  package struct FoundModel {
    /// As it can be given with `--model`.
    package var name: String
    /// The versions in it, and the one that decides; nil where it cannot be read.
    package var source: ModelSource?
    /// Why it was not used; a sentence.
    package var problem: String?

    /// A model, or why it cannot be read.
    package init(name: String, source: ModelSource?, problem: String? = nil) {
      (self.name, self.source, self.problem) = (name, source, problem)
    }
  }

  /// An answer about things.
  package init(_ things: [GivenThing], _ answer: Answer) { (self.things, self.answer) = (things, answer) }
}

/// Several stores, the unsound first.
package struct TriagedStores: Sendable {
  /// The gravest, up to a limit; equal ones in the order in which they were read.
  package private(set) var gravest: [TriagedStore] = []
  /// How many there are of each severity; nil stands for those of which nothing was found.
  package private(set) var counts: [Severity?: Int] = [:]
  /// How many of them may hold more than was read.
  package private(set) var notWhole = 0
  /// Of how many of them reading may have changed the files' access times.
  package private(set) var touched = 0
  /// Things that are no stores and that deserve to be known: archives that could not be read, logs without a store.
  package private(set) var others: [TriagedStore] = []
  /// Backups that stores lie in, each with the device in words; the first few.
  package private(set) var devices: [(place: String, words: String)] = []
  /// How many of the others are not listed.
  package private(set) var othersLeft = 0

  /// The most stores that are listed.
  private static let most = 20

  /// None so far.
  package init() {}

  /// How many stores there are.
  package var count: Int { counts.values.reduce(0, +) }

  /// Takes a line of an audit.
  package mutating func add(_ line: AuditLine) {
    let store = TriagedStore(line)
    guard line.status.isStore else {
      guard line.status == .notFollowed || line.problem?.kind != "not-core-data" else { return }
      if others.count < Self.most { others.append(store) } else { othersLeft += 1 }
      return
    }
    counts[line.severity, default: 0] += 1
    if line.store?.isWhole == false { notWhole += 1 }
    if line.store?.keepsAccessTimes == false { touched += 1 }
    if let device = line.device, let mark = line.path.utf8.lastIndex(of: UInt8(ascii: "!")), devices.count < Self.most {
      let place = String(line.path[..<mark])
      if !devices.contains(where: { $0.place == place }) { devices.append((place, device)) }
    }
    let place = gravest.firstIndex { $0.weight < store.weight } ?? gravest.endIndex
    guard place < Self.most else { return }
    gravest.insert(store, at: place)
    if gravest.count > Self.most { gravest.removeLast() }
  }

  /// The worst severity of all.
  package var worst: Severity? { counts.keys.compactMap(\.self).max() }
}

/// One of several stores.
package struct TriagedStore: Sendable {
  /// Its path, as it can be named.
  package var path: String
  /// The worst of verdict and findings; nil where there is none.
  package var severity: Severity?
  /// The verdict, "unreadable" where it could not be read.
  package var verdict: String
  /// What is wrong in a sentence, or the gravest finding; nil where nothing was found.
  package var words: String?
  /// How many more findings of that severity there are.
  package var more: Int
  /// Bytes of main file and log.
  package var bytes: Int64?
  /// Entities of the app's own with rows, and rows.
  package var population: (entities: Int, rows: Int64)?
  /// The app or group in whose container it lies, where its path does not say so.
  package var container: String?
  /// What the answer leaves open.
  package var remarks: [String]

  /// Above others in the list.
  fileprivate var weight: Int { severity.map { 1 + (Severity.allCases.firstIndex(of: $0) ?? 0) } ?? 0 }

  init(_ line: AuditLine) {
    path = line.path
    severity = line.severity
    verdict = line.verdict?.rawValue ?? line.status.rawValue
    bytes = line.bytes
    population = line.rows.map { (line.entities.count, $0) }
    container = line.container
    remarks = line.store?.remarks ?? []
    // That the model differs says less than what stops the migration.
    let worst = line.findings.filter { $0.severity == line.severity }
    let telling = worst.filter { $0.check != .incompatibleModel }
    let gravest = telling.isEmpty ? worst : telling
    more = max(0, gravest.count - 1)
    words =
      line.problem.map { problem in
        // The path stands above it.
        let named = "cannot read \(quoted(line.path)): "
        return problem.message.hasPrefix(named) ? String(problem.message.dropFirst(named.count)) : problem.message
      }
      ?? gravest.first.map { finding in
        let place = [finding.entity, finding.property].compactMap(\.self).joined(separator: ".")
        return "\(finding.id) \(place.isEmpty ? "" : "\(place): ")\(finding.message)"
      }
  }
}
