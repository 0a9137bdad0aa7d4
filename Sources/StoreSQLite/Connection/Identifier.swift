/// A name in double quotes, escaped so that it can stand in SQL whatever it contains.
///
/// SQL text ends at a NUL, so a statement with a name that holds one fails to compile.
package func quotedIdentifier(_ name: String) -> String {
  guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + name + "\"" }
  var quoted = "\""
  for character in name.unicodeScalars {
    if character == "\"" { quoted.unicodeScalars.append(character) }
    quoted.unicodeScalars.append(character)
  }
  return quoted + "\""
}

/// A name as it stands in SQL: Core Data writes names without quotes, and quotes only what would not be read otherwise.
package func identifier(_ name: String) -> String {
  let isPlain = name.utf8.allSatisfy { byte in
    byte >= 0x80 || byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
  let startsWithDigit = name.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? true
  return isPlain && !startsWithDigit ? name : quotedIdentifier(name)
}
