import StoreSQLite

/// A database file whose beginning is lost, as one that can be read: a header stands where there was one, and zeros where the
/// file is cut off in front. Nothing is written.
struct MendedBytes: ByteSource {
  let name: String
  let size: Int64
  /// Bytes that are missing in front of the file.
  private let missing: Int64
  private let header: [UInt8]
  private let base: any ByteSource

  init(_ base: any ByteSource, header: [UInt8], missing: Int64) {
    name = base.name
    self.base = base
    self.header = header
    self.missing = missing
    size = max(Int64(header.count), base.size.addingReportingOverflow(missing).partialValue)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int {
    guard offset >= 0, offset < size else { return 0 }
    let count = Int(clamping: min(Int64(buffer.count), size - offset))
    let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    wanted.initializeMemory(as: UInt8.self, repeating: 0)
    let gap = Int(clamping: max(0, missing - offset))
    if gap < count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: wanted[gap...])
      _ = try base.read(into: rest, at: offset + Int64(gap) - missing)
    }
    if offset < header.count {
      let first = Int(offset)
      let some = min(count, header.count - first)
      header.withUnsafeBytes { wanted.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[first..<first + some])) }
    }
    return count
  }
}
