import StorePropertyLists
import SwiftDataSource

// <key>com.apple.developer.icloud-container-identifiers</key>
// <array><string>iCloud.com.example.notes</string></array>
// <key>com.apple.developer.icloud-services</key>
// <array><string>CloudKit</string></array>

/// The entitlements of apps around the source.
struct Entitlements {
  private let files: [FoundFile]
  /// The paths of those that let an app mirror to CloudKit by default.
  private let mirroring: Set<String>

  init(_ files: [FoundFile]) {
    self.files = files
    mirroring = Set(files.filter(\.hasCloudKit).map(\.path))
  }

  /// Whether there are entitlements, and none of them allows mirroring to CloudKit.
  var denyMirroring: Bool { !files.isEmpty && mirroring.isEmpty }

  /// Of the entitlements nearest to a file, the path of one that lets an app mirror to CloudKit by default.
  ///
  /// Which target a file is built into is not known, so one target with the entitlement is enough.
  func mirroring(_ path: String) -> String? {
    files.nearest(to: path).first { mirroring.contains($0.path) }?.path
  }
}

extension FoundFile {
  /// Whether an app with these entitlements has a CloudKit container. iCloud Drive alone provides none.
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
