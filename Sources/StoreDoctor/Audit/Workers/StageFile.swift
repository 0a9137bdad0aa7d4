#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a worker leaves word of how far it has come: one byte in a file that both it and the audit have open.
///
/// It outlives the worker, costs no message, and wakes nobody.
public enum StageFile {
  /// The descriptor a worker finds it at.
  public static let descriptor: Int32 = 3

  /// Notes in a worker that a stage begins.
  public static func note(_ stage: AuditStage) {
    var byte = stage.rawValue
    _ = pwrite(descriptor, &byte, 1, 0)
  }

  /// The stage noted last.
  static func stage(in descriptor: Int32) -> AuditStage? {
    var byte: UInt8 = 0
    return pread(descriptor, &byte, 1, 0) == 1 ? AuditStage(rawValue: byte) : nil
  }
}
