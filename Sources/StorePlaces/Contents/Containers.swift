import StorePropertyLists

/// Which app, plug-in or group the containers of a device belong to, whose folders have random names.
struct Containers {
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
    guard case .dictionary(let members)? = try? PropertyList(bytes).value(),
      case .string(let identifier)? = members["MCMMetadataIdentifier"]
    else { return }
    identifiers[folder] = identifier
  }

  /// The innermost container around a file.
  func identifier(of name: [UInt8]) -> String? {
    guard !identifiers.isEmpty else { return nil }
    for slash in name.indices.reversed() where name[slash] == UInt8(ascii: "/") {
      if let identifier = identifiers[Array(name[...slash])] { return identifier }
    }
    return nil
  }
}
