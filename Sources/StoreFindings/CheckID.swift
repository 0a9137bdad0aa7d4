/// The id of a check of stores. Code that asks for a check outside of it names a case, so that the compiler finds every place
/// that does; `docs/checks/` says what each one is.
package enum CheckID: String, CaseIterable, Sendable {
  // The file.
  case unreadableFile = "SD101"
  case corruptPage = "SD102"
  case corruptIndex = "SD103"
  case unmergedWAL = "SD104"
  case foreignWAL = "SD105"
  case hotJournal = "SD106"
  case lostWALSuspected = "SD107"
  case unreadTable = "SD108"

  // Metadata.
  case missingMetadata = "SD201"
  case digestMismatch = "SD202"
  case checksumMismatch = "SD203"
  case modelCacheUnreadable = "SD204"
  case modelCacheDiffers = "SD205"
  case entityMapDiffers = "SD206"
  case highWaterTooLow = "SD207"
  case highWaterOnSubentity = "SD208"
  case unknownEntityNumber = "SD209"
  case entityInWrongTable = "SD210"
  case invalidLockCounter = "SD211"
  case abstractEntityRow = "SD212"
  case repeatedKey = "SD213"
  case severalMetadataRows = "SD214"
  case missingStoreUUID = "SD215"

  // Tables.
  case missingTable = "SD301"
  case missingColumn = "SD302"
  case unexpectedColumn = "SD303"
  case missingJoinTable = "SD304"
  case missingUniqueIndex = "SD305"
  case columnTypeDiffers = "SD306"
  case foreignObject = "SD307"

  // Relationships.
  case danglingReference = "SD401"
  case wrongEntityReference = "SD402"
  case companionMismatch = "SD403"
  case orphanedJoinRow = "SD404"
  case unmirroredSelfLink = "SD405"
  case oneSidedInverse = "SD406"
  case missingRequiredRelationship = "SD407"
  case countOutOfBounds = "SD408"
  case brokenOrderKey = "SD409"
  case orphanedObject = "SD410"
  case parentLoop = "SD411"

  // Values.
  case missingRequiredValue = "SD501"
  case duplicateKey = "SD502"
  case wrongStorageClass = "SD503"
  case valueOutOfRange = "SD504"
  case invalidUUID = "SD505"
  case unreadableArchive = "SD506"
  case validationViolated = "SD507"
  case invalidText = "SD508"
  case refusedClass = "SD509"
  case refusedContents = "SD510"
  case insecureArchive = "SD511"
  case classOfAnotherModule = "SD512"

  // External data.
  case missingExternalFile = "SD601"
  case orphanedExternalFile = "SD602"
  case malformedExternalReference = "SD603"

  // History.
  case danglingHistory = "SD701"
  case oversizedHistory = "SD702"
  case mirroredStore = "SD703"
  case cloudkitModelRule = "SD704"
  case suspectedRecreation = "SD705"
  case recordWithoutObject = "SD706"
  case objectWithoutRecord = "SD707"

  // Migration.
  case incompatibleModel = "SD801"
  case newerThanKnown = "SD802"
  case editedVersion = "SD803"
  case mergedModel = "SD804"
  case notLightweight = "SD805"
  case dataBlocksMigration = "SD806"
  case duplicateVersionChecksum = "SD807"
  case unknownToPlan = "SD808"
  case migrationLosesData = "SD809"
  case foreignModel = "SD810"
}

extension Finding {
  /// Its check, where it is one of stores.
  package var check: CheckID? { CheckID(rawValue: id) }
}
