import StoreSQLite

/// Whether there is a model in a folder or an archive: a bundle of models, a compiled one, or Swift source with `@Model`.
package func holdsModels(_ place: PosixPath) -> Bool {
  guard FileSystem.kind(of: place) == .folder else {
    return (try? ArchivedModels(place))?.bundles.isEmpty == false
  }
  let search = ProjectSearch(below: place)
  return !search.models.isEmpty || search.hasSwift && SwiftFiles.declareModels(below: place)
}
