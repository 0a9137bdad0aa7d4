import StoreDiagnosis
import StoreModels
import StoreRepair
import ArgumentParser
import StoreCoreData
import StoreSQLite

/// The model that describes the store; shared by the commands that make another store of it.
struct RepairModelArguments: ParsableArguments {
  @Option(
    name: .customLong("store-model"),
    help: ArgumentHelp(
      "Describe the store with this model in place of its model cache: a model, or a bundle with its version.",
      valueName: "model"), completion: .file())
  var storeModel: String?
}

/// What has to hold of the result; shared by `repair` and `apply`.
struct RequirementArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Status 2, and nothing is written, unless the store then opens with --model or migrates to it.",
      valueName: "migrates"))
  var require: Requirement?

  /// The requirements of `--require`.
  enum Requirement: String, ExpressibleByArgument, CaseIterable { case migrates }
}

/// The store that `repair` and `apply` open before they start, and how to judge it.
struct RepairSubject {
  var store: Store
  var candidates: CandidateOptions

  /// - Parameter path: the store, as it was given.
  init(
    _ path: String, _ model: RepairModelArguments, _ candidates: CandidateArguments,
    _ log: LogArguments, _ progress: ProgressLine? = nil
  ) throws {
    let readings = candidates.readings
    self.candidates = try candidates.options(nil, readings: readings, store: PosixPath(argument: path))
    store = try openToRepair(
      PosixPath(argument: path), withoutWAL: log.isLeftOut, log: log.file,
      storeModel: try model.storeModel.map { try readModel(PosixPath(argument: $0), readings: readings) },
      models: self.candidates.models, onRead: progress?.report)
    // Of the reader, and so no part of a plan, which is the same for every reader.
    if store.files.accessTimeMayChange { standardError("storedoctor: \(Reading.accessTimesClause)") }
  }
}

extension RepairModelArguments {
  /// The options that describe the store and its models in the same way for another command.
  func asGiven(_ candidates: CandidateArguments) -> [String] {
    (storeModel.map { ["--store-model", $0] } ?? []) + candidates.asGiven
  }

  /// The files that no output may replace.
  func protected(_ candidates: CandidateArguments) -> [PosixPath] {
    ([storeModel].compactMap(\.self) + candidates.models + candidates.mapping).map { PosixPath(argument: $0) }
  }
}

extension RequirementArguments {
  /// The option in the same way for another command.
  var asGiven: [String] { require.map { ["--require", $0.rawValue] } ?? [] }

  /// - Throws: `ValidationError` for `--require` without a model.
  func check(_ candidates: CandidateArguments) throws {
    if require != nil, candidates.models.isEmpty { throw ValidationError("--require is about --model; name a model") }
  }
}
