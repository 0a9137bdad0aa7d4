/// A pattern that makes bsdtar leave out an entry (`--exclude`); it matches the entry's whole name.
///
/// Special characters are escaped. What libarchive may change before comparing is left open: `?` stands for a
/// backslash, which it turns into a slash in archives from Windows, and `*` for letters beyond ASCII together with the
/// one before, which it composes. So a pattern may match other names too; `fits` tells.
struct EntryPattern {
  private let parts: [Part]
  private let isAbsolute: Bool

  private enum Part: Equatable {
    case byte(UInt8)
    case one
    case many
  }

  /// More of them could take very long to compare.
  private static let mostOpenParts = 3

  /// Nil for a name that cannot be made into a pattern.
  init?(_ name: [UInt8]) {
    // Where turning backslashes changes which components count, it is not known which form is compared.
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

  /// The pattern as bsdtar takes it.
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

  /// Whether bsdtar may leave out an entry with this name too.
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

  /// Whether a byte is never special in a pattern, such as letters and digits.
  private static func isInert(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: " "):
      true
    case _: false
    }
  }

  /// The name with slashes instead of backslashes.
  static func turned(_ name: [UInt8]) -> [UInt8] {
    name.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
  }

  /// The name without "." and doubled slashes, which bsdtar ignores in comparisons.
  private static func plain(_ name: [UInt8]) -> [UInt8] {
    Array(
      name.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
        .joined(separator: [UInt8(ascii: "/")]))
  }
}
