/// Typed access to the attributes of one element, with the place for errors.
struct XcodeFields {
  let element: XMLElement
  let place: String

  init(_ element: XMLElement, _ place: String) {
    self.element = element
    self.place = place
  }

  /// The text of an attribute; nil if it is missing or empty, which Core Data treats alike.
  func text(_ name: String) -> String? {
    element[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  func requiredText(_ name: String) throws(XcodeModelError) -> String {
    guard let text = text(name) else { throw error("<\(element.name)> without '\(name)'") }
    return text
  }

  /// The renaming identifier, if it differs from the name.
  ///
  /// Xcode writes the editor's "Renaming ID" as `elementID`: in the XML of 64 stores, 76 of 77 equal the identifier of
  /// the compiled model. `renamingIdentifier` has lower priority; one public project uses it.
  func renaming(of name: String) -> String? {
    (text("elementID") ?? text("renamingIdentifier")).flatMap { $0 == name ? nil : $0 }
  }

  /// YES or NO; false if missing. Hashes depend on these, so other values are errors.
  func flag(_ name: String) throws(XcodeModelError) -> Bool {
    guard let text = text(name) else { return false }
    guard let value = Self.truth(text) else { throw error("'\(name)' is '\(text)', neither YES nor NO") }
    return value
  }

  func count(_ name: String, default absent: Int32) throws(XcodeModelError) -> Int32 {
    guard let text = text(name) else { return absent }
    guard let count = Int32(text) else { throw error("'\(name)' is '\(text)', which is no count") }
    return count
  }

  func error(_ message: String) -> XcodeModelError {
    XcodeModelError(place: place, position: element.position, message: message)
  }

  static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }
}
