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
