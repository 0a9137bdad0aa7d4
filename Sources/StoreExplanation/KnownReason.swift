import StoreFindings

/// A sentence that Core Data, SwiftData or SQLite prints, recognised by its English words.
///
/// Apple translates the sentence around these words, but not the words themselves. They are the `reason` in an
/// error's user information, the text of an exception (`error-codes.md` §4 to §6), or output of the migration debug
/// log.
package struct KnownReason: Sendable, Equatable {
  /// Words that are looked for, in lower case and with plain apostrophes.
  package var words: String
  /// Its meaning.
  package var meaning: String
  /// Checks that look for the cause.
  package var checks: [String]
  /// Whether apps in the field match this text and then delete the store.
  package var leadsToDeletion: Bool
  /// Whether it only wraps another error, and adds nothing if that one is in the log.
  package var isWrapper: Bool
  /// The Cocoa error that prints this sentence, for logs without its number.
  package var code: Int?
  /// The check of Swift source that finds the cause, where that is in the source and not in a store.
  package var sourceCheck: String?
  /// The evidence: seen in logs (`observed`), or common knowledge (`assumed`).
  package var basis: Basis

  private init(
    _ words: String, _ meaning: String, checks: [CheckID] = [], leadsToDeletion: Bool = false, isWrapper: Bool = false,
    code: Int? = nil, sourceCheck: String? = nil, basis: Basis = .observed
  ) {
    self.words = words
    self.meaning = meaning
    self.checks = checks.map(\.rawValue)
    self.leadsToDeletion = leadsToDeletion
    self.isWrapper = isWrapper
    self.code = code
    self.sourceCheck = sourceCheck
    self.basis = basis
  }
}

extension KnownReason {
  /// All known reasons.
  package static let all: [KnownReason] = errors + migrationDebug + frames

