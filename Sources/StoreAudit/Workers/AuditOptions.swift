import StoreModels
import StoreSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How an audit is run.
public struct AuditOptions: Sendable {
  /// What is audited.
  public var input: AuditInput
  /// How many workers there are.
  public var jobs: Int
  /// The most time one entry may take.
  public var timeout: Duration
  /// The program that is started as a worker, and its arguments; it calls ``serveAudit(_:memory:line:)``.
  public var worker: (program: String, arguments: [String])
  /// What workers find in their environment.
  public var environment: [String: String]
  /// Swift source that was read for the models; workers find it with ``SourceReadings/init(handedOver:)``.
  public var readings: SourceReadings
  /// Where archives are unpacked to, in folders of their own.
  public var temporaryFolder: PosixPath
  /// What is known of an entry beforehand: fingerprints of findings and words of verdicts that its line leaves out.
  public var known: @Sendable (_ key: [UInt8]) -> Set<String>
  /// Whether each entry gets a copy in one folder (`AuditRecipe.outputFolder`): of two that would be at one place the
  /// second is refused, whichever a worker comes to first.
  public var writesCopies = false
  /// A descriptor that can be read when the audit is to end early; nil for none.
  public var interruption: Int32?

  /// An audit with as many workers as there are cores, of 60 seconds a store.
  public init(
    _ input: AuditInput, worker: (program: String, arguments: [String]), environment: [String: String],
    readings: SourceReadings = SourceReadings(), jobs: Int? = nil, timeout: Duration = .seconds(60),
    temporaryFolder: PosixPath = PosixPath("/tmp"),
    known: @escaping @Sendable (_ key: [UInt8]) -> Set<String> = { _ in [] }, interruption: Int32? = nil
  ) {
    self.input = input
    self.worker = worker
    self.environment = environment
    self.readings = readings
    self.jobs = max(jobs ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
    self.timeout = timeout
    self.temporaryFolder = temporaryFolder
    self.known = known
    self.interruption = interruption
  }
}
