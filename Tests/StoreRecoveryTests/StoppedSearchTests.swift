import SQLitePages
import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

@testable import StoreRecovery

/// A search that has found as many rows as are kept stops, and says what it has left.
@Suite struct StoppedSearchTests {
  private static let notes = 200

  /// Notes on some ten pages, every second one deleted.
  private func store(in folder: TemporaryFolder) throws -> String {
    let path = folder("Notes.sqlite")
    let store = try StoreWriter(
      creating: path, StoreDescription(model: ModelNotation.model(["Note: title String?"]), usesWAL: false))
    for number in 1...Self.notes {
      try store.insert("Note", ["title": .text("title \(number) " + String(repeating: "x", count: 200))])
    }
    try store.database.execute("PRAGMA secure_delete=0; DELETE FROM ZNOTE WHERE Z_PK % 2 = 1")
    try store.finish()
    return path
  }

  private func found(_ recovery: Recovery) -> Int { recovery.rows.count { $0.grade != .implied } }

  @Test(arguments: [true, false]) func whatWasNotSearchedIsNotCounted(asStore: Bool) throws {
    let folder = try TemporaryFolder()
    let path = PosixPath(try store(in: folder))
    func recovered(limit: Int) throws -> Recovery {
      try asStore ? recover(path, log: nil, limit: limit) : recoverRows(path, limit: limit)
    }
    let whole = try recovered(limit: Recovery.mostFound)
    let size = try #require(whole.files.first?.size)
    #expect(whole.bytesSearched == size && whole.bytesUnsearched == 0)
    #expect(!whole.notes.contains { $0.contains("stopped") })
    let all = found(whole)
    #expect(all > 80)

    var last = 0
    for limit in [1, 40] {
      let part = try recovered(limit: limit)
      #expect(part.bytesSearched + part.bytesUnsearched == size && part.bytesUnsearched > 0)
      #expect(part.bytesSearched % 4096 == 0 && part.bytesSearched > 0)
      // To the end of a page, of which some twenty rows are.
      #expect(found(part) <= limit + 40 && found(part) >= last)
      last = found(part)
      let note = try #require(part.notes.first { $0.hasPrefix("the search stopped after ") })
      let words = note.filter { $0 != "," }
      #expect(words.contains(": \(part.bytesUnsearched) bytes of \(size) bytes were not searched"))
      #expect(words.hasSuffix("counts are what there is at least"))
      #expect(part.reading?.unread.contains(note) == true)
    }
    #expect(last < all)
  }

  /// Where the last page has the last row that is kept, nothing is left.
  @Test func aSearchThatEndsWithTheFileDidNotStop() throws {
    let folder = try TemporaryFolder()
    let path = PosixPath(try store(in: folder))
    let search = try PageRecovery(PageFiles(DatabaseFiles(path)))
    try search.search()
    let again = try PageRecovery(PageFiles(DatabaseFiles(path)), limit: search.found.count + 1)
    try again.search()
    #expect(!again.isStopped && again.bytesUnsearched == 0 && again.found.count == search.found.count)
    // Nor is more taken than the caller may ask for.
    #expect(try PageRecovery(PageFiles(DatabaseFiles(path)), limit: .max).limit == Recovery.mostFound)
  }
}

/// A table of numbers by hashes, against a dictionary of lists.
@Suite struct CandidateIndexTests {
  @Test func numbersOfOneHashComeInTheirOrder() {
    var index = CandidateIndex()
    var expected: [UInt64: [Int]] = [:]
    var random = SeededGenerator(seed: 54)
    for number in 0..<20_000 {
      // Few hashes many times, and many once; some differ in the lower bits alone.
      let hash: UInt64 = number % 3 == 0 ? UInt64(number % 50) << 40 : random.next()
      index.insert(hash, number: number)
      expected[hash, default: []].append(number)
    }
    #expect(index.count == 20_000)
    for (hash, numbers) in expected {
      var found: [Int] = []
      index.forEach(hash) {
        found.append($0)
        return true
      }
      #expect(found.filter(Set(numbers).contains) == numbers)
      #expect(found.count <= numbers.count + 1)
    }
  }

  @Test func whatIsNotAmongBitsWasNotAdded() {
    var bits = HashBits(for: 1_000)
    var random = SeededGenerator(seed: 54)
    let hashes = (0..<1_000).map { _ in random.next() }
    for hash in hashes { bits.insert(HashBits.part(hash)) }
    #expect(hashes.allSatisfy { bits.contains(HashBits.part($0)) })
    #expect((0..<1_000).count { _ in bits.contains(HashBits.part(random.next())) } < 200)
  }
}
