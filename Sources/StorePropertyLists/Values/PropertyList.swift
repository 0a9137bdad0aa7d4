/// A property list as stored in its file: a flat table of objects that refer to one another by index.
///
/// Any bytes give a list or an error. Reading is linear in the size of the input and never recurses. Objects that are
/// shared, or contain themselves, are kept as they are; only ``value()`` expands them, within limits.
///
/// ```swift
/// let metadata = try PropertyList(bytes)
/// metadata.root["NSStoreModelVersionHashes"]?["Note"]?.data
/// ```
package struct PropertyList: Sendable {
  /// The limits beyond which a list is refused.
  package struct Limits: Sendable {
    /// Size of the input in bytes. The same limit applies to all its strings and data together, which may overlap in
    /// a hostile file, and to what ``PropertyList/value()`` copies.
    package var bytes: Int

    /// Objects in the table, at most 2³² - 1.
    package var objects: Int

    /// Children of all containers together, and objects in the expansion of ``PropertyList/value()``.
    package var references: Int

    /// Containers inside one another. A binary list may be deeper, as its table is flat, but has no ``value()`` then.
    /// More than 1,000 are never allowed: Swift releases nested values by recursion.
    package var depth: Int

    /// Limits that fit everything a store or a model holds.
    package init(
      bytes: Int = 256 << 20, objects: Int = 2_000_000, references: Int = 8_000_000, depth: Int = 512
    ) {
      self.bytes = bytes
      self.objects = objects
      self.references = references
      self.depth = depth
    }

    /// Objects are referred to by 32 bits.
    var objectLimit: Int { min(objects, Int(UInt32.max)) }

    var depthLimit: Int { min(depth, 1_000) }
  }

  /// The format of a list.
  package enum Format: Sendable {
    /// Apple's binary format, version 0 (`bplist00`).
    case binary
    /// XML, UTF-8, as of Apple's `PropertyList-1.0.dtd`.
    case xml
  }

  /// The format of this list.
  package let format: Format

  let table: ObjectTable
  let top: Int

  init(format: Format, table: ObjectTable, top: Int) {
    self.format = format
    self.table = table
    self.top = top
  }

  /// The object that holds all others.
  package var root: Node { Node(table: table, format: format, index: top) }

  /// The whole list as a tree. See ``Node/value()``.
  package func value() throws(PropertyListError) -> PropertyListValue { try root.value() }
}
