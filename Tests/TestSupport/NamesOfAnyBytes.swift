import StorePlatform
import Testing

/// Whether files may have names that are not UTF-8: Apple's file systems refuse them.
private let takesNamesOfAnyBytes: Bool = {
  guard let folder = try? TemporaryFolder() else { return false }
  let name = Array((folder.path + "/").utf8) + [0xFF]
  let descriptor = open(name.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { return false }
  close(descriptor)
  return true
}()

extension Trait where Self == ConditionTrait {
  /// Skips a test where a file's name has to be UTF-8.
  package static var needsNamesOfAnyBytes: Self {
    .enabled(if: takesNamesOfAnyBytes, "skipped: this file system refuses names that are not UTF-8")
  }
}
