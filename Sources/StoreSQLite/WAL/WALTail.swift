/// The bytes of a write-ahead log after its last commit. All of it is normal, and none of it is part of the database.
package struct WALTail: Equatable, Sendable {
  /// Valid frames of a transaction that was not committed, or whose commit did not reach the disk.
  package var uncommittedFrames: Int
  /// Frames with the header's salts but a wrong checksum, or with salts of no time: written incompletely, or after such a
  /// frame, or damaged later.
  package var tornFrames: Int
  /// Torn frames that end a transaction and are followed by other torn frames. An interrupted write leaves none,
  /// because its commit frame comes last.
  package var hiddenCommits: Int
  /// How many frames the log has up to the last torn one; 0 where none is torn.
  package var tornEnd: Int
  /// Whether the last torn frame ends a transaction, which so was written to its end.
  package var endsInTornCommit: Bool
  /// Whether the last frame, or the part of one that is left, is one left over or blank, so that the log goes on behind what was written last.
  package var endsInOlderFrame: Bool
  /// Frames without salts and checksum. SQLite writes them so once a transaction has rewritten one of its own frames, until
  /// its commit, which signs them: they are of a transaction that was never finished.
  package var unsignedFrames: Int
  /// Frames with salts of another time: left from before the last checkpoint, and not overwritten yet.
  package var leftoverFrames: Int
  /// Frames whose header is all zero.
  package var blankFrames: Int
  /// Frames that were not examined, because there are too many.
  package var unexaminedFrames: Int
  /// Bytes at the end that are less than a frame.
  package var partialBytes: Int

  /// A tail of so many frames and bytes.
  package init(
    uncommittedFrames: Int = 0, tornFrames: Int = 0, hiddenCommits: Int = 0,
    tornEnd: Int = 0, endsInTornCommit: Bool = false, endsInOlderFrame: Bool = false, unsignedFrames: Int = 0,
    leftoverFrames: Int = 0, blankFrames: Int = 0,
    unexaminedFrames: Int = 0, partialBytes: Int = 0
  ) {
    self.uncommittedFrames = uncommittedFrames
    self.tornFrames = tornFrames
    self.hiddenCommits = hiddenCommits
    self.tornEnd = tornEnd
    self.endsInTornCommit = endsInTornCommit
    self.endsInOlderFrame = endsInOlderFrame
    self.unsignedFrames = unsignedFrames
    self.leftoverFrames = leftoverFrames
    self.blankFrames = blankFrames
    self.unexaminedFrames = unexaminedFrames
    self.partialBytes = partialBytes
  }

  /// Frames of a transaction that was never finished: signed ones, those whose checksum is of what a frame before them held
  /// until it was rewritten, and unsigned ones.
  package var unfinishedFrames: Int {
    uncommittedFrames + unsignedFrames + (unsignedFrames > 0 && hiddenCommits == 0 ? tornFrames : 0)
  }

  /// Counts one frame after the last valid one.
  ///
  /// - Parameters:
  ///   - next: the frame behind it, if there is one.
  ///   - index: its place, from 0.
  mutating func count(_ frame: WALFrame, before next: WALFrame?, at index: Int, under header: WALHeader) {
    if frame.isBlank {
      blankFrames += 1
      endsInOlderFrame = true
    } else if frame.isUnsigned {
      unsignedFrames += 1
      endsInOlderFrame = false
    } else if !frame.hasSalt(of: header), isOlder(frame, before: next, under: header) {
      leftoverFrames += 1
      endsInOlderFrame = true
    } else {
      tornFrames += 1
      tornEnd = index + 1
      endsInOlderFrame = false
      let isOfThisTime = frame.hasSalt(of: header)
      if endsInTornCommit, isOfThisTime { hiddenCommits += 1 }
      endsInTornCommit = isOfThisTime && frame.isCommit
    }
  }

  /// Whether a frame with other salts is left over from before the last checkpoint, and no frame of this time whose header is
  /// damaged: its first salt is a little lower, or the frame behind it has the same salts, or one before it is left over.
  private func isOlder(_ frame: WALFrame, before next: WALFrame?, under header: WALHeader) -> Bool {
    leftoverFrames > 0 || header.isAfter(salt1: frame.salt1)
      || next.map { $0.salt1 == frame.salt1 && $0.salt2 == frame.salt2 } == true
  }

  /// Takes note of a frame of which only the beginning is left; nothing is known of one that ends before its salts do.
  mutating func count(partialFrame bytes: UnsafeRawBufferPointer, under header: WALHeader) {
    guard let page = bytes.word(at: 0), let salt1 = bytes.word(at: 8), let salt2 = bytes.word(at: 12) else { return }
    let isBlank = page == 0 && salt1 == 0 && salt2 == 0
    let isUnsigned = page > 0 && salt1 == 0 && salt2 == 0
    let hasSalt = salt1 == header.salt1 || salt2 == header.salt2
    endsInOlderFrame = isBlank || !isUnsigned && !hasSalt && (leftoverFrames > 0 || header.isAfter(salt1: salt1))
  }
}
