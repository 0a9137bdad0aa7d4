import Foundation

/// The project's own folder.
public enum Project {
  /// Its path, found from where this file was compiled.
  public static let folder = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// The path of a file in it.
  public static func path(_ relative: String) -> String { folder + "/" + relative }
}
