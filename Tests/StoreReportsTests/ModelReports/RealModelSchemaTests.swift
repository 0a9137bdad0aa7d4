import StoreModels
import StoreSQLite
import StoreReports
import TestSupport
import Testing

/// The JSON of real stores' models follows `docs/schemas`.
@Suite(.needsSharedData) struct RealModelSchemaTests {
  @Test func everyKindOfDocumentFollowsItsSchema() throws {
    let notes = try readModel(PosixPath(Project.path("corpus/Notes.xcdatamodeld")))
    let schemas = try Dictionary(
      uniqueKeysWithValues: ["model-hashes", "model-match", "pins", "pin-check"].map { ($0, try JSONSchema.of($0)) })
    func expect(_ kind: String, _ document: String, _ entry: Catalogue.Entry) throws {
      let violations = try schemas[kind]?.violations(in: JSONTree(document)) ?? []
      #expect(violations.isEmpty, "\(kind) of \(entry.path): \(violations.prefix(5))")
    }
    var count = 0
    for entry in Catalogue.real {
      let path = PosixPath(entry.path)
      // A store without a model cache can be matched, but has nothing to hash or pin.
      let own = try? readModel(path)
      do {
        try expect("model-match", matchModel(store: path, candidates: [own, notes].compactMap { $0 }).json.text, entry)
        try expect("model-match", matchModel(store: path, candidates: [notes]).json.text, entry)
      } catch is MatchError {}  // One has metadata without hashes.
      guard let own else { continue }
      count += 1
      try expect("model-hashes", HashListing(own).json.text, entry)
      try expect("pins", ModelPins(own).json.text, entry)
      try expect("pin-check", PinCheck(ModelPins(notes), against: own).json.text, entry)
    }
    #expect(count > 50, "\(count) stores with a model")
  }
}
