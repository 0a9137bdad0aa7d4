import StoreSQLite
import StoreSwiftDataSchemas

/// The type annotation of a property as written, on one line: "Money?" for `var price: Money? = nil`.
///
/// Nil if it is not complete on that line. Needed because for a type declared elsewhere the parsed source does not
/// record whether the property is optional or an array.
func typeAnnotation(of property: String, at place: SourcePlace) -> String? {
  guard let file = try? EvidenceFile(PosixPath(place.file)), file.size <= SourcePlace.largestFile,
    place.offset >= 0, Int64(place.offset) < file.size,
    let bytes = try? file.read(
      at: Int64(place.offset), count: Int(min(file.size - Int64(place.offset), SourcePlace.longestType)))
  else { return nil }
  let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
  guard line.hasPrefix(property) else { return nil }
  let rest = line.dropFirst(property.count).drop { $0 == " " }
  guard rest.first == ":" else { return nil }
  let type = rest.dropFirst().prefix { !"={};/".contains($0) }.filter { $0 != " " }
  let isBalanced = [("(", ")"), ("[", "]"), ("<", ">")].allSatisfy { open, close in
    type.count { String($0) == open } == type.count { String($0) == close }
  }
  return type.isEmpty || type.contains(",") || !isBalanced ? nil : type
}

extension SourcePlace {
  /// Bytes of a file of source; larger ones were not read either.
  fileprivate static var largestFile: Int64 { 4 << 20 }
  /// Bytes that a name and its type may take.
  fileprivate static var longestType: Int64 { 400 }
}
