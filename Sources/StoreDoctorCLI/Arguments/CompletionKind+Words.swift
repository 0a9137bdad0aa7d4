import ArgumentParser
import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreExplanation
import StoreModels
import StoreSQLite

extension CompletionKind {
  /// Names of the entities of the first store or model that is on the command line already.
  ///
  /// Of Swift source none: reading it takes longer than a person waits for a list.
  static var entities: CompletionKind {
    .custom { words, _, _ in
      for word in words where !word.hasPrefix("-") {
        let path = PosixPath(argument: word)
        if FileSystem.kind(of: path) != nil, let names = entityNames(at: path) { return names }
      }
      return []
    }
  }
}

/// Sorted names; nil where there is neither a store nor a model that is read at once.
private func entityNames(at path: PosixPath) -> [String]? {
  if let found = try? StoreLocator.locate(path), let store = try? Store(found) {
    return store.layout.entities.filter { !$0.id.isInternal }.map(\.name).sorted()
  }
  guard let versions = try? ModelSource.read(path.description).versions else { return nil }
  return Set(versions.flatMap { $0.model.entities.map(\.name) }).sorted()
}

/// The words that `explain` can be asked for: ids and names of checks, codes and symbols of errors.
var explainable: [String] {
  CheckWords.all.flatMap { [$0.id, $0.name] }
    + KnownError.all.flatMap { ["\($0.code)"] + [$0.symbol].compactMap(\.self) }
}
