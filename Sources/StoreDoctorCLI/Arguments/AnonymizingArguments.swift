import ArgumentParser
import StoreAnonymizing
import StoreSQLite
import StoreWords
import StoreYAML

extension AnonymizingSizes: ExpressibleByArgument {}

extension AnonymizingPolicy {
  /// The policy in the file of `--policy`.
  init(file path: String) throws {
    let file = try EvidenceFile(PosixPath(argument: path))
    let bytes = try file.read(at: 0, count: Int(clamping: min(file.size, 1 << 20)))
    do throws(YAMLError) {
      self = try AnonymizingPolicy(yaml: bytes)
    } catch {
      throw ValidationError("--policy \(quoted(path)): \(error)")
    }
  }
}
