import StoreCoreData
import StoreDataModel
import StorePlaces
import StoreSQLite
import StoreSystem
import StoreText
import StoreWords

/// The model in an archive, such as an app (`App.ipa`) or a project that was sent as a zip; of several, the one that the
/// store was made with. Nil where the path names no archive, or there is no model in it.
///
/// - Throws: `ModelSourceError` naming the models if there are several and the store does not tell which is its own.
func modelOfArchive(
  at path: PosixPath, _ error: ModelSourceError, for store: PosixPath?
) throws -> ModelSource? {
  guard error.kind == .unsupported || error.kind == .missing else { return nil }
  let spellings =
    [(path, String?.none)] + ModelSource.versionSpellings(of: path.description).map { (PosixPath($0.path), $0.version) }
  for (path, version) in spellings {
    guard let models = try ArchivedModels(path) else { continue }
    if models.bundles.isEmpty {
      if let unread = models.unread.first {
        throw ModelSourceError(unread.path, .damaged, message: unread.reason)
      }
      if case .unknown(let why) = ModelPresence(ofSourceIn: path) {
        throw ModelSourceError(path.description, .damaged, message: "not all Swift source in it can be read: \(why)")
      }
      continue
    }
    return try models.chosen(for: store.map { hashes(of: $0) } ?? nil, version: version)
  }
  return nil
}

/// The models of an archive, by what they are called there.
struct ArchivedModels {
  /// The path of each, as people write it, and its files by their names in it.
  private(set) var bundles: [String: [String: [UInt8]]] = [:]
  /// Files of models that could not be read, and why.
  private(set) var unread: [(path: String, reason: String)] = []
  private let shown: String

  /// Nil where the path names no archive.
  init?(_ path: PosixPath) throws {
    shown = path.description
    guard let (place, within) = archiveAndMember(path) else { return nil }
    do {
      guard
        let search = try MemberSearch(
          place, within: within, spool: PlacedStores.privateSpool,
          isWanted: { Self.bundle(of: String(decoding: $0, as: UTF8.self)) != nil })
      else { return nil }
      for (name, bytes) in search.found {
        let name = String(decoding: name, as: UTF8.self)
        guard let bundle = Self.bundle(of: name) else { continue }
        let inner = String(name.dropFirst(bundle.count).drop { $0 == "/" })
        bundles["\(place.description)!\(bundle)", default: [:]][inner] = bytes
      }
      unread = search.unread.map { ("\(place.description)!\(String(decoding: $0.name, as: UTF8.self))", $0.reason) }
    } catch let error as ArchiveError {
      switch error {
      case .notAnArchive: return nil
      default: throw ModelSourceError(shown, .damaged, message: "\(error)")
      }
    }
  }

  /// The outermost model that a file belongs to; nil for any other file.
  private static func bundle(of name: String) -> String? {
    var end = name.startIndex
    while end < name.endIndex {
      let next = name[end...].dropFirst().firstIndex { $0 == "/" || $0 == "!" } ?? name.endIndex
      let part = name[..<next]
      if [".momd", ".xcdatamodeld", ".xcdatamodel"].contains(where: part.hasSuffix) { return String(part) }
      end = next
    }
    let isFinder = name.split(separator: "/").last?.hasPrefix("._") == true
    return name.hasSuffix(".mom") && !isFinder ? name : nil
  }

  private func read(_ bundle: String, version: String? = nil) throws(ModelSourceError) -> ModelSource {
    var source = try ModelSource.read(bundles[bundle] ?? [:], path: bundle, version: version)
    if bundle != shown { source.foundBelow = shown }
    return source
  }

  /// The most models that are read to find a store's own.
  private static let most = 100

  func chosen(for own: VersionHashes?, version: String?) throws -> ModelSource {
    let names = bundles.keys.sorted(by: codeUnitsPrecede)
    if names.count == 1 { return try read(names[0], version: version) }
    let fitting = names.prefix(Self.most).filter { name in
      guard let own, let source = try? read(name) else { return false }
      return source.versions.contains { $0.failure == nil && $0.model.versionHashes == own }
    }
    guard fitting.count == 1 else {
      throw severalBundles((fitting.isEmpty ? names : fitting).map { PosixPath($0) }, below: PosixPath(shown))
    }
    return try read(fitting[0], version: version)
  }
}
