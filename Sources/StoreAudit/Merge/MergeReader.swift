import StorePlatform
import StoreSQLite

/// Reads lines again from their files, some of which it keeps open.
final class MergeReader {
  private let files: [PosixPath]
  private var descriptors: [Int: Int32] = [:]
  /// The most open files, of the usual limit of 1,024.
  private static let limit = 200

  init(_ files: [PosixPath]) { self.files = files }

  deinit { for descriptor in descriptors.values { close(descriptor) } }

  /// - Throws: `FileError`.
  func bytes(ofFile file: Int, at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
    let descriptor = try descriptor(file)
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let read = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress?.advanced(by: done), count - done, off_t(offset) + off_t(done))
      }
      if read < 0 && errno == EINTR { continue }
      guard read >= 0 else { throw FileError(path: files[file].description, kind: .init(errno: errno)) }
      guard read > 0 else { throw FileError(path: files[file].description, kind: .changed) }
      done += read
    }
    return bytes
  }

  private func descriptor(_ file: Int) throws(FileError) -> Int32 {
    if let descriptor = descriptors[file] { return descriptor }
    if descriptors.count >= Self.limit {
      for descriptor in descriptors.values { close(descriptor) }
      descriptors = [:]
    }
    let descriptor = files[file].withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw FileError(path: files[file].description, kind: .init(errno: errno)) }
    descriptors[file] = descriptor
    return descriptor
  }
}
