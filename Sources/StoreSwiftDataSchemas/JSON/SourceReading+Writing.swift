import StoreJSON

extension SourceReading {
  /// Writes the text of ``json`` on one line in pieces, an entity each: values of the whole take ten times its memory.
  ///
  /// - Parameter write: takes a piece; false where it could not.
  /// - Returns: whether all pieces were taken.
  public func writeLine(_ write: (String) -> Bool) -> Bool {
    guard !schemas.isEmpty else { return write(json.lineText) }
    var rest = self
    rest.schemas = []
    // No key comes behind "schemas".
    guard write(rest.json.lineText.dropLast(2) + ",\"schemas\": [") else { return false }
    for (position, schema) in schemas.enumerated() {
      guard position == 0 || write(","), schema.write(write) else { return false }
    }
    return write("]}\n")
  }
}

extension SourceSchema {
  fileprivate func write(_ write: (String) -> Bool) -> Bool {
    guard !entities.isEmpty else { return write(String(json.lineText.dropLast())) }
    var rest = self
    rest.entities = []
    // No key comes before "entities".
    guard write("{\"entities\": [") else { return false }
    for (position, entity) in entities.enumerated() {
      guard write((position == 0 ? "" : ",") + entity.json.lineText.dropLast()) else { return false }
    }
    return write("]," + rest.json.lineText.dropFirst().dropLast())
  }
}
