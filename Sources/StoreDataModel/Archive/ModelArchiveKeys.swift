import StorePropertyLists

/// The keys a model is archived with, looked up in one archive.
struct ModelArchiveKeys {
  let entities, entityName, versionIdentifiers, configurations, fetchRequestTemplates: KeyedArchive.Key
  let entity, predicate, superentity, isAbstract, classNameForEntity, versionHashModifier, renamingIdentifier,
    userInfo, properties, uniqueTuples, compoundIndexes: KeyedArchive.Key
  let fetchIndexDescriptions, indexName, indexElements, indexedProperty, expression, ascending,
    fetchIndexElementType, partialIndexPredicate: KeyedArchive.Key
  let underlyingProperty, propertyName, isOptional, isTransient, isReadOnly: KeyedArchive.Key
  let destinationEntityName, destinationEntity, inverseRelationshipName, inverseRelationship, minCount, maxCount,
    isOrdered, deleteRule: KeyedArchive.Key
  let fetchRequest, fetchRequestEntityName: KeyedArchive.Key
  let attributeType, flags, isIndexed, attributeValueClassName, valueTransformerName, defaultValue,
    validationPredicates, derivationExpression, filteringPredicate, compositeElements: KeyedArchive.Key
  let variable, keyPath, selectorName: KeyedArchive.Key

  init(_ archive: KeyedArchive) {
    entities = archive.key("NSEntities")
    entityName = archive.key("NSEntityName")
    versionIdentifiers = archive.key("NSVersionIdentifiers")
    configurations = archive.key("NSConfigurations")
    fetchRequestTemplates = archive.key("NSFetchRequestTemplates")
    entity = archive.key("NSEntity")
    predicate = archive.key("NSPredicate")
    superentity = archive.key("NSSuperentity")
    isAbstract = archive.key("NSIsAbstract")
    classNameForEntity = archive.key("NSClassNameForEntity")
    versionHashModifier = archive.key("NSVersionHashModifier")
    renamingIdentifier = archive.key("NSRenamingIdentifier")
    userInfo = archive.key("NSUserInfo")
    properties = archive.key("NSProperties")
    uniqueTuples = archive.key("NSUniqueTuples")
    compoundIndexes = archive.key("NSCompoundIndexes")
    fetchIndexDescriptions = archive.key("NSFetchIndexDescriptions")
    indexName = archive.key("NSIndexName")
    indexElements = archive.key("NSIndexElements")
    indexedProperty = archive.key("NSIndexedProperty")
    expression = archive.key("NSExpression")
    ascending = archive.key("NSAscending")
    fetchIndexElementType = archive.key("NSFetchIndexElementType")
    partialIndexPredicate = archive.key("NSPartialIndexPredicate")
    underlyingProperty = archive.key("NSUnderlyingProperty")
    propertyName = archive.key("NSPropertyName")
    isOptional = archive.key("NSIsOptional")
    isTransient = archive.key("NSIsTransient")
    isReadOnly = archive.key("NSIsReadOnly")
    destinationEntityName = archive.key("_NSDestinationEntityName")
    destinationEntity = archive.key("NSDestinationEntity")
    inverseRelationshipName = archive.key("_NSInverseRelationshipName")
    inverseRelationship = archive.key("NSInverseRelationship")
    minCount = archive.key("NSMinCount")
    maxCount = archive.key("NSMaxCount")
    isOrdered = archive.key("NSIsOrdered")
    deleteRule = archive.key("NSDeleteRule")
    fetchRequest = archive.key("NSFetchRequest")
    fetchRequestEntityName = archive.key("_NSFetchRequestEntityName")
    attributeType = archive.key("NSAttributeType")
    flags = archive.key("NSFlagsKey")
    isIndexed = archive.key("NSIsIndexed")
    attributeValueClassName = archive.key("NSAttributeValueClassName")
    valueTransformerName = archive.key("NSValueTransformerName")
    defaultValue = archive.key("NSDefaultValue")
    validationPredicates = archive.key("NSValidationPredicates")
    derivationExpression = archive.key("NSDerivationExpression")
    filteringPredicate = archive.key("NSFilteringPredicate")
    compositeElements = archive.key("NSCompositeElements")
    variable = archive.key("NSVariable")
    keyPath = archive.key("NSKeyPath")
    selectorName = archive.key("NSSelectorName")
  }
}
