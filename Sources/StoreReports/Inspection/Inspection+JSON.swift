import StoreInspection
import StoreJSON

/// The JSON form of an inspection, `storedoctor.inspection/2`; its schema is `docs/schemas/inspection.json`.
extension Inspection: JSONRepresentable {
  /// The whole document.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.inspection/2")),
      ("tool", .object(["version": .string(toolVersion)])),
      ("store", store.json), ("metadata", metadata.json), ("model", model.json),
      ("entities", .array(entities.map(\.json))), ("joinTables", .array(joinTables.map(\.json))),
      ("history", history.json), ("deleted", deleted.isEmpty ? nil : .array(deleted.map(\.json))),
      ("cloudKit", cloudKit.json),
      ("externalData", externalData.json), ("unexplained", .array(unexplained.map(\.json))),
      ("problems", .strings(problems)), ("commits", commits.map { .array($0.map(\.json)) }),
    ])
  }
}

extension Inspection.StoreFacts: JSONRepresentable {
  var json: JSONValue {
    .object(
      identity.members + [
        ("files", .array(files.map(\.json))), ("journalMode", .string(journalMode)),
        ("pageSize", .integer(Int64(pageSize))), ("freePages", .integer(freePages)), ("wal", wal?.json),
        ("hotJournal", hotJournal.map { .object(["pagesRestored": .integer($0.pagesRestored)]) }),
        ("accessTimesKept", .bool(accessTimesKept)),
      ])
  }
}

extension Inspection.Deleted: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("entity", .string(entity)), ("proved", proved.map { .integer($0) }), ("atLeast", .whenTrue(isAtLeast)),
      ("unusedKeys", unusedKeys.map { .integer($0) }),
    ])
  }
}

extension Inspection.File: JSONRepresentable {
  var json: JSONValue {
    .object([("role", .string(role)), ("bytes", .integer(bytes)), ("sha256", .optional(sha256))])
  }
}

extension Inspection.WAL: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("frames", .integer(frames)), ("committedFrames", .integer(committedFrames)),
      ("framesNotInMain", .integer(framesNotInMain)), ("belongsToStore", .string(belongsToStore)),
      ("reasons", .strings(reasons)), ("read", .bool(isRead)),
    ])
  }
}

extension Inspection.Metadata: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("uuid", .optional(uuid)), ("frameworkVersion", .optional(frameworkVersion)),
      ("maximumFrameworkVersion", .optional(maximumFrameworkVersion)),
      ("versionIdentifiers", .strings(versionIdentifiers)), ("hashesVersion", .optional(hashesVersion)),
      ("hashes", hashes.map { .object($0.mapValues(JSONValue.string)) }), ("digest", .optional(digest)),
      ("checksum", .optional(checksum)), ("digestConsistent", .optional(digestConsistent)),
      ("checksumConsistent", .optional(checksumConsistent)), ("keys", .strings(keys)),
      ("otherKeys", .strings(otherKeys)),
      ("otherValues", otherValues.map { .object($0.mapValues(JSONValue.string)) }),
    ])
  }
}

extension Inspection.ModelFacts: JSONRepresentable {
  var json: JSONValue {
    .object([("source", .string(source)), ("path", .optional(path)), ("hashesEqual", .optional(hashesEqual))])
  }
}

extension Inspection.Entity: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("modelName", .optional(modelName)), ("number", .integer(number)),
      ("parent", .optional(parent)), ("root", .string(root)), ("table", .string(table)),
      ("abstract", .bool(isAbstract)), ("internal", .whenTrue(isInternal)), ("rows", .optional(rows)),
      ("highWater", .optional(highWater)), ("versionHash", versionHash?.json),
      ("attributes", .array(attributes.map(\.json))), ("relationships", .array(relationships.map(\.json))),
      ("uniquenessConstraints", .array(uniquenessConstraints.map(JSONValue.strings))),
      ("bytes", .optional(bytes)), ("indexes", indexes.map { .array($0.map(\.json)) }),
    ])
  }
}

extension Inspection.VersionHash: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("stored", .optional(stored)), ("computed", .optional(computed)), ("equal", .optional(isEqual)),
      ("unproven", .nonEmpty(unproven)),
    ])
  }
}

extension Inspection.Attribute: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("declaredBy", .optional(declaredBy)), ("columns", .strings(columns)),
      ("missingColumns", .nonEmpty(missing)), ("type", .string(type)), ("optional", .bool(isOptional)),
      ("transient", .whenTrue(isTransient)), ("derived", .whenTrue(isDerived)),
      ("externalStorage", .whenTrue(allowsExternalStorage)), ("certainty", .optional(certainty)),
      ("nulls", nulls.map { .object($0.mapValues(JSONValue.integer)) }),
    ])
  }
}

extension Inspection.Relationship: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("declaredBy", .optional(declaredBy)), ("destination", .optional(destination)),
      ("inverse", .optional(inverse)), ("toMany", .bool(isToMany)), ("ordered", .bool(isOrdered)),
      ("optional", .bool(isOptional)), ("transient", .whenTrue(isTransient)), ("table", .optional(table)),
      ("column", .optional(column)),
      ("companionColumn", .optional(companionColumn)), ("orderColumn", .optional(orderColumn)),
      ("joinTable", .optional(joinTable)), ("certainty", .optional(certainty)), ("nulls", .optional(nulls)),
    ])
  }
}

extension Inspection.Index: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("columns", .strings(columns)), ("unique", .bool(isUnique)),
      ("partial", .whenTrue(isPartial)),
    ])
  }
}

extension Inspection.JoinTable: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("source", source.json), ("destination", destination.json),
      ("orderColumns", .nonEmpty(orderColumns)), ("rows", .optional(rows)), ("bytes", .optional(bytes)),
    ])
  }
}

extension Inspection.JoinTable.End: JSONRepresentable {
  var json: JSONValue {
    .object([
      "entity": .string(entity), "relationship": .string(relationship), "column": .string(column),
    ])
  }
}

extension Inspection.History: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("present", .bool(isPresent)), ("transactions", .optional(transactions)), ("changes", .optional(changes)),
      ("oldest", .optional(oldest.map(timestamp))), ("newest", .optional(newest.map(timestamp))),
      ("goneTransactions", goneTransactions.isEmpty ? nil : .array(goneTransactions.map(\.json))),
      ("goneChanges", goneChanges.isEmpty ? nil : .array(goneChanges.map(\.json))), ("bytes", .optional(bytes)),
    ])
  }
}

extension Inspection.GoneNumbers: JSONRepresentable {
  var json: JSONValue {
    .object([("first", .integer(first)), ("last", .integer(last)), ("count", .integer(count))])
  }
}

extension Inspection.ExternalData: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("references", .integer(references)), ("found", .optional(found)), ("missing", .optional(missing)),
    ])
  }
}

extension Inspection.Unexplained: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("table", .optional(table)), ("column", .optional(column)), ("index", .optional(index)),
      ("why", .string(why)),
    ])
  }
}

extension Inspection.CloudKit: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("mirrored", .bool(isMirrored)), ("entities", entities.map { .array($0.map(\.json)) }),
      ("unknownRecords", .optional(unknownRecords)),
    ])
  }
}

extension Inspection.MirroredEntity: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("entity", .string(entity)), ("objects", .integer(objects)), ("uploaded", .integer(uploaded)),
      ("waiting", .integer(waiting)), ("toBeDeleted", .integer(toBeDeleted)), ("ghosts", .integer(ghosts)),
      ("withoutRecord", .integer(withoutRecord)),
    ])
  }
}
