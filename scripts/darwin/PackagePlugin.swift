// The part of SwiftPM's PackagePlugin that the plugin uses. The toolchain has the real one as a module for Linux only.
import Foundation

public protocol Plugin { init() }
extension Plugin { public static func main() {} }
public protocol CommandPlugin: Plugin { func performCommand(context: PluginContext, arguments: [String]) async throws }
public struct PluginContext {
  public var package: Package { fatalError() }
  public func tool(named name: String) throws -> Tool { fatalError() }
  public struct Tool { public var url: URL { fatalError() } }
}
public struct Package {
  public var directoryURL: URL { fatalError() }
  public var targets: [any Target] { fatalError() }
  public func targets(named names: [String]) throws -> [any Target] { fatalError() }
}
public protocol Target {
  var name: String { get }
  var directoryURL: URL { get }
}
public protocol SwiftSourceModuleTarget: Target {}
public struct ArgumentExtractor {
  public init(_ arguments: [String]) {}
  public mutating func extractOption(named name: String) -> [String] { fatalError() }
  public var remainingArguments: [String] { fatalError() }
}
