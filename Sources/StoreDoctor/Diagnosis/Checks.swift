extension Check {
  /// Every check there is, by id.
  public static let all: [Check] = [
    missingMetadata,
    digestMismatch,
    checksumMismatch,
    modelCacheUnreadable,
    modelCacheDiffers,
    entityMapDiffers,
    highWaterTooLow,
    highWaterOnSubentity,
    unknownEntityNumber,
    entityInWrongTable,
    invalidLockCounter,
    danglingReference,
    wrongEntityReference,
    companionMismatch,
    orphanedJoinRow,
    unmirroredSelfLink,
    oneSidedInverse,
    missingRequiredRelationship,
    countOutOfBounds,
    brokenOrderKey,
    orphanedObject,
  ]

  /// The check of that id or name.
  public static func named(_ name: String) -> Check? { all.first { $0.id == name || $0.name == name } }
}
