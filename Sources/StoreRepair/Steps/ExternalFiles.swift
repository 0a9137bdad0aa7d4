import StoreWords
import StoreScanning
import StoreCoreData

extension Workbench {
  /// Moves files out of `_EXTERNAL_DATA` that no row references (SD602).
  func externalFiles() throws -> Decision {
    guard store.model != nil else {
      return .refusal(
        .externalFiles, message: "without a model nobody knows which values may lie in files; --store-model")
    }
    let scan = scan()
    let columns = scan.externalColumns()
    try scan.read()
    guard columns.allSatisfy({ $0.holder.damage == nil }) else {
      return .refusal(
        .externalFiles, message: "a table cannot be read whole (SD102), and may name the files in the rest")
    }
    let others = store.databasesWithSameSupportFolder()
    guard others.isEmpty else {
      return .refusal(
        .externalFiles,
        message:
          "\(others.map(quoted).joined(separator: ", ")) may keep values in the same folder: it is not known whose "
          + "the files are")
    }
    let named = Set(columns.flatMap { $0.references.map(\.file) })
    let orphans = store.externalFiles().known
      .filter { name in ExternalFileName(name).map { !named.contains($0) } == true }
      .map { String(decoding: $0, as: UTF8.self) }
    return Decision(
      operations: orphans.sorted(by: codeUnitsPrecede).map { name in
        Operation(
          .externalFiles, summary: "move file \(name), which no row names, aside", .moveExternalFile(name),
          grade: .lossy)
      })
  }
}