  private static let errors: [KnownReason] = [
    .init(
      "missing attribute values on mandatory destination attribute",
      "A required attribute of the new model would have no value: it is new without a default, or it was optional and rows "
        + "have NULL there. Of a Codable struct each member is such an attribute, also where it has a value in Swift.",
      checks: [.dataBlocksMigration, .missingRequiredValue]),
    .init(
      "missing attribute values on mandatory destination relationship",
      "A required relationship of the new model would be empty. A default value in Swift does not help.",
      checks: [.dataBlocksMigration, .missingRequiredRelationship]),
    .init(
      "0xdead10cc",
      "iOS ended the app since it held a lock, mostly SQLite's on a store in a shared container, while it was suspended. The "
        + "store is sound: what was not committed is rolled back at the next opening. A background task around the save keeps "
        + "the app running until it has ended.", checks: [.hotJournal, .unmergedWAL], basis: .documented),
    .init(
      "0x8badf00d",
      "The watchdog ended the app since it did not answer in time. With a store that is mostly a migration, or opening a large "
        + "one, on the main thread at launch: the store is as it was, or migrated, and nothing between.",
      checks: [.hotJournal, .unmergedWAL, .suspectedRecreation], basis: .documented),
    .init(
      "constraint violation during attempted migration",
      "The new model makes something unique that repeats in the store.",
      checks: [.dataBlocksMigration, .duplicateKey]),
    .init(
      "expected only arrays for relationships",
      "A to-many relationship is declared as a set, a dictionary or another collection; SwiftData takes an array only, and "
        + "'storedoctor lint' says where (SD964). It is in the source, not in the store.", sourceCheck: "SD964"),
    .init(
      "circular reference resolving attached macro",
      "The compiler expands a macro whose arguments need another macro first: mostly 'inverse:' stands on both sides of a "
        + "relationship. Name it on one side. It is in the source, not in the store.", sourceCheck: "SD963",
      basis: .assumed),
    .init(
      "@model requires an initializer",
      "A class with @Model needs an 'init', also where every property has a default. It is in the source, not in the store.",
      sourceCheck: "SD981", basis: .assumed),
    .init(
      "no such table", "A table is missing that the metadata says is there.",
      checks: [.missingTable, .missingJoinTable]),
    .init("no such column", "A column is missing that the metadata says is there.", checks: [.missingColumn]),
    .init(
      "duplicate column name",
      "A migration wants to add a column that is there: half of it ran before, or a tool did it.",
      checks: [.unexpectedColumn]),
    .init(
      "can't find model for source store",
      "No model in the app has the hashes of the store.", checks: [.incompatibleModel, .editedVersion]),
    .init(
      "persistent store migration failed, missing source managed object model",
      "No model in the app has the hashes of the store.", checks: [.incompatibleModel, .editedVersion], isWrapper: true,
      code: 134130),
    .init(
      "persistent store migration failed, missing mapping model",
      "The change between the two models cannot be inferred, and there is no mapping model for it.",
      checks: [.notLightweight],
      isWrapper: true, code: 134140),
    .init(
      "can't find or automatically infer mapping model", "The change between the two models cannot be inferred.",
      checks: [.notLightweight]),
    .init("can't find mapping model for migration", "Migration by mapping model was asked for, and none fits."),
    .init(
      "source and destination attribute types are incompatible",
      "An attribute's type changed, which no inference does.",
      checks: [.notLightweight]),
    .init(
      "the model used to open the store is incompatible", "The store's version hashes are not the model's.",
      checks: [.incompatibleModel]),
    .init(
      "the managed object model version used to open the persistent store is incompatible",
      "The store's version hashes are not the model's, and migration was not asked for.",
      checks: [.incompatibleModel, .editedVersion],
      code: 134100),
    .init(
      "the model configuration used to open the store is incompatible",
      "The entities of the model's configuration are not those of the store, or a table or column is missing.",
      checks: [.incompatibleModel, .missingTable, .missingColumn], code: 134020),
    .init(
      "unknown coordinator model version", "The model given to the container is not among the plan's versions.",
      checks: [.unknownToPlan], leadsToDeletion: true, code: 134504),
    .init(
      "staged migration with an unknown model version",
      "The store's checksum is not among those of the plan's versions.",
      checks: [.unknownToPlan, .editedVersion], leadsToDeletion: true, code: 134504),
    .init(
      "cannot be migrated backwards with staged migration", "The store is of a later version than the one asked for.",
      checks: [.newerThanKnown], leadsToDeletion: true, code: 134506),
    .init(
      "duplicate version checksums",
      "Two versions of the plan are the same model, mostly because both list the same live class.",
      checks: [.duplicateVersionChecksum],
      leadsToDeletion: true),
    .init(
      "the current model reference and the next model reference cannot be equal",
      "The two versions of a stage are the same model.", checks: [.duplicateVersionChecksum], leadsToDeletion: true),
    .init(
      "model version checksum while the model is still editable",
      "The checksum of a model was asked for before the model was in use, and may be another later.",
      checks: [.duplicateVersionChecksum]),
    .init(
      "could not fulfill a fault", "Something still holds the key of a row that is gone.",
      checks: [.danglingReference, .orphanedJoinRow]),
    .init(
      "failed to fulfill faulting for the relationship",
      "A relationship was followed to an object whose row is gone, or was deleted by another context while it was in use; "
        + "that the file does not tell.", checks: [.danglingReference, .orphanedJoinRow, .wrongEntityReference],
      basis: .assumed),
    .init(
      "dangling reference to an invalid object",
      "A relationship leads to an object that the store, or the context, no longer has.",
      checks: [.danglingReference, .wrongEntityReference],
      code: 1550),
    .init(
      "multiple validation errors occurred",
      "Several validations failed; the real errors are in NSDetailedErrors, further down in the log.", isWrapper: true,
      code: 1560),
    .init(
      "multiple conflicting constraint violations",
      "Several uniqueness constraints were violated at once, and the merge policy could not resolve it.",
      checks: [.duplicateKey], code: 133021),
    .init(
      "cannot migrate store in-place",
      "A migration failed; the words behind it say why.",
      checks: [.dataBlocksMigration, .missingRequiredValue, .duplicateKey, .missingTable, .missingColumn],
      isWrapper: true),
    .init(
      "error during sql execution",
      "SQLite refused a statement of the migration: a table or column is missing, or is there already. Its own sentence "
        + "stands behind it.", checks: [.missingTable, .missingColumn, .unexpectedColumn], isWrapper: true),
    .init(
      "couldn't be opened.",
      "The file could not be opened, for a reason the sentence hides: a table or column is missing, or a journal cannot be "
        + "used.", checks: [.missingTable, .missingColumn, .missingJoinTable, .hotJournal], isWrapper: true, code: 256),
    .init(
      "couldn't be opened because it isn't in the correct format",
      "Pages are damaged, it is no SQLite database, or the write-ahead log beside it belongs to another file.",
      checks: [.corruptPage, .corruptIndex, .foreignWAL], isWrapper: true, code: 259),
    .init("not found in token", "The history token is of another store.", checks: [.suspectedRecreation]),
    .init(
      "cloudkit integration requires", "The model breaks a rule of CloudKit mirroring.", checks: [.cloudkitModelRule],
      code: 134060),
    .init(
      "cloudkit integration does not support", "The model breaks a rule of CloudKit mirroring.",
      checks: [.cloudkitModelRule],
      code: 134060),
    .init(
      "database disk image is malformed", "Pages are damaged, or the write-ahead log belongs elsewhere.",
      checks: [.corruptPage, .foreignWAL], leadsToDeletion: true),
    .init("file is not a database", "The file is encrypted, cut off, or no store."),
    .init(
      "attempt to write a readonly database", "The file, or its folder, may not be written.", checks: [.hotJournal]),
    .init(
      "unique constraint failed", "A unique index refused a duplicate.", checks: [.duplicateKey, .dataBlocksMigration]),
    .init(
      "has no persistent stores (device locked)",
      "The store is under data protection, and the device was locked when the app wanted to open it. Nothing is wrong with "
        + "the file.", basis: .assumed),
    .init(
      "has no persistent stores (schema mismatch or migration failure)",
      "The store could not be opened: its version is not the model's, or a migration failed. The error of the opening "
        + "stands earlier in the log.", checks: [.incompatibleModel, .dataBlocksMigration, .notLightweight]),
    .init(
      "has no persistent stores",
      "The app saves or fetches, and no store was added: opening it failed earlier, or was not waited for. The error of the "
        + "opening stands earlier in the log.",
      checks: [.incompatibleModel, .dataBlocksMigration, .corruptPage], isWrapper: true),
    .init(
      "model instance was invalidated",
      "SwiftData holds an object whose row is gone: it was deleted by another context or process, or the store was replaced "
        + "while it was open.", checks: [.danglingReference, .orphanedJoinRow, .suspectedRecreation]),
    .init(
      "model instance was destroyed by calling modelcontext.reset",
      "An object is used after its context was reset. That is in the code, not in the store."),
    .init(
      "unsupported feature in this configuration",
      "SwiftData was asked for something that this store or this kind of store does not do; the words do not say what. It is "
        + "in the schema or in the request, and rarely in the file.", basis: .assumed),
    .init(
      "vnode unlinked while in use",
      "The file was deleted, moved or replaced while it was open: what was saved after that is in no file that has a name.",
      checks: [.suspectedRecreation, .foreignWAL]),
    .init("can't add the same store twice", "The same file was added to one coordinator twice."),
    .init(
      "an error occurred during persistent store migration",
      "A migration failed; this sentence stands for many causes, and the reason or the error below it says which.",
      checks: [.dataBlocksMigration, .missingRequiredValue, .duplicateKey, .missingTable, .missingColumn],
      isWrapper: true, code: 134110),
    .init(
      "loadissuemodelcontainer",
      "SwiftData hides the code and the reason here. What the store says is all there is: diagnose it.",
      checks: [.incompatibleModel, .dataBlocksMigration], leadsToDeletion: true, isWrapper: true),
    .init(
      "could not create modelcontainer",
      "The last line of Xcode's template, which hides the error before it. What the store says is all there is.",
      leadsToDeletion: true, isWrapper: true),
    .init(
      "failed to create modelcontainer",
      "The app's own line, which hides the error before it. What the store says is all there is.",
      leadsToDeletion: true, isWrapper: true),
    .init(
      "failed to create container",
      "The app's own line, which hides the error before it. What the store says is all there is.",
      leadsToDeletion: true, isWrapper: true),
  ]

