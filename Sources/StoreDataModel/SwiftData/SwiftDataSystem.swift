/// A system that runs SwiftData, by its oldest version that is meant: iOS 17.0.
package struct SwiftDataSystem: Sendable, Hashable {
  package let platform: String
  package let major: Int
  package let minor: Int

  /// The first major versions with SwiftData.
  private static let first = [
    "iOS": 17, "macOS": 14, "tvOS": 17, "watchOS": 10, "macCatalyst": 17, "visionOS": 1,
  ]

  /// Nil for another platform, and for an invalid version.
  package init?(_ platform: String, version: String) {
    let numbers = version.split(separator: ".").map { Int($0) }
    guard Self.first[platform] != nil, let major = numbers.first ?? nil else { return nil }
    self.platform = platform
    self.major = major
    minor = numbers.dropFirst().first.flatMap(\.self) ?? 0
  }

  private var first: Int { Self.first[platform] ?? 0 }

  /// Whether it is the first version with SwiftData, or older. That of visionOS came later than the others.
  package var isFirstWithSwiftData: Bool {
    platform != "visionOS" && (major < first || (major == first && minor == 0))
  }

  /// Whether it has the macros `#Unique` and `#Index`, as iOS 18 has.
  package var hasUniqueMacro: Bool { major > first }

  /// The platforms, as they are written.
  package static var platforms: [String] { first.keys.sorted() }
}
