import StoreDataModel
import StoreCoreData
import Foundation
import StoreSQLite
import StoreGenerator
import TestSupport
import Testing

/// The bundled stores and models are up to date with the generator, and can be read completely.
@Suite struct CorpusTests {
  @Test(arguments: [
    "Notes.sqlite", "Shapes.sqlite", "Club.sqlite", "Shop.sqlite", "School.sqlite", "SchoolBridge.sqlite",
    "Guests.sqlite", "Trips/1.0.store", "Trips/2.0.store", "Trips/2.1-beta.store",
  ])
  func bundledStoresAreUpToDate(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder(name.split(separator: "/").joined(separator: "-"))
    try write(name, to: path)
    // Bytes 96 to 99 are the version of the SQLite library that wrote the file, 24 to 27 and 92 to 95 follow it.
    #expect(
      try dump(path) == dump(Project.path("corpus/\(name)")), "run 'make corpus' and look at what changed")
  }

  @Test(arguments: [
    "Notes.sqlite", "Shapes.sqlite", "Club.sqlite", "Shop.sqlite", "School.sqlite", "SchoolBridge.sqlite",
    "Guests.sqlite", "Trips/1.0.store", "Trips/2.0.store", "Trips/2.1-beta.store",
  ])
  func bundledStoresReadBackWhole(_ name: String) throws {
    let store = try Store(path: Project.path("corpus/\(name)"))
    #expect(store.problems == [])
    #expect(store.layout.unexplained == [])
    #expect(store.computedHashes == store.metadata.hashes)
    for entity in store.layout.entities {
      for attribute in entity.attributes {
        #expect(!attribute.columns.contains { $0.name == nil }, "\(entity.name).\(attribute.property.name)")
      }
    }
  }

  @Test(arguments: ["Guests", "Notes", "School"]) func bundledModelsAreUpToDate(_ name: String) throws {
    let bundle = Project.path("corpus/\(name).xcdatamodeld")
    let files =
      switch name {
      case "Guests": try SampleBundle.guests()
      case "Notes": try SampleBundle.notes()
      case _: try SampleBundle.school()
      }
    let written = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) })
    let paths = try FileManager.default.subpathsOfDirectory(atPath: bundle).filter { !$0.hasSuffix(".xcdatamodel") }
    #expect(Set(paths) == Set(written.keys), "run 'make corpus' and look at what changed")
    for path in paths {
      let text = String(decoding: try contents(of: bundle + "/" + path), as: UTF8.self)
      #expect(text == written[path], "\(path): run 'make corpus' and look at what changed")
    }
  }

  @Test func bundledModelsReadBackWhole() throws {
    let source = try ModelSource.read(Project.path("corpus/Notes.xcdatamodeld"))
    #expect(source.versions.map(\.name) == ["Notes", "Notes 2", "Notes 3"])
    #expect(source.currentVersionName == "Notes 3")
    #expect(source.versions.map(\.model) == (try SampleModels.notesVersions().map(\.model)))
    #expect(source.versions.flatMap(\.unknown).isEmpty)
    let store = try Store(path: Project.path("corpus/Notes.sqlite"))
    #expect(source.versions[1].model == store.modelCache.model)
  }

  @Test func theSchoolsStoresAreOfItsFirstVersions() throws {
    let source = try ModelSource.read(Project.path("corpus/School.xcdatamodeld"))
    #expect(source.versions.map(\.model) == (try SampleModels.schoolVersions().map(\.model)))
    for (store, version) in [("School", 0), ("SchoolBridge", 1)] {
      #expect(
        try Store(path: Project.path("corpus/\(store).sqlite")).modelCache.model == source.versions[version].model)
    }
  }

  private func write(_ name: String, to path: String) throws {
    switch name {
    case "Notes.sqlite": try SampleStores.writeNotes(to: path)
    case "Guests.sqlite": try SampleStores.writeGuests(to: path)
    case "Club.sqlite": try SampleStores.writeClub(to: path)
    case "Shop.sqlite": try SampleStores.writeShop(to: path)
    case "School.sqlite": try SampleStores.writeSchool(to: path)
    case "SchoolBridge.sqlite": try SampleStores.writeSchoolBridge(to: path)
    case "Shapes.sqlite": try SampleStores.writeShapes(to: path)
    default:
      let build = try #require(SampleModels.TripsBuild(rawValue: name.replacing("Trips/", with: "")))
      try SampleStores.writeTrips(of: build, to: path)
    }
  }

  /// Every row of every table, as text.
  private func dump(_ path: String) throws -> [String] {
    let connection = try Connection(reading: DatabaseFiles(path: path))
    var lines: [String] = []
    for object in try connection.schema() {
      lines.append(object.sql ?? object.name)
      guard object.isOrdinaryTable else { continue }
      let rows = try connection.prepare("SELECT * FROM \(quotedIdentifier(object.name))")
      while try rows.step() {
        let values = (0..<rows.columnCount).map { column in
          rows.kind(column) == .blob ? "\(rows.blob(column) ?? [])" : rows.string(column) ?? "NULL"
        }
        lines.append("\(object.name): \(values.joined(separator: " | "))")
      }
    }
    return lines
  }
}
