import StorePlatform

/// A file's contents, with the path to show.
package struct FoundFile: Sendable {
  /// The path as it is shown.
  package let path: String
  /// Its content.
  package let bytes: [UInt8]
  /// A name that only files with the same bytes have, as git's object id; nil where it has none.
  let content: String?

  /// A file.
  package init(path: String, bytes: [UInt8], content: String? = nil) {
    self.path = path
    self.bytes = bytes
    self.content = content
  }

  /// Whether a folder or file does not belong to a project's source: hidden ones, and build products.
  static func isHidden(_ name: String) -> Bool { name.hasPrefix(".") || name == "DerivedData" }

  /// Whether a folder or file contains tests.
  static func isTest(_ name: String) -> Bool { name.hasSuffix("Tests") || name.hasSuffix("Tests.swift") }

  /// Whether the file, or a folder around it, has a name of this kind.
  func isIn(_ isMeant: (String) -> Bool) -> Bool { path.split(separator: "/").contains { isMeant(String($0)) } }

  /// The names in a folder, sorted, up to one more than `limit`; nil where it cannot be read, with the reason in
  /// `errno`.
  static func names(in folder: String, atMost limit: Int) -> [String]? {
    guard let directory = opendir(folder) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while names.count <= limit + 2, let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      names.append(name)
    }
    return names.sorted()
  }

  /// The contents of a regular file, up to `limit` bytes.
  static func bytes(of path: String, shown: String, limit: Int) throws(SourceFileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .system(errno, at: shown) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno, at: shown) }
    guard (status.st_mode & S_IFMT) == S_IFREG else { throw SourceFileError(shown, "not a regular file") }
    var failure: Int32 = 0
    let size = min(Int(status.st_size), limit)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, done in
      while done < size {
        let count = readOnce(
          descriptor, UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done...]))
        if count < 0, errno == EINTR { continue }
        if count < 0 { failure = errno }
        if count <= 0 { break }
        done += count
      }
    }
    guard failure == 0 else { throw .system(failure, at: shown) }
    return bytes
  }
}

private func readOnce(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
