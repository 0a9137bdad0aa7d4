import StorePropertyLists
import SwiftDataSource

// <key>com.apple.developer.icloud-container-identifiers</key>
// <array><string>iCloud.com.example.notes</string></array>
// <key>com.apple.developer.icloud-services</key>
// <array><string>CloudKit</string></array>

//
// Names like `$(CONTAINER)` are filled in when the app is built; an empty array of containers beside the service CloudKit
// may be filled in when it is signed. Where neither has an entry, there is no CloudKit.

/// The entitlements of apps around the source.
struct Entitlements {
  /// Whether apps may mirror to CloudKit unasked.
  enum Mirroring: Equatable {
    /// By this file.
    case on(String)
    /// This file has CloudKit, and an empty array where its containers stand.
    case possible(String)
    /// There are entitlements, and none has CloudKit.
    case off
    /// There are none, or others than the nearest have CloudKit.
    case unknown
  }

  private let files: [FoundFile]
  /// Xcode's projects, by `project.pbxproj`. Those of one say nothing of the apps of another.
  private let projects: [FoundFile]
  private let states: [String: CloudKitState]

  init(_ surroundings: ProjectFiles) {
    files = surroundings.entitlements
    projects = surroundings.buildSettings
    states = Dictionary(files.map { ($0.path, $0.cloudKit) }) { first, _ in first }
  }

  /// Whether the project of a file has entitlements, and none of them allows mirroring to CloudKit.
  func denyMirroring(_ path: String) -> Bool {
    let own = files.inProject(of: path, among: projects)
    return !own.isEmpty && own.allSatisfy { states[$0.path] == .off }
  }

  /// The entitlements of a file's project that are nearest to it.
  private func nearest(to path: String) -> [FoundFile] {
    files.inProject(of: path, among: projects).nearest(to: path)
  }

  /// The entitlements nearest to a file that name an app group; nil where none of them does.
  func withGroup(_ path: String) -> String? { nearest(to: path).first(where: \.namesAGroup)?.path }

  /// The project of a file that registers app groups, where it has no entitlements that say which.
  func projectWithUnknownGroup(_ path: String) -> String? {
    guard files.inProject(of: path, among: projects).isEmpty else { return nil }
    return projects.nearest(to: path).first { $0.bytes.mention("REGISTER_APP_GROUPS = YES") }?.path
  }

  /// The contents of the entitlements nearest to a file.
  ///
  /// Which target a file is built into is not known, so one target with the entitlement is enough.
  func mirroring(_ path: String) -> Mirroring {
    let nearest = nearest(to: path).map(\.path)
    if let file = nearest.first(where: { states[$0] == .on }) { return .on(file) }
    if let file = nearest.first(where: { states[$0] == .possible }) { return .possible(file) }
    return denyMirroring(path) ? .off : .unknown
  }
}

private enum CloudKitState { case on, possible, off }

extension FoundFile {
  /// Whether an app with these entitlements belongs to an app group.
  fileprivate var namesAGroup: Bool {
    let list = try? PropertyList(bytes, limits: .init(bytes: 1 << 20, objects: 10_000, references: 100_000))
    return list?.root["com.apple.security.application-groups"]?.elements?.isEmpty == false
  }

  /// Whether an app with these entitlements has a CloudKit container. iCloud Drive alone provides none.
  fileprivate var cloudKit: CloudKitState {
    guard let list = try? PropertyList(bytes, limits: .init(bytes: 1 << 20, objects: 10_000, references: 100_000))
    else {
      return .off
    }
    func words(_ key: String) -> [String]? {
      guard let value = list.root["com.apple.developer." + key] else { return nil }
      return value.elements?.compactMap(\.string) ?? [value.string].compactMap(\.self)
    }
    let (services, identifiers) = (words("icloud-services"), words("icloud-container-identifiers"))
    let hasCloudKit = services?.contains { $0.hasPrefix("CloudKit") || $0 == "*" }
    // `$(CONTAINER)` may be nothing, and `iCloud.$(NAME)` is something.
    let areFilledIn = identifiers?.allSatisfy { $0.hasPrefix("$(") && $0.hasSuffix(")") } ?? true
    switch (hasCloudKit, identifiers?.isEmpty) {
    case (true?, false?), (nil, false?): return areFilledIn ? .possible : .on
    // Without services, an empty list of containers is what the key-value store brings.
    case (true?, _): return .possible
    case (false?, false?): return services?.isEmpty ?? true ? .possible : .off
    case (false?, _), (nil, _): return .off
    }
  }
}
