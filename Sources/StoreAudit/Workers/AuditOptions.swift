import StoreModels
import StorePlatform
import StoreSQLite

/// How an audit is run.
package struct AuditOptions: Sendable {
  /// The input of the audit.
  package var input: AuditInput
  /// The number of workers.
  package var jobs: Int
  /// The time limit for one entry.
  package var timeout: Duration
  /// The program to start as a worker, with its arguments; it calls ``serveAudit(_:memory:line:)``.
  package var worker: (program: String, arguments: [String])
  /// The workers' environment.
  package var environment: [String: String]
  /// Swift source that was read for the models; workers get it by ``SourceReadings/init(handedOver:)``.
  package var readings: SourceReadings
  /// The folder in which archives are unpacked, each in a folder of its own.
  package var temporaryFolder: PosixPath
  /// The known entries for a store's key: fingerprints of findings and words of verdicts that its line leaves out.
  package var known: @Sendable (_ key: [UInt8]) -> Set<String>
  /// Whether copies are written to one folder (`AuditRecipe.outputFolder`). Of two entries with the same place the
  /// second is refused, whichever a worker handles first.
  package var writesCopies = false
  /// A descriptor that becomes readable when the audit is to end early; nil for none.
  package var interruption: Int32?

  /// By default one worker for each core, and 60 seconds for each store.
  package init(
    _ input: AuditInput, worker: (program: String, arguments: [String]), environment: [String: String],
    readings: SourceReadings = SourceReadings(), jobs: Int? = nil, timeout: Duration = .seconds(60),
    temporaryFolder: PosixPath = PosixPath("/tmp"),
    known: @escaping @Sendable (_ key: [UInt8]) -> Set<String> = { _ in [] }, interruption: Int32? = nil
  ) {
    self.input = input
    self.worker = worker
    self.environment = environment
    self.readings = readings
    self.jobs = max(jobs ?? Platform.cores, 1)
    self.timeout = timeout
    self.temporaryFolder = temporaryFolder
    self.known = known
    self.interruption = interruption
  }
}
