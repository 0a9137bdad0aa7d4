import Foundation

/// The folder of what the build made, which the test bundle lies in.
package enum BuiltProducts {
  /// The path of a program beside the test bundle.
  package static func path(of program: String) -> String {
    #if os(macOS)
      // The tests are run by a program of Xcode; their bundle, a folder in the folder of the products, is one of those that
      // it has loaded.
      let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" } ?? Bundle.main.bundleURL
    #else
      let bundle = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    #endif
    var folder = bundle.deletingLastPathComponent()
    while folder.path.count > 1, !FileManager.default.fileExists(atPath: folder.path + "/" + program) {
      folder.deleteLastPathComponent()
    }
    return folder.path + "/" + program
  }
}
