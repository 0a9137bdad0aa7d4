import Foundation
import Testing

/// Real stores and vectors beside the project where it is developed; they are never copied into it.
package enum SharedData {
  /// The folder; nil if there is none.
  package static let folder: String? = {
    let project = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let folder = "/\(project)/../shared"
    return FileManager.default.fileExists(atPath: folder + "/corpus-real/catalogue.json") ? folder : nil
  }()

  /// Whether tests that need it can run.
  package static var isPresent: Bool { folder != nil }

  /// The path of a file or folder in it.
  package static func path(_ relative: String) -> String { (folder ?? "/missing") + "/" + relative }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test, with a message, if the shared data is missing.
  package static var needsSharedData: Self { .enabled(if: SharedData.isPresent, "skipped: no ../shared") }
}
