import CoreDataModel
import CoreDataStore

extension ModelSource {
  /// The same source, read as agrees best with what a store says of its model; compiled models have one reading only.
  func settled(by metadata: StoreMetadata) -> ModelSource {
    guard versions.contains(where: { $0.doubt != nil }), let hashes = metadata.hashes else { return self }
    let versions = versions.map { version in
      guard let doubt = version.doubt else { return version }
      var version = version
      let (model, decided) = doubt.settle(hashes, metadata.frameworkVersion)
      version.model = model
      version.doubt?.decided = decided
      return version
    }
    return ModelSource(
      path: path, format: format, versions: versions, currentVersionName: currentVersionName,
      missingVersionNames: missingVersionNames, plan: plan)
  }

  /// The same source, if nothing in it is in doubt.
  ///
  /// - Throws: `ModelSourceError` naming what is.
  public func whole() throws(ModelSourceError) -> ModelSource {
    for version in versions { _ = try version.whole() }
    return self
  }

  /// The source with the versions that are known whole, to judge openings by, and why others are left out.
  ///
  /// A verdict on a model that is not known whole would be a guess.
  /// - Throws: `ModelSourceError` where that leaves out the version that decides.
  public func judgeable() throws(ModelSourceError) -> (source: ModelSource, leftOut: [String]) {
    let unknown = versions.filter { $0.doubt?.gaps.isEmpty == false }
    guard !unknown.isEmpty else { return (self, []) }
    let decides = currentVersionName ?? versions.last?.name
    for version in unknown where version.name == decides || unknown.count == versions.count {
      throw version.incomplete(version.doubt?.gaps ?? [])
    }
    let known = versions.filter { $0.doubt?.gaps.isEmpty != false }
    let source = ModelSource(
      path: path, format: format, versions: known, currentVersionName: currentVersionName,
      missingVersionNames: missingVersionNames, plan: plan)
    return (
      source,
      unknown.map { version in
        "\(version.name) is left out, since it is not known whole: \(version.doubt?.gaps.first?.message ?? "")"
      }
    )
  }
}

extension ModelSource.Version {
  /// The same version, if nothing in it is in doubt.
  ///
  /// - Throws: `ModelSourceError` naming what is.
  public func whole() throws(ModelSourceError) -> ModelSource.Version {
    let doubts = (doubt?.gaps ?? []) + (doubt?.open ?? [])
    guard doubts.isEmpty else { throw incomplete(doubts) }
    return self
  }

  fileprivate func incomplete(_ doubts: [ModelSource.Doubt.Gap]) -> ModelSourceError {
    let shown = doubts.prefix(5).map(\.message) + (doubts.count > 5 ? ["and \(doubts.count - 5) more"] : [])
    return ModelSourceError(path, .unsupported, "\(name) cannot be derived whole: " + shown.joined(separator: "; "))
  }
}
