import Foundation
import StoreDataModel
import TestSupport

/// A `.xcdatamodeld` made by a test.
enum ModelBundle {
  /// Writes the versions, given in the notation of ``ModelNotation``; the last is current.
  static func write(_ versions: [(name: String, model: [String])], to bundle: String) throws {
    for (name, model) in versions {
      let version = "\(bundle)/\(name).xcdatamodel"
      try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
      try XcodeModelWriter(ModelNotation.model(model)).text.write(
        toFile: version + "/contents", atomically: true, encoding: .utf8)
    }
    let current =
      "<plist><dict><key>_XCCurrentVersionName</key><string>\(versions.last?.name ?? "").xcdatamodel</string></dict></plist>"
    try current.write(toFile: bundle + "/.xccurrentversion", atomically: true, encoding: .utf8)
  }
}
