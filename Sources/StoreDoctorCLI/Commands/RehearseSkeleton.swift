import ArgumentParser
import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreMigrator
import StoreModels
import StorePlatform
import StorePublishing
import StoreReports
import StoreSQLite
import StoreSamples
import StoreSwiftCode
import StoreSwiftDataSchemas
import StoreWords

/// The tests of `rehearse --test-skeleton`, with a sample store of every version.
struct RehearseSkeleton {
  let style: MigrationTests.Style
  /// The new folder for them.
  let folder: PosixPath
  let candidates: CandidateArguments
  let stages: [StagePerformance]
  let allowsAssumed: Bool

  /// Makes the stores, migrates each in memory, and writes the tests of what that gave.
  func make() throws -> MigrationTests {
    let options = try candidates.options(nil, readings: candidates.readings).openingStaged
    guard options.models.count == 1, let source = options.models.first else {
      throw ValidationError("--test-skeleton takes one --model: the bundle or source that has all versions")
    }
    let target = try source.decidingVersion().whole()
    let hashes = target.model.versionHashes
    let older = source.versions.filter { version in
      version.name != target.name && !version.isContainer
        && (version.doubt != nil || version.model.versionHashes != hashes)
    }
    guard !older.isEmpty else { throw NothingToMigrate(model: source.path, version: target.name) }
    guard options.stages.isEmpty || source.format != .swift else {
      throw ValidationError("--test-skeleton takes the stages of Swift source from its plan, and not from --stages")
    }
    let app = try SkeletonApp(source, target, isStaged: !options.stages.isEmpty, defines: candidates.terms)
    var tests = MigrationTests(
      style: style, model: source.path, current: target.name, opening: app.opening)
    _ = try newFolder(folder)
    do {
      try fill(&tests, of: source, older: older, target: target, app: app, options: options)
    } catch {
      // The folder is new, so that everything in it was made here; half of it would look like all.
      try? FileActions().removeTree(folder)
      throw error
    }
    return tests
  }

  /// Makes the stores and the tests in the new folder.
  private func fill(
    _ tests: inout MigrationTests, of source: ModelSource, older: [ModelSource.Version],
    target: ModelSource.Version,
    app: SkeletonApp, options: CandidateOptions
  ) throws {
    let fixtures = try newFolder(folder.appending(component: Array("Fixtures".utf8)))
    let run = MigrationRun(
      options, allowsAssumed: allowsAssumed, stages: stages)
    var names: Set<String> = []
    for version in older {
      tests.versions.append(
        try test(
          version, of: source, target: target, app: app, run: run, in: fixtures, names: &names,
          fileExtension: tests.fileExtension))
    }
    try write(tests.swift, to: folder.appending(component: Array("MigrationTests.swift".utf8)))
  }

  private func test(
    _ version: ModelSource.Version, of source: ModelSource, target: ModelSource.Version, app: SkeletonApp,
    run: MigrationRun, in fixtures: PosixPath, names: inout Set<String>, fileExtension: String
  ) throws -> MigrationTests.Version {
    var test = MigrationTests.Version(name: version.name)
    let name = fileName(of: version.name, &names)
    let path = fixtures.appending(component: Array("\(name).\(fileExtension)".utf8))
    do {
      _ = try makeSample(of: try version.whole(), in: source, to: OutputTarget(path), SampleOptions())
      test.fixture = name
      _ = try rehearse(try Store(path), run: run) { migrated in
        test.uuid = migrated.metadata.uuid
        test.entities = try migrated.expectations(of: target.model, app.classes)
      }
    } catch let error as ModelSourceError {
      test.obstacle = error.description
    } catch let error as SampleError {
      test.obstacle = error.description
    } catch let error as MigrationNotPossible {
      test.obstacle =
        (["the models do not migrate this store: \(error.diagnosis.verdict.rawValue)"]
        + error.diagnosis.reasonsAgainstMigrating)
        .joined(separator: "; ")
    } catch let error as MigrationRefused {
      test.obstacle = error.refusals.map { "\($0.message); \($0.advice)" }.joined(separator: "; ")
    } catch let error as MigrationNeedsAllowance {
      test.obstacle =
        "parts of it are assumed, and --allow-assumed writes the test: \(error.assumptions.joined(separator: "; "))"
    } catch let error as MigrationNotAsJudged {
      test.obstacle = error.description
    }
    if test.obstacle != nil { test.entities = [] }
    return test
  }

  /// The version's name, as far as any file system takes it; each once, whatever the case.
  private func fileName(of version: String, _ names: inout Set<String>) -> String {
    let kept = version.unicodeScalars.prefix(Self.longestName).map { scalar in
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        || " ._-".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
    }
    let plain = String(kept.drop { $0 == "." })
    var (name, number) = (plain.isEmpty ? "Version" : plain, 1)
    while !names.insert(name.lowercased()).inserted {
      number += 1
      name = "\(plain) (\(number))"
    }
    return name
  }

  private static let longestName = 80
}

/// How the app opens the store, as far as the model says.
private struct SkeletonApp {
  let opening: MigrationTests.Opening
  /// The class of each entity in SwiftData source, with the types it is nested in.
  let classes: [String: String]

  init(_ source: ModelSource, _ target: ModelSource.Version, isStaged: Bool, defines: [String]) throws {
    guard source.format == .swift else {
      let name = source.path.split(separator: "/").last.map(String.init) ?? source.path
      let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
      // The name that --stage-swift gives the function.
      let manager = isStaged ? StageCode.managerName(target.name) : nil
      (opening, classes) = (.coreData(bundle: stem, manager: manager), [:])
      return
    }
    let schema = try readSwiftDataSource([source.path], defines: defines).schemas.first { $0.name == target.name }
    let entities = schema?.entities ?? []
    classes = Dictionary(entities.map { ($0.name, $0.className) }) { first, _ in first }
    opening = .swiftData(
      schema: schema?.origin == .versioned ? target.name : nil, classes: entities.map(\.className).sorted(),
      plan: source.plan?.name)
  }
}

/// There is only one version.
private struct NothingToMigrate: Error, CustomStringConvertible {
  let model: String
  let version: String

  var description: String {
    "\(quoted(model)) has no version that differs from \(quoted(version)), so there is no migration to test; name a bundle or "
      + "source with the versions that shipped"
  }
}

extension MigrationTests.Style: ExpressibleByArgument {}