  /// Printed by `-com.apple.CoreData.MigrationDebug 1` during a migration.
  private static let migrationDebug: [KnownReason] = [
    .init(
      "incompatible version schema for persistent store",
      "The store's version hashes are not the model's; both lists follow. Where migration was asked for, it begins here.",
      checks: [.incompatibleModel], basis: .assumed),
    .init("will attempt automatic schema migration", "The app asked for automatic migration.", basis: .assumed),
    .init(
      "looking for mapping model with",
      "Core Data looks for a mapping model of the app's with these hashes, before it infers one.", basis: .assumed),
    .init(
      "found compatible mapping model",
      "A mapping model of the app's is used, and nothing is inferred: what its policies do is in the app alone.",
      basis: .assumed),
    .init(
      "no suitable mapping model found in bundles",
      "No mapping model of the app's has these two sets of hashes; one is inferred, where that was asked for.",
      checks: [.notLightweight], basis: .assumed),
    .init(
      "inferring a mapping model between data models",
      "The migration is worked out from the two models alone; diagnose --model does the same.",
      checks: [.notLightweight, .dataBlocksMigration], basis: .assumed),
    .init(
      "beginning lightweight migration on connection", "The migration changes tables and columns from here on.",
      basis: .assumed),
    .init(
      "in-place migration completed", "The migration is done: the store has the new model's hashes afterwards.",
      basis: .assumed),
  ]

