import StoreSQLite

/// Whether a folder or an archive holds models, as far as it was looked through.
package enum ModelPresence: Sendable, Equatable {
  /// There is one: a bundle of models, a compiled one, or Swift source with `@Model`.
  case found
  /// There is none.
  case absent
  /// None was found, and not all was looked at; why, as a sentence.
  case unknown(String)

  /// Looks for a model in a folder or an archive.
  package init(in place: PosixPath) {
    guard FileSystem.kind(of: place) == .folder else {
      self = Self.inArchive(place)
      return
    }
    let search = ProjectSearch(below: place)
    if !search.models.isEmpty || search.hasSwift && SwiftFiles.declareModels(below: place) {
      self = .found
    } else {
      self = search.problems.first.map(Self.unknown) ?? .absent
    }
  }

  private static func inArchive(_ place: PosixPath) -> Self {
    do {
      guard let models = try ArchivedModels(place) else { return .unknown("it is not looked into for models") }
      if !models.bundles.isEmpty || declaresModels(inArchive: place) { return .found }
      return models.unread.first.map { .unknown("'\($0.path)': \($0.reason)") } ?? .absent
    } catch {
      return .unknown("\(error)")
    }
  }
}
