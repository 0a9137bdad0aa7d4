import StoreDigests
import StoreCoreData
import StoreJSON
import StoreSQLite
import StoreText

extension RepairPlan {
  /// The form of a plan; its JSON Schema is `docs/schemas/plan.json`.
  public static let schema = "storedoctor.plan/1"

  /// The plan as its file holds it.
  ///
  /// - Parameter showsValues: whether the new values of rows are included. Without them the plan can be shown to
  ///   anybody, but not applied.
  package func json(toolVersion: String, showsValues: Bool) -> JSONValue {
    let inputs = inputs(toolVersion: toolVersion)
    return .object([
      ("schema", .string(Self.schema)), ("inputDigest", .string(RepairPlan.digest(ofInputs: inputs))),
      ("tool", inputs["tool"]),
      ("isRedacted", .whenTrue(!showsValues)), ("store", inputs["store"]), ("recipe", inputs["recipe"]),
      ("model", inputs["model"]), ("generated", inputs["generated"]),
      ("operations", .array(operations.map { $0.json(showsValues: showsValues) })),
      ("obstacles", .array(obstacles.map(\.json))), ("notices", .strings(notices)),
      ("needs", .strings(needs.map(\.rawValue))), ("before", before.json), ("after", after.json),
    ])
  }

  /// The inputs from which the rest of a plan follows, by the names of a plan's members.
  private func inputs(toolVersion: String) -> [String: JSONValue] {
    var inputs: [String: JSONValue] = [
      "tool": .object(["version": .string(toolVersion)]),
      "store": .object([
        ("path", .string(store.path)), ("uuid", .optional(store.uuid)), ("fingerprint", .string(store.fingerprint)),
      ]),
      "recipe": recipe.json,
      "generated": .object([
        "seed": .string(hexadecimal(generated.seed.bigEndianBytes)), "now": .number(generated.now),
      ]),
    ]
    inputs["model"] = aim?.json
    return inputs
  }

  /// SHA-256 over the inputs as JSON, in hex.
  ///
  /// Planning again cannot notice an edited input that has no effect, like the folder of the store or a repair that
  /// finds nothing to do; this does. It is no signature: everything that is done is compared with what planning gives.
  static func digest(ofInputs plan: [String: JSONValue]) -> String {
    let inputs = ["tool", "store", "recipe", "model", "generated"].map { ($0, plan[$0]?.withWholeNumbers) }
    var stream = SHA256Stream()
    Array(JSONValue.object(inputs).text.utf8).withUnsafeBytes { stream.update($0) }
    return hexadecimal(stream.finalize())
  }
}

extension Operation {
  /// As a plan's file holds it; `sql` is for human readers only.
  func json(showsValues: Bool) -> JSONValue {
    .object([
      ("repair", .string(repair.rawValue)), ("summary", .string(summary)), ("entity", .optional(entity)),
      ("property", .optional(property)), ("grade", .string(grade.rawValue)),
      ("expectedChanges", .integer(Int64(expectedChanges))), ("edit", edit.json(showsValues: showsValues)),
      ("groups", groups.isEmpty ? nil : .array(groups.map(\.json))),
    ])
  }
}

extension Twins {
  /// The key of the object that stays, and those of the others.
  fileprivate var json: JSONValue {
    .object(["keep": .integer(survivor), "others": .array(others.map(JSONValue.integer))])
  }
}

extension Edit {
  fileprivate func json(showsValues: Bool) -> JSONValue {
    switch self {
    case .rows(let rows): .object(["rows": rows.json(showsValues: showsValues)])
    case .reindex(let name): .object(["reindex": .string(name)])
    case .createUniqueIndex(let name, let table, let columns, let replaces):
      .object([
        "createUniqueIndex": .object([
          "name": .string(name), "table": .string(table), "columns": .strings(columns),
          "replaces": .bool(replaces),
        ])
      ])
    case .highWater(let entity, let key):
      .object(["highWater": .object(["entity": .integer(entity.number), "key": .integer(key)])])
    case .renameEntity(let entity, let name):
      .object(["renameEntity": .object(["entity": .integer(entity.number), "name": .string(name)])])
    case .metadata(let digest, let checksum):
      .object(["metadata": .object([("digest", .optional(digest)), ("checksum", .optional(checksum))])])
    case .compact(let bytes): .object(["compact": .object(["bytes": .integer(bytes)])])
    case .moveExternalFile(let name): .object(["moveExternalFile": .string(name)])
    }
  }
}

