import StorePlatform

/// The files of one model: a single file, or a bundle and the files in it.
///
/// Files are only opened for reading, without waiting for the writer of a FIFO and, if the system permits, without
/// changing the access time. A bundle may be a link and may contain links, but not to targets outside of it: an
/// unpacked bundle must not be able to make its reader read other files.
struct ModelFiles {
  /// The kinds of things at a path.
  enum Kind { case file, folder }

  /// The largest file that is read; the largest real model archive (Photos) has 1 MB.
  static let maximumFileSize = 64 << 20
  /// The most bytes of all files of one bundle together.
  static let maximumBundleSize = 512 << 20
  /// The most names in one folder.
  static let maximumNames = 10_000

  /// The path as given, for errors.
  let path: String
  /// The kind of thing.
  let kind: Kind
  /// The path with all links followed.
  private let root: String
  /// The files of a model that does not lie in the file system, by their names in it; "" is that of a single one.
  private let members: [String: [UInt8]]?
  private var remaining = maximumBundleSize

  /// Files in memory, such as those of an archive.
  init(path: String, members: [String: [UInt8]]) {
    self.path = path
    root = path
    kind = members[""] == nil ? .folder : .file
    self.members = members
  }

  init(path: String) throws(ModelSourceError) {
    self.path = path
    members = nil
    root = try Self.resolved(path, shown: path)
    kind = try Self.kind(of: root, shown: path)
  }

  /// The path of something inside the bundle, for errors; the model's own path if `name` is empty.
  func shown(_ name: String) -> String {
    name.isEmpty ? path : (path.hasSuffix("/") ? path : path + "/") + name
  }

  /// The names in the bundle or a folder in it, unsorted and without "." and "..".
  func names(in folder: String = "") throws(ModelSourceError) -> [String] {
    if let members { return Self.names(of: members, in: folder) }
    let place = try resolvedInside(folder)
    guard let directory = opendir(place) else { throw .system(errno, at: shown(folder)) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      guard names.count < Self.maximumNames else {
        throw ModelSourceError(
          shown(folder), .refused, message: "more than \(Self.maximumNames) files in a model bundle")
      }
      names.append(name)
    }
    return names
  }

  /// The kind of an entry of the bundle; nil if it does not exist.
  func kind(of name: String) throws(ModelSourceError) -> Kind? {
    if let members {
      if members[name] != nil { return .file }
      return members.keys.contains { $0.hasPrefix(name + "/") } ? .folder : nil
    }
    var status = stat()
    guard lstat(root + "/" + name, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .system(errno, at: shown(name))
    }
    return try Self.kind(of: try resolvedInside(name), shown: shown(name))
  }

  /// The bytes of a file in the bundle; of the single file if `name` is empty.
  mutating func read(_ name: String = "") throws(ModelSourceError) -> [UInt8] {
    let bytes: [UInt8]
    if let members {
      guard let found = members[name] else { throw .system(ENOENT, at: shown(name)) }
      bytes = found
    } else {
      bytes = try Self.read(try resolvedInside(name), shown: shown(name))
    }
    remaining -= min(bytes.count, remaining)
    guard remaining > 0 else {
      throw ModelSourceError(
        path, .refused, message: "its files are more than \(Self.maximumBundleSize) bytes together")
    }
    return bytes
  }

  private static func names(of members: [String: [UInt8]], in folder: String) -> [String] {
    let prefix = folder.isEmpty ? "" : folder + "/"
    let rest = members.keys.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
    return Set(rest.compactMap { $0.split(separator: "/").first }).map(String.init)
  }

  // MARK: Links

  private func resolvedInside(_ name: String) throws(ModelSourceError) -> String {
    guard !name.isEmpty else { return root }
    let resolved = try Self.resolved(root + "/" + name, shown: shown(name))
    guard resolved.utf8.starts(with: (root == "/" ? root : root + "/").utf8) else {
      throw ModelSourceError(shown(name), .refused, message: "a link that leads out of the model bundle")
    }
    return resolved
  }

  private static func resolved(_ path: String, shown: String) throws(ModelSourceError) -> String {
    guard !path.utf8.contains(0) else { throw .system(ENOENT, at: shown) }
    guard let real = realpath(path, nil) else { throw .system(errno, at: shown) }
    defer { free(real) }
    return String(cString: real)
  }

  // MARK: Reading

  private static func kind(of path: String, shown: String) throws(ModelSourceError) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(errno, at: shown) }
    return try kind(status, shown: shown)
  }

  private static func kind(_ status: stat, shown: String) throws(ModelSourceError) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: throw ModelSourceError(shown, .refused, message: "not a regular file")
    }
  }

  /// `path` is free of links; a link put in its place meanwhile is not followed.
  private static func read(_ path: String, shown: String) throws(ModelSourceError) -> [UInt8] {
    // Checked before opening: opening a FIFO wakes its writer, and opening a tape rewinds it.
    try requireFile(try kind(of: path, shown: shown), shown: shown)
    let descriptor = try openWithoutTrace(path, shown: shown)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno, at: shown) }
    try requireFile(try kind(status, shown: shown), shown: shown)
    guard status.st_size <= maximumFileSize else {
      // A store of any size may contain a model, so it gets its own error.
      let head = try read(16, from: descriptor, shown: shown)
      if head.starts(with: "SQLite format 3\0".utf8) { throw .database(shown) }
      throw ModelSourceError(shown, .refused, message: "\(status.st_size) bytes, more than \(maximumFileSize)")
    }
    return try read(Int(status.st_size), from: descriptor, shown: shown)
  }

  private static func requireFile(_ kind: Kind, shown: String) throws(ModelSourceError) {
    guard kind == .file else { throw ModelSourceError(shown, .refused, message: "a folder where a file is expected") }
  }

  private static func openWithoutTrace(_ path: String, shown: String) throws(ModelSourceError) -> Int32 {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW
    if let withoutAccessTime = Platform.withoutAccessTime {
      let descriptor = retrying { open(path, flags | withoutAccessTime) }
      if descriptor >= 0 { return descriptor }
      // open(2): EPERM if the file belongs to another user.
      guard errno == EPERM else { throw .system(errno, at: shown) }
    }
    let descriptor = retrying { open(path, flags) }
    guard descriptor >= 0 else { throw .system(errno, at: shown) }
    return descriptor
  }

  private static func read(
    _ size: Int, from descriptor: Int32, shown: String
  ) throws(ModelSourceError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, done in
      while done < size {
        let part = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done..<size])
        let count = retrying { readOnce(descriptor, part) }
        if count < 0 { failure = errno }
        if count <= 0 { break }
        done += count
      }
    }
    guard failure == 0 else { throw .system(failure, at: shown) }
    return bytes
  }

  private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

private func readOnce(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
