import StoreFindings

// Errors of Core Data and Foundation, in the order of the numbers.

extension KnownError {
  static let files: [KnownError] = [
    .init(
      .cocoa, 4, "NSFileNoSuchFileError", "There is no file of that name; a folder of its path may be missing too."),
    .init(
      .cocoa, 255, "NSFileLockingError", "The lock of the file could not be had: another process has it."),
    .init(
      .cocoa, 256, "NSFileReadUnknownError",
      "The file could not be opened, for a reason the sentence hides: a table or column that is missing, a hot journal "
        + "or write-ahead log that a read-only opening cannot use, or history tracking that was on and now is not.",
      inFile: "missing tables and columns, the journal, the history tables",
      checks: [.missingTable, .missingColumn, .missingJoinTable, .hotJournal], basis: .observed),
    .init(
      .cocoa, 257, "NSFileReadNoPermissionError",
      "The app may not read the file: its permissions, the sandbox, or on iOS data protection while the device is locked. "
        + "Nothing of that is in the file."),
    .init(
      .cocoa, 258, "NSFileReadInvalidFileNameError", "The name of the file is not one that the file system takes."),
    .init(
      .cocoa, 260, "NSFileReadNoSuchFileError",
      "There is no file of that name: the app looks in another folder, or the store was moved or deleted.",
      inFile: "of a copy nothing; whether a store was made anew where one was missing", checks: [.suspectedRecreation]),
    .init(
      .cocoa, 261, "NSFileReadInapplicableStringEncodingError",
      "A text file is not in the encoding it was read in. Stores are no text: this is about another file of the app."),
    .init(
      .cocoa, 262, "NSFileReadUnsupportedSchemeError",
      "The URL is none of a file, such as one made by URL(string:) from a path; URL(fileURLWithPath:) makes one."),
    .init(.cocoa, 263, "NSFileReadTooLargeError", "The file is too large to be read at once."),
    .init(
      .cocoa, 264, "NSFileReadUnknownStringEncodingError",
      "The encoding of a text file could not be told. Stores are no text."),
    .init(
      .cocoa, 512, "NSFileWriteUnknownError", "The file could not be written, for a reason the sentence hides."),
    .init(
      .cocoa, 513, "NSFileWriteNoPermissionError",
      "The app may not write the file or its folder: permissions, the sandbox, a folder that belongs to another app, or on "
        + "iOS data protection while the device is locked. SQLite needs to write the folder too, for -wal and -shm."),
    .init(
      .cocoa, 514, "NSFileWriteInvalidFileNameError", "The name of the file is not one that the file system takes."),
    .init(.cocoa, 516, "NSFileWriteFileExistsError", "A file of that name is there already."),
    .init(
      .cocoa, 517, "NSFileWriteInapplicableStringEncodingError",
      "A text cannot be written in the encoding that was asked for. Stores are no text."),
    .init(
      .cocoa, 518, "NSFileWriteUnsupportedSchemeError",
      "The URL is none of a file, such as one made by URL(string:) from a path; URL(fileURLWithPath:) makes one."),
    .init(
      .cocoa, 640, "NSFileWriteOutOfSpaceError",
      "There is no space left. A migration needs room for a second copy, and a write-ahead log grows until a checkpoint.",
      inFile: "the size of the log", checks: [.unmergedWAL]),
    .init(
      .cocoa, 642, "NSFileWriteVolumeReadOnlyError",
      "The volume is read-only, such as the app's own bundle: a store that is delivered with an app is copied before it is "
        + "opened."),
    .init(.cocoa, 3072, "NSUserCancelledError", "The work was cancelled. Nothing is wrong with the store."),
    .init(.cocoa, 3328, "NSFeatureUnsupportedError", "The file system or the system does not have what was asked for."),
    .init(
      .cocoa, 3840, "NSPropertyListReadCorruptError",
      "A property list or JSON text could not be read: damaged, or of another format. In a store that is its metadata or an "
        + "archive.", inFile: "the metadata, and archives of transformable attributes",
      checks: [.unreadableArchive]),
    .init(
      .cocoa, 4864, "NSCoderReadCorruptError",
      "An archive could not be decoded: damaged, of another format, or of a class that is not allowed.",
      inFile: "archives of transformable attributes", checks: [.unreadableArchive]),
    .init(
      .cocoa, 4865, "NSCoderValueNotFoundError", "A value is missing in an archive.",
      inFile: "archives of transformable attributes", checks: [.unreadableArchive]),
    .init(
      .cocoa, 259, "NSFileReadCorruptFileError",
      "The file is not of a correct format: pages are damaged, it is no SQLite database, or the write-ahead log beside it "
        + "belongs to another file.", inFile: "the header, each page, and whose log it is",
      checks: [.corruptPage, .corruptIndex, .foreignWAL], basis: .observed),
  ]

