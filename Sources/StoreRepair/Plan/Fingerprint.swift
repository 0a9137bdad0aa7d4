import StoreCoreData
import StoreDigests
import StoreSQLite

/// The fingerprint of a store: SHA-256 over the main file and the WAL's committed frames, if there are any.
///
///     SHA-256( main file )                                                        without committed frames
///     SHA-256( main file | WAL up to the last commit | size of the main file )    with; size in 8 bytes, big-endian
///
/// Without a WAL it is what `sha256sum` prints. Frames after the last commit do not belong to the store, and SQLite may
/// overwrite them at any time. A checkpoint of the WAL changes the fingerprint.
package struct Fingerprint: Hashable, Sendable {
  /// The 32 bytes.
  package let bytes: [UInt8]

  /// 64 hexadecimal digits.
  package var text: String { hexadecimal(bytes) }

  /// Reads 64 hexadecimal digits.
  package init?(_ text: String) {
    guard let bytes = sha256OfHex(text) else { return nil }
    self.bytes = bytes
  }

  /// The fingerprint of files as they were when they were opened, read through their descriptors.
  ///
  /// - Throws: `FileError`.
  package init(_ files: DatabaseFiles, usesWAL: Bool = true) throws(FileError) {
    try self.init(main: files.main, wal: usesWAL ? files.wal : nil)
  }

  /// The fingerprint of a main file and its WAL.
  ///
  /// - Throws: `FileError`.
  package init(main: any ByteSource, wal: (any ByteSource)?) throws(FileError) {
    var stream = SHA256Stream()
    try stream.update(with: main, upTo: main.size)
    try self.init(of: stream, mainSize: main.size, wal: wal)
  }

  /// The same; `stream` has already taken the whole main file.
  init(of stream: consuming SHA256Stream, mainSize: Int64, wal: (any ByteSource)?) throws(FileError) {
    if let wal {
      let scan = try WAL(scanning: wal)
      if let end = scan.committedBytes {
        try stream.update(with: wal, upTo: end)
        withUnsafeBytes(of: UInt64(bitPattern: mainSize).bigEndian) { stream.update($0) }
      }
    }
    bytes = stream.finalize()
  }
}

extension SHA256Stream {
  /// Adds the first bytes of a file, in pieces of 1 MiB.
  mutating func update(with source: any ByteSource, upTo end: Int64) throws(FileError) {
    var offset: Int64 = 0
    while offset < end {
      let piece = try source.read(at: offset, count: Int(min(1 << 20, end - offset)))
      guard !piece.isEmpty else { throw FileError(path: source.name, kind: .changed) }
      piece.withUnsafeBytes { update($0) }
      offset += Int64(piece.count)
    }
  }
}

extension WAL {
  /// Bytes up to the end of the last commit; nil when nothing is committed.
  var committedBytes: Int64? {
    guard hasCommits, let header = try? header.get() else { return nil }
    return Int64(WALHeader.size) + Int64(committedFrames) * Int64(header.frameSize)
  }
}

/// The 32 bytes of 64 hexadecimal digits; nil for anything else.
func sha256OfHex(_ text: String) -> [UInt8]? {
  bytesOfHex(text).flatMap { $0.count == 32 ? $0 : nil }
}

/// The bytes of hexadecimal digits; nil for anything else.
private func bytesOfHex(_ text: String) -> [UInt8]? {
  let digits = text.unicodeScalars.map { $0.isASCII ? Character($0).hexDigitValue : nil }
  guard digits.count % 2 == 0 else { return nil }
  var bytes: [UInt8] = []
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = digits[index], let low = digits[index + 1] else { return nil }
    bytes.append(UInt8(high << 4 | low))
  }
  return bytes
}

extension Store {
  /// The store's fingerprint in hexadecimal, with the WAL if it was read.
  func fingerprint() throws -> String { try Fingerprint(files, usesWAL: wal?.isRead ?? false).text }
}
