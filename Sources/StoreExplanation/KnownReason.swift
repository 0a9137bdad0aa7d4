/// A sentence that Core Data, SwiftData or SQLite prints, recognised by its English words.
///
/// Apple translates the sentence around it, not these words: they are the `reason` in an error's user information, or
/// the text of an exception.
public struct KnownReason: Sendable, Equatable {
  /// Words that are looked for, in lower case and with plain apostrophes.
  public var words: String
  /// What it means.
  public var meaning: String
  /// Checks that look for the cause.
  public var checks: [String]
  /// Whether apps in the field match this text and then delete the store.
  public var leadsToDeletion: Bool
  /// Whether it only stands around another error, and says nothing where that one is in the log.
  public var isWrapper: Bool
  /// The Cocoa error whose sentence it is, for logs that leave its number out.
  public var code: Int?

  private init(
    _ words: String, _ meaning: String, checks: [String] = [], leadsToDeletion: Bool = false, isWrapper: Bool = false,
    code: Int? = nil
  ) {
    self.words = words
    self.meaning = meaning
    self.checks = checks
    self.leadsToDeletion = leadsToDeletion
    self.isWrapper = isWrapper
    self.code = code
  }
}

extension KnownReason {
  /// All that are known; the first of several that say the same in more words comes first.
  public static let all: [KnownReason] = [
    .init(
      "missing attribute values on mandatory destination attribute",
      "A required attribute of the new model would have no value: it is new without a default, or it was optional and rows "
        + "have NULL there. Of a Codable struct each member is such an attribute, also where it has a value in Swift.",
      checks: ["SD806", "SD501"]),
    .init(
      "missing attribute values on mandatory destination relationship",
      "A required relationship of the new model would be empty. A default value in Swift does not help.",
      checks: ["SD806", "SD407"]),
    .init(
      "constraint violation during attempted migration",
      "The new model makes something unique that repeats in the store.",
      checks: ["SD806", "SD502"]),
    .init(
      "expected only arrays for relationships",
      "A to-many relationship is declared as a set, a dictionary or another collection; SwiftData takes an array only, and "
        + "'storedoctor lint' says where (SD964). It is in the source, not in the store."),
    .init("no such table", "A table is missing that the metadata says is there.", checks: ["SD301", "SD304"]),
    .init("no such column", "A column is missing that the metadata says is there.", checks: ["SD302"]),
    .init(
      "duplicate column name",
      "A migration wants to add a column that is there: half of it ran before, or a tool did it.",
      checks: ["SD303"]),
    .init(
      "can't find model for source store",
      "No model in the app has the hashes of the store.", checks: ["SD801", "SD803"]),
    .init(
      "persistent store migration failed, missing source managed object model",
      "No model in the app has the hashes of the store.", checks: ["SD801", "SD803"], isWrapper: true, code: 134130),
    .init(
      "persistent store migration failed, missing mapping model",
      "The change between the two models cannot be inferred, and there is no mapping model for it.", checks: ["SD805"],
      isWrapper: true, code: 134140),
    .init(
      "can't find or automatically infer mapping model", "The change between the two models cannot be inferred.",
      checks: ["SD805"]),
    .init("can't find mapping model for migration", "Migration by mapping model was asked for, and none fits."),
    .init(
      "source and destination attribute types are incompatible",
      "An attribute's type changed, which no inference does.",
      checks: ["SD805"]),
    .init(
      "the model used to open the store is incompatible", "The store's version hashes are not the model's.",
      checks: ["SD801"]),
    .init(
      "the model configuration used to open the store is incompatible",
      "The entities of the model's configuration are not those of the store.", checks: ["SD801", "SD301"]),
    .init(
      "unknown coordinator model version", "The model given to the container is not among the plan's versions.",
      checks: ["SD808"], leadsToDeletion: true),
    .init(
      "staged migration with an unknown model version",
      "The store's checksum is not among those of the plan's versions.",
      checks: ["SD808", "SD803"], leadsToDeletion: true),
    .init(
      "cannot be migrated backwards with staged migration", "The store is of a later version than the one asked for.",
      checks: ["SD802"], leadsToDeletion: true),
    .init(
      "duplicate version checksums",
      "Two versions of the plan are the same model, mostly because both list the same live class.", checks: ["SD807"],
      leadsToDeletion: true),
    .init(
      "the current model reference and the next model reference cannot be equal",
      "The two versions of a stage are the same model.", checks: ["SD807"], leadsToDeletion: true),
    .init(
      "model version checksum while the model is still editable",
      "The checksum of a model was asked for before the model was in use, and may be another later.", checks: ["SD807"]),
    .init(
      "could not fulfill a fault", "Something still holds the key of a row that is gone.", checks: ["SD401", "SD404"]),
    .init("not found in token", "The history token is of another store.", checks: ["SD705"]),
    .init(
      "cloudkit integration requires", "The model breaks a rule of CloudKit mirroring.", checks: ["SD704"]),
    .init(
      "database disk image is malformed", "Pages are damaged, or the write-ahead log belongs elsewhere.",
      checks: ["SD102", "SD105"], leadsToDeletion: true),
    .init("file is not a database", "The file is encrypted, cut off, or no store."),
    .init("attempt to write a readonly database", "The file, or its folder, may not be written.", checks: ["SD106"]),
    .init("unique constraint failed", "A unique index refused a duplicate.", checks: ["SD502", "SD806"]),
    .init("can't add the same store twice", "The same file was added to one coordinator twice."),
    .init(
      "an error occurred during persistent store migration",
      "A migration failed; this sentence stands for many causes, and the reason or the error below it says which.",
      checks: ["SD806", "SD501", "SD502", "SD301", "SD302"], isWrapper: true, code: 134110),
    .init(
      "loadissuemodelcontainer",
      "SwiftData hides the code and the reason here. What the store says is all there is: diagnose it.",
      checks: ["SD801", "SD806"], leadsToDeletion: true, isWrapper: true),
    .init(
      "could not create modelcontainer",
      "The last line of Xcode's template, which hides the error before it. What the store says is all there is.",
      leadsToDeletion: true, isWrapper: true),
  ]
}