  static let validation: [KnownError] = [
    .init(
      .cocoa, 1550, "NSManagedObjectValidationError",
      "Validation failed; mostly a relationship that points at an object the store no longer holds.",
      inFile: "keys without a row, and rows of another entity", checks: [.danglingReference, .wrongEntityReference]),
    .init(
      .cocoa, 1551, "NSManagedObjectConstraintValidationError", "A uniqueness constraint was violated at save.",
      inFile: "groups of duplicates", checks: [.duplicateKey, .missingUniqueIndex]),
    .init(
      .cocoa, 1560, "NSValidationMultipleErrorsError",
      "Several validations failed; the real errors are in NSDetailedErrors, further down in the log."),
    .init(
      .cocoa, 1570, "NSValidationMissingMandatoryPropertyError", "A required attribute or relationship has no value.",
      inFile: "NULL in the columns of required properties",
      checks: [.missingRequiredValue, .missingRequiredRelationship]),
    .init(
      .cocoa, 1580, "NSValidationRelationshipLacksMinimumCountError",
      "A to-many relationship has fewer objects than its minimum count. One that is required and has a minimum of 0 may "
        + "be empty.",
      inFile: "the links of each object, counted", checks: [.countOutOfBounds, .missingRequiredRelationship]),
    .init(
      .cocoa, 1590, "NSValidationRelationshipExceedsMaximumCountError",
      "A to-many relationship has more objects than it may.", inFile: "the links of each object, counted",
      checks: [.countOutOfBounds]),
    .init(
      .cocoa, 1600, "NSValidationRelationshipDeniedDeleteError",
      "An object cannot be deleted while others still point at it (delete rule Deny).", inFile: "who points at it"),
    .init(
      .cocoa, 1610, "NSValidationNumberTooLargeError", "A number is above the attribute's maximum.",
      inFile: "values against the model's bounds", checks: [.validationViolated]),
    .init(
      .cocoa, 1620, "NSValidationNumberTooSmallError", "A number is below the attribute's minimum.",
      inFile: "values against the model's bounds", checks: [.validationViolated]),
    .init(
      .cocoa, 1630, "NSValidationDateTooLateError", "A date is after the attribute's maximum.",
      inFile: "values against the model's bounds", checks: [.validationViolated]),
    .init(
      .cocoa, 1640, "NSValidationDateTooSoonError", "A date is before the attribute's minimum.",
      inFile: "values against the model's bounds", checks: [.validationViolated]),
    .init(
      .cocoa, 1650, "NSValidationInvalidDateError", "A value is no date.",
      inFile: "what kind of value the column holds",
      checks: [.wrongStorageClass]),
    .init(
      .cocoa, 1660, "NSValidationStringTooLongError", "A string is longer than its maximum length.",
      inFile: "lengths against the model's", checks: [.validationViolated]),
    .init(
      .cocoa, 1670, "NSValidationStringTooShortError", "A string is shorter than its minimum length.",
      inFile: "lengths against the model's", checks: [.validationViolated]),
    .init(
      .cocoa, 1680, "NSValidationStringPatternMatchingError", "A string does not match the attribute's pattern.",
      inFile: "values against the model's pattern", checks: [.validationViolated]),
    .init(.cocoa, 1690, "NSValidationInvalidURIError", "A value is no valid URI.", inFile: "values of URI attributes"),
  ]