extension RowEdit {
  fileprivate func json(showsValues: Bool) -> JSONValue {
    .object([
      ("table", .string(table)), ("action", .string(action.rawValue)), ("key", .strings(keyColumns)),
      ("set", .nonEmpty(setColumns)), ("countsLock", .whenTrue(countsLock)),
      ("byTriggers", .whenTrue(isByTriggers)), ("sql", .string(sql)),
      ("keys", isKeyedByObject ? .string(keyRanges) : nil),
      ("links", isKeyedByObject ? nil : .array(keyRows(showsValues: showsValues))),
      ("sharedValues", showsValues ? shared.map { .array($0.map(\.json)) } : nil),
      ("values", showsValues && shared == nil && !setColumns.isEmpty ? .array(valueRows) : nil),
    ])
  }

  private var isKeyedByObject: Bool { keyColumns == ["Z_PK"] }

  private var starts: StrideTo<Int> { stride(from: 0, to: rows.count - max(width, 1) + 1, by: max(width, 1)) }

  /// The keys of each row. Anything but integers and NULL could be a value, and is redacted like one.
  private func keyRows(showsValues: Bool) -> [JSONValue] {
    starts.map { .array(rows[$0..<$0 + keyColumns.count].map { showsValues ? $0.json : $0.redactedKey }) }
  }

  private var valueRows: [JSONValue] {
    starts.map { .array(rows[($0 + keyColumns.count)..<$0 + width].map(\.json)) }
  }

  /// Ascending keys as ranges, "1-5,7", so that a million consecutive keys take a few bytes.
  private var keyRanges: String {
    var text: [String] = []
    var range: ClosedRange<Int64>?
    func close() {
      if let range { text.append(range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)") }
    }
    for key in objectKeys {
      if let open = range, key > open.upperBound, key - 1 == open.upperBound {
        range = open.lowerBound...key
      } else {
        close()
        range = key...key
      }
    }
    close()
    return text.joined(separator: ",")
  }
}

extension SQLiteValue {
  /// A key without anything that could be a value.
  fileprivate var redactedKey: JSONValue {
    switch self {
    case .null, .integer: json
    case .real: .object(["real": .null])
    case .text: .object(["text": .null])
    case .blob: .object(["blob": .null])
    }
  }

  /// Integers and strings as they are; what JSON cannot express as an object that names its kind.
  var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .object(["real": number.isFinite ? .number(number) : .string("\(number)")])
    case .text(let bytes):
      String(validating: bytes, as: UTF8.self).map(JSONValue.string) ?? .object(["text": .string(base64(bytes))])
    case .blob(let bytes): .object(["blob": .string(base64(bytes))])
    }
  }
}

extension Obstacle {
  /// As plans and outcomes show it.
  package var json: JSONValue {
    .object([
      ("repair", .string(repair.rawValue)), ("entity", .optional(entity)), ("property", .optional(property)),
      ("count", .integer(Int64(count))), ("keys", keys.isEmpty ? nil : .array(keys.map(JSONValue.integer))),
      ("message", .string(message)), ("refusesPlan", .bool(refusesPlan)),
    ])
  }
}

extension RepairPlan.Condition {
  /// Rows and findings by place.
  package var json: JSONValue {
    .object([
      ("rows", .object(rows.mapValues(JSONValue.integer))), ("isIntact", .bool(isIntact)),
      (
        "findings",
        .array(
          findings.map {
            .object([
              ("id", .string($0.id)), ("severity", .string($0.severity.rawValue)), ("entity", .optional($0.entity)),
              ("property", .optional($0.property)), ("count", .integer($0.count)),
            ])
          })
      ),
      ("opening", opening?.conditionJSON),
    ])
  }
}

extension JSONValue {
  /// The value with `1.0` as `1`: which of both a number is read back as depends on how it was written.
  fileprivate var withWholeNumbers: JSONValue {
    switch self {
    case .number(let number): Int64(exactly: number).map(JSONValue.integer) ?? self
    case .array(let elements): .array(elements.map(\.withWholeNumbers))
    case .object(let members): .object(members.mapValues(\.withWholeNumbers))
    case .null, .bool, .integer, .string: self
    }
  }
}

extension UInt64 {
  var bigEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * UInt64($0))) } }
}
