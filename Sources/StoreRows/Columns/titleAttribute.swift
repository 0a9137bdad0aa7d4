import StoreCoreData
import StoreDataModel

extension EntityLayout {
  /// The attribute that a person would call an object by, judged by names alone; nil where none looks like one.
  package var titleAttribute: String? {
    let texts = attributes.filter { $0.property.attribute?.type == .string && $0.columns.contains { $0.name != nil } }
      .map(\.property.name)
    let byName = Dictionary(texts.map { ($0.lowercased(), $0) }) { first, _ in first }
    let own = name.lowercased()
    for candidate in Self.titles {
      if let found = byName[candidate] ?? byName[own + candidate] { return found }
    }
    let endings = ["title", "name", "label"]
    return texts.first { text in endings.contains { text.lowercased().hasSuffix($0) } }
      ?? texts.first { text in Self.texts.contains(text.lowercased()) }
  }

  private static let titles = [
    "title", "name", "displayname", "fullname", "localizedname", "headline", "subject", "caption", "label", "heading",
  ]
  private static let texts: Set<String> = ["text", "summary", "content", "body", "message", "note", "string", "value"]
}
