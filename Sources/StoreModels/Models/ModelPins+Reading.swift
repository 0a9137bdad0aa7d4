import StoreDataModel
import StoreJSON
import StoreSQLite

extension ModelPins {
  /// The format written by this version; its JSON schema is `docs/schemas/pins.json`.
  package static let schema = "storedoctor.pins/2"
  /// The format of a file in which not every version is whole: a program that does not know it refuses the file, and
  /// takes no part for the whole.
  static let partialSchema = "storedoctor.pins/3"
  /// The previous format, in which checksums are hex digits.
  static let earlierSchema = "storedoctor.pins/1"

  /// The format that these are written in.
  package var form: String { versions.allSatisfy(\.isWhole) ? Self.schema : Self.partialSchema }

  /// The largest file of pins that is read, in bytes: enough for some fifty versions of Photos' size.
  static let maximumFileSize = 16 << 20

  /// Reads what `storedoctor model pin` wrote.
  ///
  /// - Throws: `FileError`, or `PinsError` with the place in the file.
  package init(contentsOf path: PosixPath) throws {
    let file = try EvidenceFile(path)
    guard file.size <= Self.maximumFileSize else {
      throw PinsError(path: path.description, message: "\(file.size) bytes, more than \(Self.maximumFileSize)")
    }
    do {
      try self.init(try file.read(at: 0, count: Int(file.size)))
    } catch let error as JSONError {
      throw PinsError(path: path.description, message: error.description)
    }
  }

  /// Reads the bytes of a pins file.
  ///
  /// - Throws: `JSONError` with the place in the file.
  init(_ bytes: [UInt8]) throws(JSONError) {
    let members = try JSONPlace(try JSONValue(bytes)).members(["schema", "tool", "versions"])
    let schema = try members.required("schema")
    let form = try schema.string()
    guard [Self.schema, Self.partialSchema, Self.earlierSchema].contains(form) else {
      throw schema.error("'\(Self.schema)' is expected; the file is of another kind or of a newer storedoctor")
    }
    versions = []
    for place in try members.required("versions").elements() {
      versions.append(
        try Version(place, isChecksumInHex: form == Self.earlierSchema, mayBePartial: form == Self.partialSchema))
    }
  }
}

/// A file of pins that cannot be read.
package struct PinsError: Error, CustomStringConvertible {
  /// The file, as its path was given.
  package var path: String
  /// The problem, with the place.
  package var message: String

  /// The sentence shown to people.
  package var description: String { "cannot read the pins in '\(path)': \(message)" }
}

extension ModelPins.Version {
  init(_ place: JSONPlace, isChecksumInHex: Bool, mayBePartial: Bool) throws(JSONError) {
    let members = try place.members(Set(["name", "checksum", "entities"] + (mayBePartial ? ["unknown"] : [])))
    self.init(name: try members.required("name").string(), checksum: nil, entities: [:])
    for place in try members.elements("unknown") {
      let members = try place.members(["entity", "reason"])
      unknown.append(
        ModelPins.Unknown(entity: try members.string("entity"), reason: try members.required("reason").string()))
    }
    for (name, entity) in try members.required("entities").entries() { entities[name] = try ModelPins.Entity(entity) }
    guard unknown.isEmpty else { return }
    let place = try members.required("checksum")
    let checksum = isChecksumInHex ? try place.hash().bytes : try place.base64()
    guard checksum.count == 32 else { throw place.error("32 bytes in base-64 are expected") }
    self.checksum = checksum
  }
}

extension ModelPins.Entity {
  init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["hash", "entity", "properties"])
    hash = try members.required("hash").hash()
    text = HashedText(
      entity: try members.string("entity") ?? "", properties: try members.texts("properties").mapValues { .init($0) })
  }
}

extension JSONPlace {
  /// 32 bytes in hex digits.
  fileprivate func hash() throws(JSONError) -> VersionHash {
    let text = try string()
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard text.utf8.count == 64, digits.count == 64,
      let hash = VersionHash(stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    else { throw error("64 hex digits are expected") }
    return hash
  }
}
