// Feeds whole Core Data stores to `diagnose`: what inputs say is grafted onto pages of the bundled stores, and the pages with
// schema, metadata, entity map and model cache stay as they are, so that most inputs get through the door.
// Run with Fuzz/run store, in the package's folder.
//
// The first byte chooses the store; what follows are grafts:
//
//   page (2) | offset (2) | count (1) | bytes       count 0: the whole page becomes that of number `offset`

import StoreCoreData
import StorePlatform
import StoreSQLite
import StoreDiagnosis
import StoreFindings

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = [UInt8](UnsafeBufferPointer(start: start, count: count))[...]
  guard let choice = input.popFirst() else { return 0 }
  let base = bases[Int(choice) % bases.count]
  guard write(base.grafted(input)) else { preconditionFailure("\(draft) cannot be written") }
  let first = answer()
  precondition(first == answer(), "equal bytes, two answers")
  tally(isAccepted: first != nil)
  return 0
}

/// The diagnosis of the store as texts; nil if it is refused.
private func answer() -> [String]? {
  var options = DiagnosisOptions(integrity: .quick)
  options.examples = 20
  guard let diagnosis = try? diagnose(path: draft, options: options) else { return nil }
  return ["\(diagnosis.verdict)"] + diagnosis.findings.map(words) + diagnosis.skipped.map { "\($0)" }
}

private func words(_ finding: Finding) -> String {
  // Sorted, since the order of a dictionary depends on addresses in memory.
  let examples = finding.examples.map { example in
    "\(example.primaryKey ?? -1) \(example.facts.map { "\($0.key) \($0.value)" }.sorted())"
  }
  return "\(finding.id) \(finding.severity) \(finding.entity ?? "") \(finding.count) \(finding.message) \(examples)"
}

/// A bundled store, and the pages of it that hold rows and their indexes.
private struct Base {
  let bytes: [UInt8]
  let pageSize: Int
  let pages: [Int]

  init(_ path: String) throws {
    bytes = try EvidenceFile(PosixPath(path)).read(at: 0, count: 1 << 20)
    pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
    let connection = try Connection(reading: DatabaseFiles(path: path))
    let rows = try connection.prepareTableSizes(
      "SELECT pageno FROM dbstat WHERE name NOT IN ('sqlite_schema', 'Z_METADATA', 'Z_PRIMARYKEY', 'Z_MODELCACHE')")
    var pages: [Int] = []
    while try rows.step() { pages.append(Int(rows.int64(0)) - 1) }
    self.pages = pages.filter { $0 > 0 }
  }

  func grafted(_ grafts: ArraySlice<UInt8>) -> [UInt8] {
    var store = bytes
    var rest = grafts
    while rest.count >= 5 {
      let head = Array(rest.prefix(5))
      rest = rest.dropFirst(5)
      let page = pages[(Int(head[0]) << 8 | Int(head[1])) % pages.count] * pageSize
      let offset = Int(head[2]) << 8 | Int(head[3])
      let count = Int(head[4]) % 64
      guard count > 0 else {
        let other = pages[offset % pages.count] * pageSize
        store.replaceSubrange(page..<page + pageSize, with: bytes[other..<other + pageSize])
        continue
      }
      for (position, byte) in rest.prefix(count).enumerated() { store[page + (offset + position) % pageSize] = byte }
      rest = rest.dropFirst(count)
    }
    return store
  }
}

private let bases: [Base] = ["Notes", "Club", "Shapes", "Shop", "School"].map { name in
  do {
    return try Base("corpus/\(name).sqlite")
  } catch {
    preconditionFailure("cannot read corpus/\(name).sqlite: \(error); run this in the package's folder")
  }
}

/// In memory where the system has such a folder.
private let draft: String = {
  let folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
  let path = "\(folder)/storedoctor-fuzz-\(getpid()).sqlite"
  atexit { sayAndClean() }
  return path
}()

private func write(_ bytes: [UInt8]) -> Bool {
  guard let file = fopen(draft, "w") else { return false }
  defer { fclose(file) }
  return fwrite(bytes, 1, bytes.count, file) == bytes.count
}

nonisolated(unsafe) private var tried = 0
nonisolated(unsafe) private var accepted = 0

private func tally(isAccepted: Bool) {
  tried += 1
  if isAccepted { accepted += 1 }
}

private func sayAndClean() {
  unlink(draft)
  print("accepted \(accepted) of \(tried) stores")
}
