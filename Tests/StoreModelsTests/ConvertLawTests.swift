import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreModels
import StoreSQLite
import TestSupport
import Testing

/// A store's model, written for Xcode and read back, is the same, except for the losses that `convert` lists.
@Suite struct ConvertLawTests {
  @Test(arguments: Catalogue.stores) func holdsForRealStores(_ entry: Catalogue.Entry) throws {
    try expectLaw(PosixPath(entry.path), entry.slug)
  }

  @Test(arguments: ["Club", "Notes", "School", "SchoolBridge", "Shapes", "Shop"])
  func holdsForTheCorpus(_ name: String) throws {
    try expectLaw(PosixPath(Project.path("corpus/\(name).sqlite")), name)
  }

  private func expectLaw(_ path: PosixPath, _ name: String) throws {
    let store = try Store(path)
    guard let model = store.modelCache.model else { return }
    let folder = try TemporaryFolder()
    let converted = try convert(readModel(path), to: .xcdatamodel)
    let written = try folder.write(Array(converted.text.utf8), to: "contents")
    let source = try ModelSource.read(written)
    let read = try source.decidingVersion().model
    let listed = Set(converted.losses.map(\.place))
    #expect(read.versionHashes == model.versionHashes, "\(name)")
    #expect(read.entities.map(\.name) == model.entities.map(\.name), "\(name)")
    #expect(listed.contains("") || read.versionIdentifiers == model.versionIdentifiers, "\(name)")
    #expect(listed.contains("") || read.configurations == model.configurations, "\(name)")
    for (entity, other) in zip(model.entities, read.entities) {
      for property in entity.properties where !listed.contains("\(entity.name).\(property.name)") {
        #expect(other.property(named: property.name) == property, "\(name): \(entity.name).\(property.name)")
      }
      for index in entity.indexes where !listed.contains("\(entity.name).\(index.name)") {
        #expect(other.indexes.contains(index), "\(name): \(entity.name).\(index.name)")
      }
      var (own, back) = (entity, other)
      (own.properties, back.properties, own.indexes, back.indexes) = ([], [], [], [])
      #expect(listed.contains(entity.name) || own == back, "\(name): \(entity.name)")
    }
    // The store opens with the result, whatever else is wrong with its rows and tables.
    guard store.metadata.hashes == model.versionHashes, store.layout.lacking.isEmpty else { return }
    let options = DiagnosisOptions(integrity: .quick, candidates: CandidateOptions(models: [source]))
    #expect(try diagnose(path: path.description, options: options).deciding?.verdict == .opens, "\(name)")
  }
}
