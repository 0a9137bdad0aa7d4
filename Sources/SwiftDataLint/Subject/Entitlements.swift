import StorePropertyLists
import SwiftDataSource

// <key>com.apple.developer.icloud-container-identifiers</key>
// <array><string>iCloud.com.example.notes</string></array>
// <key>com.apple.developer.icloud-services</key>
// <array><string>CloudKit</string></array>

/// What the apps around the source may do.
struct Entitlements {
  private let files: [FoundFile]
  /// Those by which an app mirrors to CloudKit unasked.
  private let mirroring: Set<String>

  init(_ files: [FoundFile]) {
    self.files = files
    mirroring = Set(files.filter(\.hasCloudKit).map(\.path))
  }

  /// Whether they are at hand, and let no app mirror to CloudKit.
  var denyMirroring: Bool { !files.isEmpty && mirroring.isEmpty }

  /// The path of those by which an app mirrors to CloudKit unasked, of those nearest to a file.
  ///
  /// Which target a file is built into is not known, so one target with the entitlement is enough.
  func mirroring(_ path: String) -> String? {
    files.nearest(to: path).first { mirroring.contains($0.path) }?.path
  }
}

extension FoundFile {
  /// Whether an app with these entitlements has a container of CloudKit. iCloud Drive alone gives none.
  fileprivate var hasCloudKit: Bool {
    guard let list = try? PropertyList(bytes, limits: .init(bytes: 1 << 20, objects: 10_000, references: 100_000))
    else {
      return false
    }
    func words(_ key: String) -> [String]? {
      guard let value = list.root["com.apple.developer." + key] else { return nil }
      return value.elements?.compactMap(\.string) ?? [value.string].compactMap(\.self)
    }
    let services = words("icloud-services") ?? ["CloudKit"]
    let identifiers = words("icloud-container-identifiers") ?? []
    return services.contains { $0.hasPrefix("CloudKit") || $0 == "*" } && !identifiers.isEmpty
  }
}