  static let stores: [KnownError] = [
    .init(.cocoa, 132000, "NSManagedObjectContextLockingError", "The lock of a context could not be had."),
    .init(.cocoa, 132010, "NSPersistentStoreCoordinatorLockingError", "The lock of a coordinator could not be had."),
    .init(
      .cocoa, 133000, "NSManagedObjectReferentialIntegrityError",
      "A fault was fired for a row that is gone: something still holds the key of a deleted object. The text names the "
        + "object as x-coredata://STORE/ENTITY/pKEY.", inFile: "which rows still hold the key",
      checks: [.danglingReference, .orphanedJoinRow]),
    .init(
      .cocoa, 133010, "NSManagedObjectExternalRelationshipError",
      "A relationship leads to an object in another store, which Core Data does not allow."),
    .init(.cocoa, 133020, "NSManagedObjectMergeError", "A merge policy could not merge two versions of an object."),
    .init(
      .cocoa, 133021, "NSManagedObjectConstraintMergeError",
      "Several uniqueness constraints were violated at once, and no merge policy could resolve it.",
      inFile: "groups of duplicates, also those with NULL in part of the key", checks: [.duplicateKey]),
    .init(
      .cocoa, 134000, "NSPersistentStoreInvalidTypeError", "The type, format or version of the store is not known.",
      inFile: "what the file is"),
    .init(
      .cocoa, 134010, "NSPersistentStoreTypeMismatchError", "The file is not a store of the type that was asked for.",
      inFile: "what the file is"),
    .init(
      .cocoa, 134020, "NSPersistentStoreIncompatibleSchemaError",
      "The entities of the model's configuration are not those of the store; or a save met a table or column that is "
        + "missing.", inFile: "the hashes' entities, and tables and columns against the model",
      checks: [.missingTable, .missingColumn, .incompatibleModel]),
    .init(
      .cocoa, 134030, "NSPersistentStoreSaveError",
      "The file could not be written: read-only, in use, or the disk is full. That is not in the file."),
    .init(.cocoa, 134040, "NSPersistentStoreIncompleteSaveError", "Of several stores one could not be saved."),
    .init(
      .cocoa, 134050, "NSPersistentStoreSaveConflictsError",
      "Somebody else changed the object since it was fetched (its Z_OPT is higher), and no merge policy resolved it.",
      inFile: "lock counters that are NULL or below 1", checks: [.invalidLockCounter]),
    .init(
      .cocoa, 134060, "NSCoreDataError",
      "A general error, explained in its reason. Mostly the rules of CloudKit: every attribute optional or with a default, "
        + "every relationship optional with an inverse, none ordered, no uniqueness constraints.",
      inFile: "all of CloudKit's rules, on the cached model", checks: [.cloudkitModelRule]),
    .init(.cocoa, 134070, "NSPersistentStoreOperationError", "An operation on a store failed; the reason says why."),
    .init(
      .cocoa, 134080, "NSPersistentStoreOpenError", "The store could not be opened.",
      inFile: "header, journal and log", checks: [.corruptPage, .hotJournal]),
    .init(
      .cocoa, 134081, nil, "The same file was added to a coordinator twice.", basis: .assumed),
    .init(.cocoa, 134090, "NSPersistentStoreTimeoutError", "Connecting to the store took too long."),
    .init(
      .cocoa, 134091, "NSPersistentStoreUnsupportedRequestTypeError", "The store's class does not know such a request."),
    .init(
      .cocoa, 134092, nil,
      "A write to a store that was opened read-only. A store that had history tracking and is opened without becomes "
        + "read-only.", inFile: "whether there are history tables, and whether they are empty",
      checks: [.oversizedHistory],
      basis: .assumed),
    .init(
      .cocoa, 134093, nil,
      "It has no public name. Its number is one of those of opening and using a store (134000 to 134099); the reason beside "
        + "it says more.", inFile: "header, journal and log", checks: [.corruptPage, .hotJournal], basis: .assumed),
    .init(
      .cocoa, 134100, "NSPersistentStoreIncompatibleVersionHashError",
      "The version hash of at least one entity differs between the store and the model, or an entity is on one side only, "
        + "and migration was not asked for.", inFile: "both sets of hashes, entity by entity",
      checks: [.incompatibleModel, .editedVersion, .foreignModel]),
  ]

  static let migration: [KnownError] = [
    .init(
      .cocoa, 134110, "NSMigrationError",
      "A migration failed. The reason says why: a required value that is missing, duplicates under a new constraint, or "
        + "a table or column that is not there.", inFile: "usually everything: which change, and which rows",
      checks: [.dataBlocksMigration, .missingRequiredValue, .duplicateKey, .missingTable, .missingColumn]),
    .init(
      .cocoa, 134111, "NSMigrationConstraintViolationError", "A uniqueness constraint was violated while migrating.",
      inFile: "duplicates under the new model's constraints", checks: [.dataBlocksMigration, .duplicateKey]),
    .init(.cocoa, 134120, "NSMigrationCancelledError", "The app cancelled the migration."),
    .init(
      .cocoa, 134130, "NSMigrationMissingSourceModelError",
      "No model in the app has the store's hashes: a shipped model was edited in place, an old version was taken out of "
        + "the bundle, models were merged, or the bundle is the wrong one.",
      inFile: "the store's hashes, which versions share some of them, and the nearest",
      checks: [.incompatibleModel, .editedVersion, .foreignModel]),
    .init(
      .cocoa, 134140, "NSMigrationMissingMappingModelError",
      "The change between the two versions cannot be inferred, or the mapping model's recorded hashes do not fit.",
      inFile: "nothing; the two models tell which change it is", checks: [.notLightweight]),
    .init(
      .cocoa, 134150, "NSMigrationManagerSourceStoreError", "The source store could not be read while migrating.",
      inFile: "damaged pages, and the write-ahead log", checks: [.corruptPage, .foreignWAL]),
    .init(
      .cocoa, 134160, "NSMigrationManagerDestinationStoreError", "The destination store could not be written.",
      inFile: "files named .NAME.migrationdestination that were left behind", checks: [.suspectedRecreation]),
    .init(.cocoa, 134170, "NSEntityMigrationPolicyError", "The app's own migration policy failed."),
    .init(
      .cocoa, 134180, "NSSQLiteError", "SQLite failed; its own code is in NSSQLiteErrorDomain.",
      inFile: "damaged pages and indexes", checks: [.corruptPage, .corruptIndex]),
    .init(
      .cocoa, 134181, nil,
      "It has no public name. Its number follows that of an error of SQLite (134180), whose own code is in "
        + "NSSQLiteErrorDomain.", inFile: "damaged pages and indexes", checks: [.corruptPage, .corruptIndex],
      basis: .assumed),
    .init(
      .cocoa, 134190, "NSInferredMappingModelError", "The change between the two versions cannot be inferred.",
      inFile: "nothing; the two models tell which change it is", checks: [.notLightweight]),
    .init(.cocoa, 134200, "NSExternalRecordImportError", "External records could not be imported."),
  ]

