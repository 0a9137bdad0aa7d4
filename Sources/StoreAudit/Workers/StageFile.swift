import StorePlatform

/// A file shared by a worker and the audit, in which the worker notes its stage and the audit the requests it takes
/// back.
///
/// It outlives the worker, costs no message, and wakes no process.
///
///     at 0  1 byte   the stage of the work on a store                              by the worker
///        8  8 bytes  how many requests it has begun                                by the worker
///       16  8 bytes  the first and the last request taken back, 4 bytes each       by the audit
///
/// Each side writes its own word before it reads the other's. So at least one of them notices when a request is taken
/// back as it begins: none is lost, and none is handled twice.
package enum StageFile {
  /// The descriptor under which a worker has it.
  package static let descriptor: Int32 = 3

  /// Notes, in a worker, that a stage begins.
  package static func note(_ stage: AuditStage) {
    var byte = stage.rawValue
    _ = pwrite(descriptor, &byte, 1, 0)
  }

  /// The last stage noted.
  static func stage(in descriptor: Int32) -> AuditStage? {
    var byte: UInt8 = 0
    return pread(descriptor, &byte, 1, 0) == 1 ? AuditStage(rawValue: byte) : nil
  }

  /// Notes, in a worker, that it begins a request; false if the audit has taken that back.
  ///
  /// - Parameter number: the request's number, from 1 on.
  static func begin(_ number: Int, in descriptor: Int32 = descriptor) -> Bool {
    write(UInt64(clamping: number), at: 8, to: descriptor)
    let taken = word(at: 16, descriptor)
    return !(Int(taken >> 32)...max(Int(taken >> 32), Int(taken & 0xFFFF_FFFF))).contains(number)
  }

  /// Takes back requests that a worker has not begun.
  ///
  /// - Returns: how many requests it has begun in total.
  static func takeBack(_ numbers: ClosedRange<Int>, in descriptor: Int32) -> Int {
    write(UInt64(clamping: numbers.lowerBound) << 32 | UInt64(clamping: numbers.upperBound), at: 16, to: descriptor)
    return Int(clamping: word(at: 8, descriptor))
  }

  private static func write(_ word: UInt64, at offset: off_t, to descriptor: Int32) {
    var word = word
    _ = pwrite(descriptor, &word, 8, offset)
  }

  private static func word(at offset: off_t, _ descriptor: Int32) -> UInt64 {
    var word: UInt64 = 0
    return pread(descriptor, &word, 8, offset) == 8 ? word : 0
  }
}
