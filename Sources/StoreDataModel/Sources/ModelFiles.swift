#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The files of one model: a single file, or a bundle with everything in it and nothing outside.
///
/// Files are opened for reading only, without waiting for a FIFO's writer and, where the system permits, without a new
/// access time. A bundle may be a link, and may have links inside; one that leads out of it is refused, because
/// a bundle that was unpacked from somewhere must not be able to name files of its reader.
struct ModelFiles {
  /// What is at a path.
  enum Kind { case file, folder }

  /// The largest file that is read; the largest real model archive (Photos) has 1 MB.
  static let maximumFileSize = 64 << 20
  /// All files of one bundle together.
  static let maximumBundleSize = 512 << 20
  /// Names in one folder.
  static let maximumNames = 10_000

  /// The path as it was given, for errors.
  let path: String
  /// What is there.
  let kind: Kind
  /// The path with all links followed.
  private let root: String
  private var remaining = maximumBundleSize

  init(path: String) throws(ModelSourceError) {
    self.path = path
    root = try Self.resolved(path, shown: path)
    kind = try Self.kind(of: root, shown: path)
  }

  /// The path of something inside, for errors; the model's own path for the empty name.
  func shown(_ name: String) -> String {
    name.isEmpty ? path : (path.hasSuffix("/") ? path : path + "/") + name
  }

  /// The names in the bundle, or in a folder in it, in no order and without "." and "..".
  func names(in folder: String = "") throws(ModelSourceError) -> [String] {
    let place = try resolvedInside(folder)
    guard let directory = opendir(place) else { throw .system(errno, shown(folder)) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      guard names.count < Self.maximumNames else {
        throw ModelSourceError(shown(folder), .refused, "more than \(Self.maximumNames) files in a model bundle")
      }
      names.append(name)
    }
    return names
  }

  /// What is inside under a name; nil when there is nothing.
  func kind(of name: String) throws(ModelSourceError) -> Kind? {
    var status = stat()
    guard lstat(root + "/" + name, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .system(errno, shown(name))
    }
    return try Self.kind(of: try resolvedInside(name), shown: shown(name))
  }

  /// The bytes of a file inside, or of the single file for the empty name.
  mutating func read(_ name: String = "") throws(ModelSourceError) -> [UInt8] {
    let bytes = try Self.read(try resolvedInside(name), shown: shown(name))
    remaining -= min(bytes.count, remaining)
    guard remaining > 0 else {
      throw ModelSourceError(path, .refused, "its files are more than \(Self.maximumBundleSize) bytes together")
    }
    return bytes
  }

  // MARK: Links

  private func resolvedInside(_ name: String) throws(ModelSourceError) -> String {
    guard !name.isEmpty else { return root }
    let resolved = try Self.resolved(root + "/" + name, shown: shown(name))
    guard resolved.utf8.starts(with: (root == "/" ? root : root + "/").utf8) else {
      throw ModelSourceError(shown(name), .refused, "a link that leads out of the model bundle")
    }
    return resolved
  }

  private static func resolved(_ path: String, shown: String) throws(ModelSourceError) -> String {
    guard !path.utf8.contains(0) else { throw .system(ENOENT, shown) }
    guard let real = realpath(path, nil) else { throw .system(errno, shown) }
    defer { free(real) }
    return String(cString: real)
  }

  // MARK: Reading

  private static func kind(of path: String, shown: String) throws(ModelSourceError) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(errno, shown) }
    return try kind(status, shown: shown)
  }

  private static func kind(_ status: stat, shown: String) throws(ModelSourceError) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: throw ModelSourceError(shown, .refused, "not a regular file")
    }
  }

  /// `path` has no links left; one that is put in its place meanwhile is not followed.
  private static func read(_ path: String, shown: String) throws(ModelSourceError) -> [UInt8] {
    // Looked at before it is opened: opening a FIFO wakes its writer, opening a tape rewinds it.
    try requireFile(try kind(of: path, shown: shown), shown: shown)
    let descriptor = try openWithoutTrace(path, shown: shown)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno, shown) }
    try requireFile(try kind(status, shown: shown), shown: shown)
    guard status.st_size <= maximumFileSize else {
      // A store of any size carries a model.
      let head = try read(16, from: descriptor, shown: shown)
      if head.starts(with: "SQLite format 3\0".utf8) { throw .database(shown) }
      throw ModelSourceError(shown, .refused, "\(status.st_size) bytes, more than \(maximumFileSize)")
    }
    return try read(Int(status.st_size), from: descriptor, shown: shown)
  }

  private static func requireFile(_ kind: Kind, shown: String) throws(ModelSourceError) {
    guard kind == .file else { throw ModelSourceError(shown, .refused, "a folder where a file is expected") }
  }

  private static func openWithoutTrace(_ path: String, shown: String) throws(ModelSourceError) -> Int32 {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW
    if let withoutAccessTime {
      let descriptor = retrying { open(path, flags | withoutAccessTime) }
      if descriptor >= 0 { return descriptor }
      // open(2): EPERM where the file is not ours.
      guard errno == EPERM else { throw .system(errno, shown) }
    }
    let descriptor = retrying { open(path, flags) }
    guard descriptor >= 0 else { throw .system(errno, shown) }
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
    guard failure == 0 else { throw .system(failure, shown) }
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

#if os(Linux)
  /// `O_NOATIME` of x86, ARM and RISC-V; Glibc declares it only with `_GNU_SOURCE`, which Swift does not set.
  private let withoutAccessTime: Int32? = 0o1_000_000
#else
  private let withoutAccessTime: Int32? = nil
#endif