  static let staged: [KnownError] = [
    .init(
      .cocoa, 134301, "NSPersistentHistoryTokenExpiredError",
      "The history token is older than the history that is kept.",
      inFile: "the oldest and newest transaction"),
    .init(
      .cocoa, 134400, nil,
      "CloudKit mirroring found no iCloud account, or one whose credentials are not valid. The data are sound: deleting the "
        + "store does not help.", basis: .observed),
    .init(
      .cocoa, 134405, nil,
      "The iCloud account changed. Mirroring fails once; then what was mirrored is removed from the store and comes again "
        + "from the new account.", inFile: "what waits to be uploaded, and how many rows are left", basis: .observed),
    .init(
      .cocoa, 134406, nil,
      "CloudKit mirroring ended a request since the mirror was never set up; the underlying error says why: a field that is "
        + "not in the production schema, a record that is too large, a container that this app may not use.",
      inFile: "the newest failed event of each kind", basis: .documented),
    .init(
      .cocoa, 134407, nil,
      "CloudKit mirroring cancelled a request since the store was removed or replaced meanwhile. It says nothing of the "
        + "records.", basis: .assumed),
    .init(
      .cocoa, 134410, nil,
      "Another container of this process mirrors the same store already. One container for each store, kept for the app's "
        + "life, avoids it.", basis: .documented),
    .init(
      .cocoa, 134417, nil, "CloudKit mirroring cancelled a request since one of its kind is waiting.", basis: .assumed),
    .init(
      .cocoa, 134419, nil, "An upload was overtaken by the next one; harmless where uploads that succeed follow.",
      basis: .assumed),
    .init(
      .cocoa, 134421, nil,
      "CloudKit mirroring ended with an exception while history was analysed or an import was applied. The store is not "
        + "mirrored any more until the next launch.", inFile: "the newest failed event, and the history it was at",
      basis: .assumed),
    .init(
      .cocoa, 134422, nil,
      "Two containers mirror the same store, in one process or in two, such as an app and its widget.", basis: .assumed),
    .init(
      .cocoa, 134501, nil,
      "The history token is of another store: the file was restored or replaced under the app.",
      inFile: "Z_UUID, against the identifier in the text", checks: [.suspectedRecreation], basis: .observed),
    .init(
      .cocoa, 134504, "NSManagedObjectModelReferenceNotFoundError",
      "Staged migration met a version it does not know. \"Unknown model version\": the store's checksum is not among those "
        + "of the plan; a version's model was edited, or the store never was one of them. \"Unknown coordinator model "
        + "version\": the model given to the container is not.",
      inFile: "its checksum and hashes, against those of the plan's versions",
      checks: [.unknownToPlan, .editedVersion, .incompatibleModel, .foreignModel]),
    .init(
      .cocoa, 134505, "NSStagedMigrationFrameworkVersionMismatchError",
      "The store's metadata is older than staged migration and holds no checksum: it has to be opened and saved once by a "
        + "newer framework without a plan.", inFile: "whether there is a checksum, and the framework's version",
      checks: [.unknownToPlan]),
    .init(
      .cocoa, 134506, "NSStagedMigrationBackwardMigrationError",
      "The store's version comes after the one that is asked for in the order of the stages: an older app meets a newer "
        + "store.", inFile: "the place of its checksum in the plan", checks: [.newerThanKnown, .unknownToPlan]),
    .init(
      .cocoa, 134507, nil,
      "It has no public name. Its number follows those of staged migration (134504 to 134506): what the plan knows of the "
        + "store's version, and of the model's, is to be looked at.",
      inFile: "its checksum and hashes, against those of the plan's versions",
      checks: [.unknownToPlan, .duplicateVersionChecksum, .newerThanKnown], basis: .assumed),
  ]
}
