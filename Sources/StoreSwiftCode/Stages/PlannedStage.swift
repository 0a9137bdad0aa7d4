import StoreDataModel
import StoreText

/// A stage of an app's plan.
package enum PlannedStage: Sendable {
  /// A lightweight one, with the names of its versions and the checksums of their models.
  case lightweight([(name: String, checksum: [UInt8])])
  /// One with code, from a version to another.
  case custom(from: String, to: String)
}

extension [PlannedStage] {
  /// The lines that make its lightweight stages, and what stands for each stage in the list of all.
  ///
  /// - Parameter own: what stands for a custom stage whose code is written; nil for one that is the app's own.
  func listing(_ own: (_ from: String, _ to: String) -> [String]?) -> (lines: [String], parts: [String]) {
    var (lines, parts) = ([String](), [String]())
    for stage in self {
      switch stage {
      case .lightweight(let versions):
        let names = versions.map(\.name).joined(separator: ", ")
        let variable = "light\(parts.count + 1)"
        lines.append("  let \(variable) = NSLightweightMigrationStage([  // \(StageNames.comment(names))")
        lines += versions.map { "    \(SwiftDataTypes.literal(base64($0.checksum)))," } + ["  ])"]
        lines.append("  \(variable).label = \(SwiftDataTypes.literal(names))")
        parts.append(variable)
      case .custom(let from, let to):
        if let made = own(from, to) {
          parts += made
        } else {
          lines.append(
            "  // Needed: the app's own stage from '\(StageNames.comment(from))' to '\(StageNames.comment(to))'.")
        }
      }
    }
    return (lines, parts)
  }
}
