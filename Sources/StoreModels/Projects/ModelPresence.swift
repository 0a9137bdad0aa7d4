import StoreCoreData
import StorePlaces
import StoreSQLite
import StoreText

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

  /// Looks for Swift source with `@Model` in an archive; there is none in a file that is no archive.
  init(ofSourceIn path: PosixPath) {
    guard let (place, within) = archiveAndMember(path), PlacedStores.isArchive(place) else {
      self = .absent
      return
    }
    do {
      let search = try MemberSearch(
        place, within: within, spool: PlacedStores.privateSpool, isWanted: { $0.hasSuffix(".swift") })
      let declares = search?.found.contains { $0.bytes.firstRange(ofBytes: Array("@Model".utf8)) != nil } ?? false
      let unread = search?.unread.first.map { "'\(String(decoding: $0.name, as: UTF8.self))': \($0.reason)" }
      self = declares ? .found : unread.map(Self.unknown) ?? .absent
    } catch {
      self = .unknown("\(error)")
    }
  }

  private static func inArchive(_ place: PosixPath) -> Self {
    do {
      guard let models = try ArchivedModels(place) else { return .unknown("it is not looked into for models") }
      if !models.bundles.isEmpty { return .found }
      let source = Self(ofSourceIn: place)
      guard source == .absent else { return source }
      return models.unread.first.map { .unknown("'\($0.path)': \($0.reason)") } ?? .absent
    } catch {
      return .unknown("\(error)")
    }
  }
}
