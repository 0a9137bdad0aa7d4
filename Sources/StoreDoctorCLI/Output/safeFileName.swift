/// A name as that of a file: without what file systems and shells take otherwise.
func safeFileName(_ text: String) -> String {
  let name = String(
    text.unicodeScalars.prefix(100).map { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_" || scalar == "-"
        ? Character(scalar) : "_"
    })
  return name.isEmpty || name.hasPrefix("-") ? "_" + name : name
}
