/// The model that one Swift source is on some systems, where not all make the same of it.
package struct SystemModel: Sendable {
  /// The systems.
  package var frameworks: FrameworkRange
  /// Whether they are known to read it so; else they may.
  package var isCertain: Bool
  /// The model.
  package var model: Model
  /// The entities that today's systems make another of, sorted by name; none for the model of today's.
  package var otherEntities: [String]
  /// What makes the source one model, for each property a few words: "inverse: \\Page.note in Note.pages".
  package var remedies: [String]

  package init(
    frameworks: FrameworkRange, isCertain: Bool, model: Model, otherEntities: [String], remedies: [String] = []
  ) {
    self.frameworks = frameworks
    self.isCertain = isCertain
    self.model = model
    self.otherEntities = otherEntities
    self.remedies = remedies
  }
}

extension [SystemModel] {
  /// "inverse: \Page.note in Note.pages makes it one"; nil where nothing is known to.
  package var remedy: String? {
    let remedies = flatMap(\.remedies).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    guard !remedies.isEmpty else { return nil }
    return "\(remedies.joined(separator: ", ")) \(remedies.count == 1 ? "makes" : "make") it one"
  }

  /// The systems that are known to make a model of these hashes of the source, in words; nil where that is not known.
  package func systems(making hashes: VersionHashes) -> String? {
    let known = filter { $0.isCertain && $0.model.versionHashes == hashes }.map(\.frameworks)
    guard let first = known.first else { return nil }
    return FrameworkRange(from: first.from, below: known.last?.below).systems
  }
}
