extension ModelSource.Version {
  /// A version of a bundle of which nothing could be read.
  ///
  /// It stays among the versions, as one that is not known whole: a store may be of it, and whoever looks for the version of
  /// a store, or judges openings, says that it is left out, and why.
  init(unreadable name: String, _ path: String, _ failure: ModelSourceError) throws(ModelSourceError) {
    let empty: Model
    do throws(ModelError) {
      empty = try Model(entities: [])
    } catch {
      throw failure
    }
    self.init(name: name, path: path, model: empty.from(path, name))
    self.failure = failure
    doubt = ModelSource.Doubt(
      gaps: [.init(entity: nil, "it cannot be read: \(failure.message)")], open: [],
      settle: { _, _ in (empty, []) }, choose: { _ in empty })
  }
}
