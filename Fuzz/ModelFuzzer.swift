// Fuzzes what makes models: archive or Xcode's XML to model, hashes, table plan, and back to an archive.
// Run with Fuzz/run model.

import CoreDataModel
import CoreDataStore
import PropertyLists

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start, count: count).dropFirst())
  var limits = PropertyList.Limits()
  limits.bytes = 4 << 20
  guard let model = start[0] & 2 == 0 ? archivedModel(bytes, limits, start[0]) : try? XcodeModel(bytes).model else {
    return 0
  }
  let hashes = model.versionHashes
  precondition(hashes.byEntity.count == model.entities.count)
  for entity in model.entities { _ = model.unprovenRules(of: entity.name) }
  let plan = TablePlan(model, numbers: TablePlan.entityNumbers(of: model))
  for table in plan.tables {
    precondition(Set(table.columns.map(\.name)).count == table.columns.count, "two columns of one name")
  }
  // What was read can be written, and reads back to the same model; of Xcode's texts an archive can hold but some.
  if start[0] & 2 != 0 { return 0 }
  if let again = try? ModelArchive.model(from: KeyedArchive(ModelArchive.archive(model))) {
    precondition(again.versionHashes == hashes, "another model after writing and reading")
  }
  return 0
}

/// The first byte chooses between a bare archive and a deflated one, as in a model cache.
private func archivedModel(_ bytes: [UInt8], _ limits: PropertyList.Limits, _ choice: UInt8) -> Model? {
  let archived = choice & 1 == 0 ? bytes : (try? RawDeflate.inflate(bytes, limit: 4 << 20)) ?? []
  return (try? KeyedArchive(archived, limits: limits)).flatMap { try? ModelArchive.model(from: $0) }
}
