import StoreWords

extension ModelSource {
  /// The version that stands for the source: its current one, or its only one.
  ///
  /// - Throws: `ModelSourceError` naming the versions where none is known to be current.
  public func decidingVersion() throws(ModelSourceError) -> Version {
    if let current { return current }
    if currentVersionName == nil, hasUnchosenPlans { throw unchosenPlans }
    let names = versions.map { quoted($0.name) }.joined(separator: ", ")
    throw ModelSourceError(
      path, .unsupported,
      (currentVersionName.map { "its current version \(quoted($0)) is not there" }
        ?? "which version is current is not known")
        + "; name one as '\(path)#VERSION': \(names)")
  }
}
