extension ModelSource.Version {
  /// A version of a bundle that could not be read.
  ///
  /// It stays among the versions as an unknown one, because a store may be of it. Commands that look for a store's
  /// version or judge openings report that it is left out, and why.
  init(unreadable name: String, _ path: String, _ failure: ModelSourceError) throws(ModelSourceError) {
    let empty: Model
    do throws(ModelError) {
      empty = try Model(entities: [])
    } catch {
      throw failure
    }
    self.init(name: name, path: path, model: empty.from(path, version: name))
    self.failure = failure
    doubt = ModelSource.Doubt(
      gaps: [.init(entity: nil, "it cannot be read: \(failure.message)")], open: [],
      settle: { _, _, _ in (empty, []) }, choose: { _ in empty })
  }
}
