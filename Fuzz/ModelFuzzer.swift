// Fuzzes what makes models: archive, Xcode's XML or JSON to model, hashes, table plan, and back to every form.
// Run with Fuzz/run model.
//
// The first byte says what the others are: 0 an archive, 1 a deflated one as in a model cache, 2 Xcode's XML, 3 JSON,
// 4 a mapping model; modulo 5.

import StoreDataModel
import StoreCoreData
import StoreJSON
import StorePropertyLists

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0, let model = model(start[0] % 5, Array(UnsafeBufferPointer(start: start, count: count).dropFirst()))
  else { return 0 }
  let hashes = model.versionHashes
  precondition(hashes.byEntity.count == model.entities.count)
  for entity in model.entities { _ = model.unprovenRules(of: entity.name) }
  let plan = TablePlan(model, numbers: TablePlan.entityNumbers(of: model))
  for table in plan.tables {
    precondition(Set(table.columns.map(\.name)).count == table.columns.count, "two columns of one name")
  }
  writeAndRead(model, hashes)
  return 0
}

private func model(_ choice: UInt8, _ bytes: [UInt8]) -> Model? {
  switch choice {
  case 0: return archivedModel(bytes)
  case 1: return (try? RawDeflate.inflate(bytes, limit: 4 << 20)).flatMap(archivedModel)
  case 2: return try? XcodeModel(bytes).model
  case 3: return try? ModelDocument(bytes).versions.first?.model
  default:
    if let mapping = try? MappingModel.read(bytes, path: "fuzz.cdm") {
      precondition(mapping.models != nil || mapping.sourceHashes.byEntity.count <= mapping.entityMappings.count)
    }
    return nil
  }
}

private func archivedModel(_ bytes: [UInt8]) -> Model? {
  var limits = PropertyList.Limits()
  limits.bytes = 4 << 20
  return (try? KeyedArchive(bytes, limits: limits)).flatMap { try? ModelArchive.model(from: $0) }
}

/// JSON holds everything. Xcode's XML lists what it does not hold, and if it lists nothing, the hashes stay. An archive
/// does not hold texts that could not be parsed.
private func writeAndRead(_ model: Model, _ hashes: VersionHashes) {
  guard let document = try? ModelDocument(versions: [.init(name: "1", model: model)]) else {
    preconditionFailure("one version is a document")
  }
  let text = document.json().text
  if let again = try? ModelDocument(Array(text.utf8)) {
    precondition(again.versions[0].model.versionHashes == hashes && again.json().text == text, "JSON differs")
  } else {
    // A model may be nested deeper than JSON may be.
    precondition(text.utf8.count > 10_000, "JSON cannot be read back")
  }
  let xcode = XcodeModelWriter(model)
  if xcode.lost.isEmpty {
    precondition((try? XcodeModel(Array(xcode.text.utf8)).model.versionHashes) == hashes, "the XML differs")
  }
  _ = (SwiftDataWriter(model, schemaName: "V").text, MermaidDiagram(model).text, DotDiagram(model).text)
  if let again = try? ModelArchive.model(from: KeyedArchive(ModelArchive.archive(model))) {
    let isSaid = !text.contains("\"text\"")
    precondition(!isSaid || again.versionHashes == hashes, "the archive differs")
  }
}
