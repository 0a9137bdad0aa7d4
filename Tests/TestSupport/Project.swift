import Foundation

/// The project's own folder.
package enum Project {
  /// Its path, found from where this file was compiled.
  package static let folder = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// The path of a file in it.
  package static func path(_ relative: String) -> String { folder + "/" + relative }
}
