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
    if let identifier = Self.identifier(ofList: bytes) { identifiers[folder] = identifier }
  }

  private static func identifier(ofList bytes: [UInt8]) -> String? {
    guard case .dictionary(let members)? = try? PropertyList(bytes).value(),
      case .string(let identifier)? = members["MCMMetadataIdentifier"]
    else { return nil }
    return identifier
  }

  /// The app, plug-in or group in whose container a file of the file system lies; nil where no folder around it says so.
  package static func identifier(around file: PosixPath) -> String? {
    var known = KnownContainers()
    return known.identifier(around: file)
  }

  /// What the list in a folder says; nil where there is none.
  fileprivate static func identifier(in folder: [UInt8]) -> String? {
    for name in names {
      let path = PosixPath(bytes: folder + Array(name.utf8))
      if FileSystem.kind(of: path, followingLinks: false) == .file, let list = try? EvidenceFile(path),
        list.size <= PlaceLimits.standard.containerListBytes,
        let bytes = try? list.read(at: 0, count: Int(list.size)), let identifier = identifier(ofList: bytes)
      {
        return identifier
      }
    }
    return nil
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

/// What is known of folders around files, so that each is looked at once for all that lies in it.
package struct KnownContainers {
  /// By folder, with its slash: the container around it, or that there is none.
  private var known: [[UInt8]: String?] = [:]

  /// The most folders that are kept, and that are looked at around a file.
  private static let (mostKept, mostLevels) = (10_000, 24)

  /// Nothing so far.
  package init() {}

  /// The app, plug-in or group in whose container a file lies; nil where no folder around it says so.
  package mutating func identifier(around file: PosixPath) -> String? {
    var folder = SetFinder.folder(of: file.bytes)
    var passed: [[UInt8]] = []
    var found: String?
    for _ in 0..<Self.mostLevels where !folder.isEmpty {
      if let before = known[folder] {
        found = before
        break
      }
      passed.append(folder)
      if let identifier = Containers.identifier(in: folder) {
        found = identifier
        break
      }
      folder = SetFinder.folder(of: Array(folder.dropLast()))
    }
    if known.count + passed.count > Self.mostKept { known = [:] }
    for folder in passed { known[folder] = .some(found) }
    return found
  }
}
