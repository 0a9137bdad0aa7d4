import StoreWords

extension LeftOut {
  static func orphan(_ log: PlaceFile, prefix: [UInt8]) -> LeftOut {
    let main = quotedName(of: log.name.hasSuffix("-wal") ? Array(log.name.dropLast(4)) : log.name)
    return LeftOut(
      name: prefix + log.name, kind: .orphanLog,
      reason: "a write-ahead log without its store \(main), with rows that may be nowhere else; "
        + "look for the store it was copied without")
  }
}

/// The last component of a name, in quotes.
private func quotedName(of name: [UInt8]) -> String {
  quoted(String(decoding: name.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self))
}
