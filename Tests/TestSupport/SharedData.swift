import Foundation
import Testing

/// The ground truth that lies beside the project where it is developed: real stores and vectors, never copied into it.
public enum SharedData {
  /// The folder, when it is there.
  public static let folder: String? = {
    let project = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let folder = "/\(project)/../shared"
    return FileManager.default.fileExists(atPath: folder + "/corpus-real/catalogue.json") ? folder : nil
  }()

  /// Whether tests that need it can run.
  public static var isPresent: Bool { folder != nil }

  /// The path of a file or folder in it.
  public static func path(_ relative: String) -> String { (folder ?? "/missing") + "/" + relative }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test, saying so, where the ground truth is absent.
  public static var needsSharedData: Self { .enabled(if: SharedData.isPresent, "skipped: no ../shared") }
}
