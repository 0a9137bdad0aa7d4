import Foundation
import PackagePlugin

/// `swift package storedoctor-lint [OPTION]...`: runs an installed `storedoctor lint` over the sources of the package.
///
/// The plugin does not depend on the program's target: that would have every package that uses it build swift-syntax,
/// which takes about ten minutes. In the package that a release has, the program comes with it.
@main struct StoreDoctorLint: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var extractor = ArgumentExtractor(arguments)
    let names = extractor.extractOption(named: "target")
    let targets = try names.isEmpty ? context.package.targets : context.package.targets(named: names)
    let folders = targets.compactMap { $0 as? SwiftSourceModuleTarget }.map(\.directoryURL.path)
    guard !folders.isEmpty else { throw PluginError("the package has no target with Swift source") }
    let rest = extractor.remainingArguments
    let format = rest.contains { $0 == "--format" || $0.hasPrefix("--format=") } ? [] : ["--format", "xcode"]

    let lint = Process()
    lint.executableURL = try program(context)
    // Options come first: a list of paths may follow any of them.
    lint.arguments = ["lint"] + format + rest + folders
    lint.currentDirectoryURL = context.package.directoryURL
    do { try lint.run() } catch {
      throw PluginError("cannot run '\(lint.executableURL?.path ?? "")': \(error.localizedDescription)")
    }
    lint.waitUntilExit()
    switch lint.terminationStatus {
    case 0: return
    case 1: throw PluginError("there are findings at the gate (--fail-on)")
    default: throw PluginError("'storedoctor lint' ended with status \(lint.terminationStatus)")
    }
  }

  /// The program that `STOREDOCTOR` names, that came with the plugin, or the first in `PATH`.
  private func program(_ context: PluginContext) throws -> URL {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["STOREDOCTOR"], !path.isEmpty {
      guard FileManager.default.isExecutableFile(atPath: path) else {
        throw PluginError("STOREDOCTOR names '\(path)', which is not a program")
      }
      return URL(fileURLWithPath: path)
    }
    if let tool = try? context.tool(named: "storedoctor") { return tool.url }
    // Xcode starts plugins with a short PATH.
    let folders =
      (environment["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/local/bin", "/opt/homebrew/bin"]
    for folder in folders where FileManager.default.isExecutableFile(atPath: folder + "/storedoctor") {
      return URL(fileURLWithPath: folder + "/storedoctor")
    }
    throw PluginError(
      "'storedoctor' is not installed: it is neither in PATH nor in /usr/local/bin; 'make install' in its repository puts "
        + "it there, or STOREDOCTOR=/path/to/storedoctor says where it is")
  }
}

/// An error in words.
private struct PluginError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