  /// Statements of guides that people ask about; they are not looked for in logs.
  package static let claims: [KnownReason] = [
    .init(
      "fresh install",
      "A fresh install runs no migration: a store that is made new has the current model from the start, so that no stage "
        + "runs and what a stage would fill in has to be filled in by the app.", basis: .assumed),
    .init(
      "simulator",
      "The simulator keeps an app's database when the app is built and installed again, as a device does; it goes where the "
        + "app is deleted or the simulator erased. Stores that an earlier build wrote are there, and are opened.",
      basis: .assumed),
    .init(
      "com.apple.coredata.sqldebug",
      "The launch argument '-com.apple.CoreData.SQLDebug 1' prints the statements of Core Data, 3 with their values; "
        + "SwiftData's own store is one of Core Data's and prints them too. 'storedoctor explain --log LOG --store STORE' "
        + "says what their tables and columns are.", basis: .assumed),
    .init(
      "com.apple.swiftdata",
      "Nothing is measured of a debug argument of SwiftData's own. '-com.apple.CoreData.SQLDebug 1' prints the statements of "
        + "its store.", basis: .assumed),
    .init(
      "prefetch",
      "It asks for related objects together with those that are fetched. Reports differ by system whether each fetch obeys "
        + "it, and nothing is measured here: '-com.apple.CoreData.SQLDebug 1' shows the statements of yours.",
      basis: .assumed),
  ]

  /// Functions in the frames of a crash report. They tell what was done, and not why it failed, so that any sentence or
  /// number in the log says more.
  private static let frames: [KnownReason] = [
    frame(
      "_pffaulthandlerlookuprow",
      "The app stopped when it read the row of an object it already held: the row may be gone.",
      checks: [.danglingReference, .orphanedJoinRow]),
    frame(
      "_pf_fulfilldeferredfault",
      "The app stopped when it read the row of an object it already held: the row may be gone.",
      checks: [.danglingReference, .orphanedJoinRow]),
    frame(
      "nsfaulthandler", "The app stopped when it read the row of an object it already held: the row may be gone.",
      checks: [.danglingReference, .orphanedJoinRow]),
    frame(
      "addpersistentstorewithtype", "The app stopped when it opened the store.",
      checks: [.incompatibleModel, .dataBlocksMigration, .corruptPage]),
    frame(
      "loadpersistentstores", "The app stopped when it opened the store.",
      checks: [.incompatibleModel, .dataBlocksMigration, .corruptPage]),
    frame(
      "nsmigrationmanager", "The app stopped when it migrated the store.",
      checks: [.dataBlocksMigration, .notLightweight, .missingTable]),
    frame(
      "inplacemigration", "The app stopped when it migrated the store.",
      checks: [.dataBlocksMigration, .missingTable]),
    frame(
      "nsstagedmigrationmanager", "The app stopped in a staged migration.",
      checks: [.duplicateVersionChecksum, .unknownToPlan, .dataBlocksMigration]),
    frame(
      "nsmanagedobjectcontext save:", "The app stopped when it saved.",
      checks: [.missingRequiredValue, .duplicateKey, .danglingReference, .missingColumn]),
    frame(
      "modelcontext.save", "The app stopped when it saved.",
      checks: [.missingRequiredValue, .duplicateKey, .danglingReference, .missingColumn]),
    frame(
      "modelcontainer.init", "The app stopped when it opened the store.",
      checks: [.incompatibleModel, .dataBlocksMigration, .duplicateVersionChecksum]),
    frame(
      "executefetchrequest", "The app stopped in a fetch.", checks: [.missingTable, .missingColumn, .unreadableArchive]),
    frame(
      "nskeyedunarchiver",
      "The app stopped when it decoded an archive, such as the value of a transformable attribute.",
      checks: [.unreadableArchive]),
    frame("nscloudkitmirroringdelegate", "The app stopped in CloudKit's mirroring.", checks: [.cloudkitModelRule]),
  ]

  private static func frame(_ words: String, _ meaning: String, checks: [CheckID]) -> KnownReason {
    KnownReason(words, "a frame of a crash. \(meaning)", checks: checks, isWrapper: true, basis: .assumed)
  }
}
