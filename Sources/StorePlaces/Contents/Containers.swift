import StorePropertyLists
import StoreSQLite

/// Which app, plug-in or group the containers of a device belong to, whose folders have random names.
package struct Containers {
  private var identifiers: [[UInt8]: String] = [:]

  private static let names = [
    ".com.apple.mobile_container_manager.metadata.plist", ".com.apple.containermanagerd.metadata.plist",
  ]

  /// Whether a file says what the container around it belongs to.
  static func isMetadata(_ name: [UInt8]) -> Bool {
    names.contains { name.count > $0.utf8.count && name.hasSuffix("/" + $0) }
  }

  /// Takes what a file says.
  mutating func add(_ bytes: [UInt8], folder: [UInt8]) {
    if let identifier = Self.identifier(in: bytes) { identifiers[folder] = identifier }
  }

  private static func identifier(in bytes: [UInt8]) -> String? {
    guard case .dictionary(let members)? = try? PropertyList(bytes).value(),
      case .string(let identifier)? = members["MCMMetadataIdentifier"]
    else { return nil }
    return identifier
  }

  /// The app, plug-in or group in whose container a file of the file system lies; nil where no folder around it says so.
  package static func identifier(around file: PosixPath) -> String? {
    var folder = SetFinder.folder(of: file.bytes)
    for _ in 0..<mostLevels where !folder.isEmpty {
      for name in names {
        let path = PosixPath(bytes: folder + Array(name.utf8))
        if FileSystem.kind(of: path, followingLinks: false) == .file, let list = try? EvidenceFile(path),
          list.size <= PlaceLimits.standard.containerListBytes,
          let bytes = try? list.read(at: 0, count: Int(list.size)), let identifier = identifier(in: bytes)
        {
          return identifier
        }
      }
      folder = SetFinder.folder(of: Array(folder.dropLast()))
    }
    return nil
  }

  private static let mostLevels = 24

  /// The innermost container around a file.
  func identifier(of name: [UInt8]) -> String? {
    guard !identifiers.isEmpty else { return nil }
    for slash in name.indices.reversed() where name[slash] == UInt8(ascii: "/") {
      if let identifier = identifiers[Array(name[...slash])] { return identifier }
    }
    return nil
  }
}
