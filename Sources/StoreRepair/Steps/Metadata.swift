import StoreDataModel
import StoreCoreData
import StoreText

extension Workbench {
  /// Corrects digest and checksum, computing them from the hashes in the metadata (SD202, SD203). The hashes themselves
  /// are kept, since nothing tells what else they should be.
  func metadata() -> Decision {
    guard let hashes = store.metadata.hashes else {
      return Decision(
        obstacles: [
          Obstacle(.metadata, "the metadata holds no version hashes to go by (SD201)", refusesPlan: false)
        ])
    }
    let digest = store.metadata.digestIsConsistent == false ? base64(hashes.digest) : nil
    let checksum = store.metadata.checksumIsConsistent == false ? base64(hashes.checksum) : nil
    let names = [digest.map { _ in "digest" }, checksum.map { _ in "checksum" }].compactMap(\.self)
    guard !names.isEmpty else { return Decision() }
    return Decision(
      operations: [
        Operation(
          .metadata, summary: "write the \(names.joined(separator: " and the ")) that the version hashes give",
          .metadata(digest: digest, checksum: checksum), grade: .metadata)
      ])
  }
}
