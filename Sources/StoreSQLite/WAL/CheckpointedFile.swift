/// The main file as it will be after a checkpoint of its WAL, for a reader that does not wait for the checkpoint to
/// end.
///
///     page 1  page 2   page 3  page 4      from the main file; where the WAL has the page, from its last
///     main    frame 7  main    frame 9     committed frame
///
/// A checkpoint writes only pages that the WAL has, and leaves the frames in place; so this can be read meanwhile,
/// until the next transaction overwrites the frames or the WAL is truncated. SQLite sets the main file's length to that
/// of the last commit.
package struct CheckpointedFile: ByteSource {
  /// The main file's name.
  package var name: String { main.name }
  /// Length in bytes.
  package let size: Int64

  private let main: any ByteSource
  private let wal: WAL
  private let pageSize: Int

  /// Nil for a WAL without a commit, which changes nothing.
  package init?(main: any ByteSource, wal: WAL) {
    guard let pages = wal.pageCountAfterLastCommit, let header = try? wal.header.get() else { return nil }
    self.main = main
    self.wal = wal
    pageSize = header.pageSize
    size = Int64(pages) * Int64(pageSize)
  }

  /// Fills `buffer` from `offset` on; returns how many bytes there were, fewer only at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int {
    guard offset >= 0, offset < size else { return 0 }
    let wanted = Int(clamping: min(Int64(buffer.count), size - offset))
    var done = 0
    while done < wanted {
      let (page, start) = (offset + Int64(done)).quotientAndRemainder(dividingBy: Int64(pageSize))
      let count = min(wanted - done, pageSize - Int(start))
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
      if try !wal.read(page: UInt32(clamping: page + 1), from: Int(start), into: part) {
        // An unused page may never have been written; it reads as zeros.
        part.zero(from: try main.read(into: part, at: offset + Int64(done)))
      }
      done += count
    }
    return done
  }
}
