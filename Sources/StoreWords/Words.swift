import StoreJSON

/// "1 row", "2 rows", "12,345 rows".
package func counted(_ count: Int64, _ one: String, _ many: String? = nil) -> String {
  "\(grouped(count)) \(count == 1 ? one : many ?? one + "s")"
}

/// "1 row", "2 rows", for the number of things in memory.
package func counted(_ count: Int, _ noun: String) -> String { counted(Int64(count), noun) }

/// A name as written in a recipe; in double quotes where YAML could read it differently.
package func recipeName(_ name: String) -> String {
  let isPlain = name.utf8.allSatisfy { byte in
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "_")
  }
  let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
  let isNumberLike = name.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? true
  return isPlain && !isNumberLike && !words.contains(name.lowercased())
    ? name : recipeText(name)
}

/// A number with thousands separated by commas.
package func grouped(_ number: Int64) -> String {
  let digits = Array(String(number.magnitude))
  var result = number < 0 ? "-" : ""
  for (position, digit) in digits.enumerated() {
    if position > 0 && (digits.count - position) % 3 == 0 { result.append(",") }
    result.append(digit)
  }
  return result
}

/// A text without the spaces around it, as between commas of an option.
package func withoutSpacesAround(_ text: Substring) -> String {
  String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
}

/// A text as written in a recipe, in double quotes.
///
/// Escaped as in JSON, except where YAML reads that differently: half a surrogate pair is not a character there, and
/// U+FFFE and U+FFFF are not allowed.
package func recipeText(_ text: String) -> String {
  let parts = text.unicodeScalars.map { scalar in
    let isHidden = scalar.value > 0xffff && scalar.properties.generalCategory == .format
    guard isHidden || scalar.value == 0xfffe || scalar.value == 0xffff else {
      return String(JSONValue.string(String(scalar)).text.dropFirst().dropLast(2))
    }
    let digits = String(scalar.value, radix: 16)
    return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
  }
  return "\"\(parts.joined())\""
}
