import JSON

/// "1 row", "2 rows".
func counted(_ count: Int64, _ one: String, _ many: String? = nil) -> String {
  count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
}

/// A name as it can stand in a recipe, in double quotes where YAML could take it for something else.
func recipeName(_ name: String) -> String {
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

/// The same for numbers of things in memory.
func counted(_ count: Int, _ noun: String) -> String { counted(Int64(count), noun) }

/// A text as it can stand in a recipe, in double quotes.
func recipeText(_ text: String) -> String { String(JSONValue.string(text).text.dropLast()) }
