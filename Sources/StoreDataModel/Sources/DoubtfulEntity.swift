/// An entity that Swift source does not determine completely: its possible readings, and what is unknown.
package struct DoubtfulEntity: Sendable {
  /// One reading of the class.
  package struct Reading: Sendable, Equatable {
    /// How open rules were decided, as text.
    package var choices: [String]
    /// The entity in this reading.
    package var entity: Entity
    /// Its version hash, including ancestors; nil if not known.
    package var hash: VersionHash?
    /// Its position among all readings, including those for old systems.
    package var position: Int

    package init(choices: [String], entity: Entity, hash: VersionHash?, position: Int) {
      self.choices = choices
      self.entity = entity
      self.hash = hash
      self.position = position
    }
  }

  /// The readings for current systems, likeliest first; incomplete if something is unknown.
  package var readings: [Reading]
  /// The readings that only older systems have, for stores and pins that they wrote.
  package var olderReadings: [Reading]
  /// The unknown part, as text that is equal only for equal source; nil if no text can guarantee that.
  package var unknown: [String]?
  /// The unknown properties; nil if further properties may be missing.
  package var unknownProperties: Set<String>?
  /// The file and byte offset of the class declaration.
  package var declaration: String

  package init(
    readings: [Reading], olderReadings: [Reading] = [], unknown: [String]?, unknownProperties: Set<String>?,
    declaration: String
  ) {
    self.readings = readings
    self.olderReadings = olderReadings
    self.unknown = unknown
    self.unknownProperties = unknownProperties
    self.declaration = declaration
  }

  /// The reading of a hash that is known; of an older system, where today's have none.
  package func reading(of hashes: Set<VersionHash>) -> Reading? {
    (readings + olderReadings).first { $0.hash.map(hashes.contains) ?? false }
  }

  /// Whether two versions declare the same class, so that it is the same entity in every reading.
  package func isSame(as other: DoubtfulEntity) -> Bool {
    guard readings.map(\.entity) == other.readings.map(\.entity),
      olderReadings.map(\.entity) == other.olderReadings.map(\.entity)
    else { return false }
    if declaration == other.declaration { return true }
    guard let unknown, let others = other.unknown else { return false }
    return unknown == others
  }
}
