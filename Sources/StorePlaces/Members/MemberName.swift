/// How the bytes of a member's name are taken.
enum MemberName {
  /// The name of a zip's member as UTF-8. Archives say by a flag whether a name is UTF-8, and many do not; bytes that are
  /// UTF-8 are taken as such, and others as code page 437, which is what a zip without the flag means.
  ///
  /// Without what is behind a NUL, which no name has. Programs of Windows have put backslashes for slashes; on other
  /// systems a backslash is a letter like others.
  ///
  /// - Parameter system: on which it was made, as the directory says.
  static func ofZip(_ bytes: some Collection<UInt8>, system: UInt8? = nil) -> [UInt8] {
    var name = Array(bytes.prefix { $0 != 0 })
    if let system, windows.contains(system) {
      for position in name.indices where name[position] == UInt8(ascii: "\\") { name[position] = UInt8(ascii: "/") }
    }
    guard name.contains(where: { $0 >= 0x80 }), String(validating: name, as: UTF8.self) == nil else { return name }
    var text = String.UnicodeScalarView()
    for byte in name { text.append(byte < 0x80 ? Unicode.Scalar(byte) : codePage437[Int(byte) - 0x80]) }
    return Array(String(text).utf8)
  }

  /// The numbers of MS-DOS, NTFS and VFAT.
  private static let windows: [UInt8] = [0, 10, 14]

  /// The upper half of IBM's code page 437.
  private static let codePage437 = Array(
    ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌"
      + "█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars)
}
