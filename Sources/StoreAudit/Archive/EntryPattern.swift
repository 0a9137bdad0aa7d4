/// A pattern by which bsdtar leaves out an entry (`--exclude`): the entry's name, from its beginning to its end.
///
/// What acts in a pattern stands behind a backslash. What libarchive may turn before it compares is left open: `?` stands
/// for a backslash, which it takes for a slash in archives from Windows, and `*` for letters beyond ASCII with the one
/// before them, which it composes. So a pattern may fit other names, and has to be asked.
struct EntryPattern {
  private let parts: [Part]
  private let isAbsolute: Bool

  private enum Part: Equatable {
    case byte(UInt8)
    case one
    case many
  }

  /// More of them could take for ever to compare.
  private static let mostOpenParts = 3

  /// Nil for a name that no pattern is made of.
  init?(_ name: [UInt8]) {
    // Where turned backslashes make parts that do not count, it is not known which form is compared.
    guard Self.plain(Self.turned(name)).count == Self.plain(name).count else { return nil }
    var parts: [Part] = []
    for byte in Self.plain(name) {
      switch byte {
      case 0: return nil
      case UInt8(ascii: "\\"): parts.append(.one)
      case 0x80...:
        if case .byte(let before)? = parts.last, before != UInt8(ascii: "/") { parts.removeLast() }
        if parts.last != .many { parts.append(.many) }
      case _: parts.append(.byte(byte))
      }
    }
    guard !parts.isEmpty, parts.count(where: { $0 == .many }) <= Self.mostOpenParts else { return nil }
    self.parts = parts
    isAbsolute = name.first == UInt8(ascii: "/")
  }

  /// As bsdtar takes it.
  var text: String {
    let words = parts.map { part in
      switch part {
      case .byte(let byte):
        (Self.isInert(byte) ? "" : "\\") + String(UnicodeScalar(byte))
      case .one: "?"
      case .many: "*"
      }
    }
    return (isAbsolute ? "^/" : "^") + words.joined() + "$"
  }

  /// Whether bsdtar may leave out an entry of this name too.
  func fits(_ name: [UInt8]) -> Bool { fitsAll(Self.plain(name)) || fitsAll(Self.plain(Self.turned(name))) }

  private func fitsAll(_ bytes: [UInt8]) -> Bool {
    var (part, byte) = (0, 0)
    var open: (part: Int, byte: Int)?
    while byte < bytes.count {
      if part < parts.count, parts[part] == .many {
        open = (part, byte)
        part += 1
      } else if part < parts.count, parts[part] == .one || parts[part] == .byte(bytes[byte]) {
        part += 1
        byte += 1
      } else if let last = open {
        open = (last.part, last.byte + 1)
        (part, byte) = (last.part + 1, last.byte + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .many }
  }

  /// Letters, digits, and what never acts in a pattern.
  private static func isInert(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: " "):
      true
    case _: false
    }
  }

  /// With slashes for backslashes.
  static func turned(_ name: [UInt8]) -> [UInt8] {
    name.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
  }

  /// Without "." and doubled slashes, which do not count when bsdtar compares.
  private static func plain(_ name: [UInt8]) -> [UInt8] {
    Array(
      name.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
        .joined(separator: [UInt8(ascii: "/")]))
  }
}
