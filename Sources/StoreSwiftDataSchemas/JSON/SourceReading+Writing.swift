import StoreJSON

extension SourceReading {
  /// Writes the text of ``json`` on one line in pieces, an entity each: values of the whole take ten times its memory.
  ///
  /// - Parameters:
  ///   - last: the reading of the line before, if there was one. In the place of an entity that is equal in both, its
  ///     number in that one is written, counted over all schemas.
  ///   - write: takes a piece; false where it could not.
  /// - Returns: whether all pieces were taken.
  package func writeLine(after last: SourceReading? = nil, _ write: (String) -> Bool) -> Bool {
    guard !schemas.isEmpty else { return write(json.lineText) }
    var rest = self
    rest.schemas = []
    // No key comes behind "schemas".
    guard write(rest.json.lineText.dropLast(2) + ",\"schemas\": [") else { return false }
    let known = KnownEntities(last)
    for (position, schema) in schemas.enumerated() {
      guard position == 0 || write(","), schema.write(known, write: write) else { return false }
    }
    return write("]}\n")
  }

  /// The entities of all schemas, in order.
  var entities: [SourceEntity] { schemas.flatMap(\.entities) }
}

/// The entities of the line before, by their names.
private struct KnownEntities {
  private var numbers: [String: [Int]] = [:]
  private let entities: [SourceEntity]

  init(_ reading: SourceReading?) {
    entities = reading?.entities ?? []
    for (number, entity) in entities.enumerated() { numbers[entity.className, default: []].append(number) }
  }

  func number(of entity: SourceEntity) -> Int? { numbers[entity.className]?.first { entities[$0] == entity } }
}

extension SourceSchema {
  fileprivate func write(_ known: KnownEntities, write: (String) -> Bool) -> Bool {
    guard !entities.isEmpty else { return write(String(json.lineText.dropLast())) }
    var rest = self
    rest.entities = []
    // No key comes before "entities".
    guard write("{\"entities\": [") else { return false }
    for (position, entity) in entities.enumerated() {
      let text = known.number(of: entity).map { String($0) } ?? String(entity.json.lineText.dropLast())
      guard write((position == 0 ? "" : ",") + text) else { return false }
    }
    return write("]," + rest.json.lineText.dropFirst().dropLast())
  }
}
