import Foundation
import StoreSQLite
import TestSupport
import Testing

@testable import StoreRecovery

/// The SQLite Forensic Corpus: what is found of what is known to have been deleted.
@Suite struct ForensicCorpusTests {
  struct Tally {
    var deleted = 0
    var inOnePiece = 0
    var found = 0
    var foundOfPieces = 0
    var live = 0
    var wrong = 0
  }

  @Test(.needsSharedData) func findsWhatWasDeletedAndNothingElse() throws {
    let folder = SharedData.path("recovery/sfc")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".db") }.sorted()
    #expect(names.count == 68)
    var byCategory: [String: Tally] = [:]
    for name in names {
      let path = folder + "/" + name
      let xml = String(decoding: try contents(of: String(path.dropLast(2)) + "xml"), as: UTF8.self)
      let answers = CorpusAnswers(xml)
      let tally = try tally(path, name, answers)
      var sum = byCategory[String(name.prefix(2))] ?? Tally()
      sum.deleted += tally.deleted
      sum.inOnePiece += tally.inOnePiece
      sum.found += tally.found
      sum.foundOfPieces += tally.foundOfPieces
      sum.live += tally.live
      sum.wrong += tally.wrong
      byCategory[String(name.prefix(2))] = sum
    }
    print("category  deleted  in one piece  found  of those  live  wrong")
    for (category, t) in byCategory.sorted(by: { $0.key < $1.key }) {
      print("\(category)  \(t.deleted)  \(t.inOnePiece)  \(t.found)  \(t.foundOfPieces)  \(t.live)  \(t.wrong)")
    }
    let all = byCategory.values
    let sum = { (part: KeyPath<Tally, Int>) in all.map { $0[keyPath: part] }.reduce(0, +) }
    print(
      "all  \(sum(\.deleted))  \(sum(\.inOnePiece))  \(sum(\.found))  \(sum(\.foundOfPieces))  \(sum(\.live))  \(sum(\.wrong))"
    )
    #expect(sum(\.found) >= 168)
    #expect(sum(\.foundOfPieces) >= 170)
    #expect(sum(\.live) == 0)
    #expect(sum(\.wrong) == 0)
  }

  private func tally(_ path: String, _ name: String, _ answers: CorpusAnswers) throws -> Tally {
    let recovery = try recoverRows(PosixPath(path))
    let connection = try Connection(reading: DatabaseFiles(path: path))
    let file = Data(try contents(of: path))
    var tally = Tally()
    var taken: Set<Int> = []
    for row in answers.rows where row.isDeleted {
      let isInOnePiece = CorpusAnswers.bodies(row).contains { $0.count > 4 && file.range(of: Data($0)) != nil }
      let index = recovery.rows.indices.first { index in
        !taken.contains(index) && CorpusAnswers.isEqual(recovery.rows[index].values.map(\.value), row.values)
      }
      tally.deleted += 1
      tally.inOnePiece += isInOnePiece ? 1 : 0
      if let index {
        taken.insert(index)
        tally.found += 1
        tally.foundOfPieces += isInOnePiece ? 1 : 0
      } else {
        print(
          "\(name): missing\(isInOnePiece ? " though in one piece" : ""): \(row.table) \(row.values.map { $0.prefix(30) })"
        )
      }
    }
    for (index, row) in recovery.rows.enumerated() where !taken.contains(index) {
      let values = row.values.map(\.value)
      // What is live SQLite says: 09-01 deletes rows that its key calls alive.
      let isLive = try isLive(row, connection)
      let isPart =
        !row.missing.isEmpty
        && answers.rows.contains { answer in
          (answer.isDeleted || !isLive)
            && values.allSatisfy { value in answer.values.contains { CorpusAnswers.isEqual([value], [$0]) } }
        }
      let isUnlisted = !isLive && answers.rows.contains { !$0.isDeleted && CorpusAnswers.isEqual(values, $0.values) }
      if isPart || isUnlisted { continue }
      tally.live += isLive ? 1 : 0
      tally.wrong += isLive ? 0 : 1
      print(
        "\(name): \(isLive ? "live" : "wrong"): \(row.table ?? "?") \(String(describing: row.key)) \(values.map { "\($0)".prefix(60) }) \(row.missing) \(row.places.map(\.method))"
      )
    }
    return tally
  }

  /// Whether the table has a row with exactly these values.
  private func isLive(_ row: RecoveredRow, _ connection: Connection) throws -> Bool {
    guard let table = row.table, try connection.prepare("SELECT 1 FROM sqlite_master WHERE name = '\(table)'").step()
    else { return false }
    let terms = row.values.map { "\(quotedIdentifier($0.column)) IS ?" }.joined(separator: " AND ")
    let statement = try connection.prepare("SELECT 1 FROM \(quotedIdentifier(table)) WHERE \(terms)")
    for (index, value) in row.values.enumerated() { try statement.bind(value.value, at: index + 1) }
    return try statement.step()
  }

  /// The limit is for a search that does not end.
  @Test(.needsSharedData, .timeLimit(.minutes(5))) func antiForensicFilesGiveAnEnd() throws {
    let folder = SharedData.path("recovery/sfc-antiforensic")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".db") }.sorted()
    #expect(names.count == 34)
    for name in names {
      do { _ = try recoverRows(PosixPath(folder + "/" + name)) } catch { print("\(name): \(error)") }
    }
  }
}
