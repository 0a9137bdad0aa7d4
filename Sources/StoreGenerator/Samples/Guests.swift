import StoreDataModel

/// A guest list whose model changes in every way that needs code of the app: a text that becomes a number, a name that is
/// split, duplicates that a constraint forbids, an attributed text beside the plain one.
extension SampleModels {
  /// The versions by name, in order; the last is current.
  package static func guestsVersions() throws -> [(name: String, model: Model)] {
    let name = Property.attribute("name", .string, optional: false)
    let parts: [Property] = [.attribute("familyName", .string), .attribute("givenName", .string)]
    let (age, years) = (Property.attribute("age", .string), Property.attribute("years", .integer16))
    let note = Property.attribute("note", .string)
    let remarks = Property.attribute("remarks", .transformable) {
      $0.valueTransformerName = "NSSecureUnarchiveFromData"
    }
    return [
      ("Guests", try guests([age, name, note], identifier: "1")),
      ("Guests 2", try guests([name, note, years], identifier: "2")),
      ("Guests 3", try guests(parts + [note, years], identifier: "3")),
      ("Guests 4", try guests(parts + [note, years], isUnique: true, identifier: "4")),
      ("Guests 5", try guests(parts + [note, remarks, years], isUnique: true, identifier: "5")),
    ]
  }

  private static func guests(_ properties: [Property], isUnique: Bool = false, identifier: String) throws -> Model {
    try Model(
      entities: [
        Entity(
          name: "Guest", className: "Guest", properties: [.attribute("email", .string)] + properties,
          uniquenessConstraints: isUnique ? [["email"]] : [])
      ],
      versionIdentifiers: [identifier])
  }
}

extension SampleStores {
  /// The guest list with the first version: 6 guests, of whom two have one address.
  package static func writeGuests(to path: String) throws {
    guard let model = try SampleModels.guestsVersions().first?.model else { return }
    let store = try StoreWriter(
      creating: path,
      StoreDescription(model: model, framework: 1526, uuid: "5C0FFEE0-0000-4000-8000-000000009E57", usesWAL: false))
    let guests: [(name: String, age: String?, email: String?, note: String?)] = [
      ("Ada Lovelace", "36", "ada@example.org", "window seat"), ("Ben", "41", "ben@example.org", nil),
      ("Cleo de Merode", "about 30", "cleo@example.org", "no nuts"), ("Dan Brown", nil, nil, nil),
      ("Ada Lovelace", "36", "ada@example.org", nil), ("Eve Adams", " 28 ", "eve@example.org", "late"),
    ]
    for guest in guests {
      func value(_ text: String?) -> StoredValue { text.map { .text($0) } ?? .null }
      try store.insert(
        "Guest",
        ["name": .text(guest.name), "age": value(guest.age), "email": value(guest.email), "note": value(guest.note)])
    }
    try store.finish()
  }
}
