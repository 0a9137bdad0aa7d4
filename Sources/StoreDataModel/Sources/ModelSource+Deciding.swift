import StoreWords

extension ModelSource {
  /// The deciding version of the source: its current version, or its only one.
  ///
  /// - Throws: `ModelSourceError` with the names of the versions if none is known to be current, or if the current one
  ///   cannot be read.
  package func decidingVersion() throws(ModelSourceError) -> Version {
    let readable = versions.filter { $0.failure == nil }
    if let current {
      guard let failure = current.failure else { return current }
      let others = readable.map { quoted($0.name) }.joined(separator: ", ")
      throw ModelSourceError(
        failure.path, failure.kind,
        message: "\(failure.message); it is the current version; name another one as '\(path)#VERSION': \(others)")
    }
    if currentVersionName == nil, hasUnchosenPlans { throw unchosenPlans }
    let names = readable.map { quoted($0.name) }.joined(separator: ", ")
    throw ModelSourceError(
      path, .unsupported,
      message: (currentVersionName.map { "its current version \(quoted($0)) is not there" }
        ?? "which version is current is not known")
        + "; name one as '\(path)#VERSION': \(names)")
  }
}
