import StoreDataModel
import StoreDiagnosis
import StoreModels
import StoreScanning
import ArgumentParser
import StoreCoreData
import StoreSQLite

/// The checks to run in a store; shared by the commands that diagnose.
///
/// `CandidateArguments`, `CheckOptions` and `ConfigurationOptions` are separate groups beside it and not nested in it:
/// in a debug build, ArgumentParser validates a group that is one level deeper four times as often, and every test that
/// runs the program would wait for that.
struct DiagnosisArguments: ParsableArguments {
  @Option(
    name: .customLong("entity"),
    help: ArgumentHelp(
      "Show findings of this entity, with what it inherits, and of the store as a whole only. Repeatable.",
      valueName: "name"), completion: .entities)
  var entities: [String] = []

  @Option(help: ArgumentHelp("The most examples of a finding. (default: 5)", valueName: "n"))
  var examples: Int?

  @Option(
    help: ArgumentHelp(
      "Describe a store with this model in place of its model cache: a model, or a bundle with its version.",
      valueName: "model"), completion: .file())
  var storeModel: String?

  @Option(
    help: ArgumentHelp(
      "Look for duplicates as if these attributes had to be unique together. Repeatable.",
      valueName: "entity.attribute[,attribute]"))
  var unique: [String] = []

  @Option(
    help: ArgumentHelp(
      "Take this class for one that secure transformers let through, or that one of the app's own does. Repeatable.",
      valueName: "[transformer=]class"))
  var allowClass: [String] = []

  @Flag(
    name: .customLong("cloudkit"), inversion: .prefixedNo,
    help: "Hold the model against CloudKit's rules even if a store is not mirrored, or only if it is, the default.")
  var judgesAsMirrored: Bool?

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Hold each index against its table (integrity_check), the default of diagnose, or pages and rows only "
        + "(quick_check), the default of audit."))
  var integrity: Bool?

  func validate() throws {
    guard (examples ?? 0) >= 0 else { throw ValidationError("--examples is a number from 0 on") }
    for key in unique where UniqueKey(key) == nil {
      throw ValidationError("--unique is an entity and its attributes, as in Trip.name,startDate; not '\(key)'")
    }
    _ = try AllowedClasses(arguments: allowClass)
  }

  /// Options, in order of precedence: command line, configuration, the command's default.
  func options(
    _ configuration: Configuration?, candidates: CandidateArguments, integrity silent: IntegrityReport.Depth,
    readings: SourceReadings, store: PosixPath? = nil
  ) throws -> DiagnosisOptions {
    let defaults = configuration?.defaults ?? Configuration.Defaults()
    var options = DiagnosisOptions(
      examples: examples ?? defaults.examples ?? 5,
      storeModel: try storeModel.map { try readModel(PosixPath(argument: $0), readings: readings) },
      integrity: (integrity ?? defaults.integrity).map { $0 ? .full : .quick } ?? silent,
      unique: unique.isEmpty ? defaults.unique ?? [] : unique.compactMap { UniqueKey($0) },
      judgesAsMirrored: judgesAsMirrored ?? defaults.cloudKit ?? false,
      candidates: try candidates.options(configuration, readings: readings, store: store),
      entities: entities.isEmpty ? defaults.entities ?? [] : entities, configuration: configuration)
    let allowed = try AllowedClasses(arguments: allowClass)
    options.allowedClasses = allowClass.isEmpty ? defaults.allowedClasses ?? allowed : allowed
    return options
  }
}

extension AllowedClasses {
  /// What the values of `--allow-class` say together.
  init(arguments: [String]) throws {
    self.init()
    for text in arguments where !add(text) {
      throw ValidationError("--allow-class is a class, or TRANSFORMER=CLASS; not '\(text)'")
    }
  }
}
