/// An entity that Swift source alone does not tell whole: the readings it has, and what is not known of it.
package struct DoubtfulEntity: Sendable {
  /// One reading of the class.
  package struct Reading: Sendable, Equatable {
    /// How open rules were read, in words.
    package var choices: [String]
    /// The entity.
    package var entity: Entity
    /// Its version hash, ancestors included; nil where it is not known.
    package var hash: VersionHash?
    /// Its position among all readings, those of old systems included.
    package var position: Int

    package init(choices: [String], entity: Entity, hash: VersionHash?, position: Int) {
      self.choices = choices
      self.entity = entity
      self.hash = hash
      self.position = position
    }
  }

  /// The readings of current systems, the likeliest first; where something is not known, what is.
  package var readings: [Reading]
  /// What is not known, in words that are equal only where the source is; nil where no words tell.
  package var unknown: [String]?
  /// The properties that are not known; nil where others may be missing.
  package var unknownProperties: Set<String>?
  /// The file and the byte where the class is declared.
  package var declaration: String

  package init(readings: [Reading], unknown: [String]?, unknownProperties: Set<String>?, declaration: String) {
    self.readings = readings
    self.unknown = unknown
    self.unknownProperties = unknownProperties
    self.declaration = declaration
  }

  /// Whether two versions state the same class, so that it is the same entity however it is read.
  package func isSame(as other: DoubtfulEntity) -> Bool {
    guard readings.map(\.entity) == other.readings.map(\.entity) else { return false }
    if declaration == other.declaration { return true }
    guard let unknown, let others = other.unknown else { return false }
    return unknown == others
  }
}
