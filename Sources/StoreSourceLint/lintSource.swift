import StoreDiagnosis
import StoreFindings
import StoreModels
import StoreSourceChecks
import StoreJSON
import StoreSQLite
import StoreSwiftDataSchemas
import StoreWords

/// Looks for mistakes in Swift source, parsed by a separate program.
///
/// - Parameters:
///   - paths: files, folders and packages, also in archives (`ARCHIVE!folder`).
///   - defines: what `#if` asks for: `DEBUG`, or `DEBUG=false`.
///   - checks: those whose findings are wanted.
///   - configuration: severities and what is muted.
///   - stores: shipped stores that the versions are held against.
///   - log: the write-ahead log that the stores are read with, in place of the one beside each.
///   - pins: hashes of released versions that the versions are held against.
///   - releases: a repository whose releases the versions are held against.
///   - program: the program that reads; the installed one unless given.
/// - Throws: ``SwiftDataProgramError``, and what reading a store or a repository throws.
package func lintSource(
  _ paths: [String], defines: [String] = [], with checks: [SourceCheck] = SourceCheck.all,
  configuration: Configuration? = nil, stores: [PosixPath] = [], log: PosixPath? = nil, pins: ModelPins? = nil,
  releases: SourceReleases? = nil, by program: SwiftDataProgram? = nil
) throws -> SourceReport {
  let program = if let program { program } else { try SwiftDataProgram.installed() }
  let output = try program.run(["lint"] + defines.flatMap { ["--define", $0] }, on: paths)
  var (reading, lint) = try read(output)
  let released = try releases.map { try ReleasedVersions($0, defines: defines) }
  let shipped = try ShippedVersions(stores: stores, log: log, pins: pins, releases: released)
  lint.add(shipped.lint(of: reading))
  try shipped.refine(&lint, reading: reading)
  lint.skipped += shipped.leftOpen
  // SD996 asks for shipped stores among the tests; the stores given here are shipped ones, even if outside the
  // repository.
  if !stores.isEmpty { lint.findings.removeAll { $0.check == SourceCheck.ownStoresOnly.id } }
  if let archive = paths.first(where: { isInArchive(PosixPath($0)) }) {
    lint.findings.removeAll { $0.check == SourceCheck.ownStoresOnly.id }
    lint.skipped.append(
      SourceLint.Skipped(
        check: SourceCheck.ownStoresOnly.id, reason: "\(quoted(archive)): stores are not looked for in an archive"))
  }
  lint.skipped += reading.assumptions
  lint.finish()
  return SourceReport(paths: paths, reading: reading, lint, checks: checks, configuration: configuration)
}

/// Reads the two lines of output: the parsed source, and the findings.
private func read(_ output: [UInt8]) throws(SwiftDataProgramError) -> (SourceReading, SourceLint) {
  let lines = output.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
  guard lines.count == 2 else { throw .garbled("two lines are expected") }
  do throws(JSONError) {
    return (try SourceReading(Array(lines[0])), try SourceLint(Array(lines[1])))
  } catch {
    throw .garbled(error.description)
  }
}

extension SourceReading {
  /// What types were taken for, so that what is said of their properties is not proved.
  fileprivate var assumptions: [SourceLint.Skipped] {
    var seen: Set<String> = []
    return schemas.flatMap(\.entities).flatMap { entity in
      entity.assumed.map { (words: "\(entity.className).\($0) (--assume)", place: entity.place) }
    }.filter { seen.insert($0.words).inserted }.map {
      SourceLint.Skipped(check: SourceCheck.changedType.id, reason: $0.words, place: $0.place)
    }
  }
}

extension SourceLint {
  fileprivate mutating func add(_ other: SourceLint) {
    findings += other.findings
    skipped += other.skipped
  }

  /// Sorts the findings, and applies the comments in the source.
  fileprivate mutating func finish() {
    findings.sort { ($0.place, $0.check, $0.message) < ($1.place, $1.check, $1.message) }
    silence()
    readExcerpts()
  }
}

extension SourceReport {
  /// The findings of the checks that were asked for, after the configuration was applied.
  init(
    paths: [String], reading: SourceReading, _ lint: SourceLint, checks: [SourceCheck],
    configuration: Configuration?
  ) {
    let wanted = Set(checks.map(\.id))
    self.init(
      paths: paths, reading: reading, findings: lint.findings.filter { wanted.contains($0.check) },
      silenced: lint.silenced.filter { wanted.contains($0.finding.check) },
      skipped: lint.skipped.filter { wanted.contains($0.check) }.sorted { $0.check < $1.check }, config: nil,
      checks: checks, digests: lint.digests)
    if let configuration { follow(configuration) }
  }

  private mutating func follow(_ configuration: Configuration) {
    let known = Dictionary(checks.map { ($0.id, $0) }) { first, _ in first }
    for position in findings.indices {
      let id = findings[position].check
      guard let severity = configuration.severities[id], let own = known[id]?.severity else { continue }
      // A finding that is less severe than the check's own severity is not raised by the configuration.
      let current = Severity(findings[position].severity)
      findings[position].severity = .init(current < own ? min(current, severity) : severity)
    }
    let muted = configuration.mutes.filter { known[$0.check] != nil }.map { mute in
      let taken = findings.filter { mute.covers($0) }
      findings.removeAll { mute.covers($0) }
      return ConfigurationUse.Muted(mute: mute, findings: taken)
    }
    config = ConfigurationUse(
      path: configuration.path.description, muted: muted,
      severities: configuration.severities.filter { known[$0.key] != nil })
  }
}

extension Configuration.Mute {
  fileprivate func covers(_ finding: SourceFinding) -> Bool {
    guard check == finding.check else { return false }
    guard let entity else { return true }
    guard finding.entity == entity else { return false }
    return property.map { $0 == finding.property } ?? true
  }
}
