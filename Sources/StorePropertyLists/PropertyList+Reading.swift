extension PropertyList {
  /// Reads a binary or an XML list, told apart by how the bytes begin.
  ///
  /// - Throws: ``PropertyListError`` for anything else (the old style of `{ key = value; }` too), for damage in what
  ///   the root refers to, and beyond `limits`. Objects that nothing refers to are not looked at.
  package init(_ bytes: [UInt8], limits: Limits = Limits()) throws(PropertyListError) {
    guard bytes.count <= limits.bytes else {
      throw PropertyListError("\(bytes.count) bytes are more than the limit of \(limits.bytes)", at: 0)
    }
    if bytes.starts(with: BinaryReader.magic) {
      let (table, top) = try BinaryReader.read(bytes, limits: limits)
      self.init(format: .binary, table: table, top: top)
    } else if XMLListReader.recognizes(bytes) {
      let (table, top) = try XMLListReader.read(bytes, limits: limits)
      self.init(format: .xml, table: table, top: top)
    } else {
      throw PropertyListError("neither a binary nor an XML property list", at: 0)
    }
  }
}
