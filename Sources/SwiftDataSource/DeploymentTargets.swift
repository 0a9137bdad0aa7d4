import StoreDataModel
import SwiftSyntax

/// The oldest system a product runs on.
package struct DeploymentTarget {
  /// For messages: "iOS 17.0".
  package var system: String
  /// The file that states it.
  package var path: String
  /// Whether it is one of the first systems with SwiftData, or older.
  package var isFirstWithSwiftData: Bool
  /// Whether it has `#Unique`, as iOS 18 has.
  package var hasUniqueMacro: Bool

  /// Nil for another platform, and for an invalid version.
  init?(_ platform: String, _ version: String, path: String) {
    guard let known = SwiftDataSystem(platform, version: version), platform != "visionOS" else { return nil }
    system = "\(platform) \(known.major).\(known.minor)"
    self.path = path
    isFirstWithSwiftData = known.isFirstWithSwiftData
    hasUniqueMacro = known.hasUniqueMacro
  }
}

/// The deployment targets stated by package manifests and Xcode projects around the source.
package struct DeploymentTargets {
  private let files: ProjectFiles
  /// By the path of the file that states them.
  private let targets: [String: [DeploymentTarget]]

  package init(_ files: ProjectFiles) {
    self.files = files
    let names = NameTable(files: SourceFile.around(files.manifests))
    let manifests = names.files.indices.map { (names.files[$0].path, names.platforms(ofManifest: $0)) }
    let projects = files.buildSettings.map { ($0.path, $0.targets) }
    targets = Dictionary(manifests + projects) { first, _ in first }
  }

  /// The targets of the package and the project nearest to a file.
  package func nearest(to path: String) -> [DeploymentTarget] {
    (files.manifests.nearest(to: path) + files.buildSettings.nearest(to: path)).flatMap { targets[$0.path] ?? [] }
  }
}

extension NameTable {
  /// Reads `platforms: [.iOS(.v17), .macOS("14.2")]` in a manifest.
  fileprivate func platforms(ofManifest number: Int) -> [DeploymentTarget] {
    let file = files[number]
    guard let code = code(SourceSpan(start: 0, end: file.bytes.count), as: .file, in: number) else { return [] }
    let list = code.syntax.allNodes.lazy.compactMap { $0.as(LabeledExprSyntax.self) }
      .first { $0.label?.text == "platforms" }
    guard let list, case .array(let elements) = SourceExpression(list.expression).kind else { return [] }
    return elements.prefix(32).compactMap { element in
      guard let (callee, arguments) = element.call, let platform = callee.memberName,
        let value = arguments.first?.value
      else { return nil }
      // `.v10_15`
      let version =
        value.stringValue ?? value.memberName.map { $0.dropFirst().split(separator: "_").joined(separator: ".") }
      return version.flatMap { DeploymentTarget(platform, $0, path: file.path) }
    }
  }
}

extension FoundFile {
  private static let settings = [
    "IPHONEOS": "iOS", "MACOSX": "macOS", "TVOS": "tvOS", "WATCHOS": "watchOS",
  ]

  /// Reads `IPHONEOS_DEPLOYMENT_TARGET = 17.0;` in all configurations of a project, since it is not known which one
  /// applies.
  fileprivate var targets: [DeploymentTarget] {
    var seen: Set<String> = []
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
      let words = line.split { " \t=;\"".contains($0) }
      guard words.count == 2, words[0].hasSuffix("_DEPLOYMENT_TARGET"),
        let platform = Self.settings[String(words[0].dropLast("_DEPLOYMENT_TARGET".count))],
        seen.insert("\(platform) \(words[1])").inserted
      else { return nil }
      return DeploymentTarget(platform, String(words[1]), path: path)
    }
  }
}
