import StoreCoreData
import StorePlaces
import StoreSQLite
import StoreText
import StoreWords

/// The mapping models in an archive, such as an app (`App.ipa`) or a project that was sent as a zip.
struct ArchivedMappings {
  /// Each with its path, `ARCHIVE!member/path`, and its bytes: compiled, or Xcode's XML.
  private(set) var found: [(path: String, bytes: [UInt8])] = []
  /// What could not be looked into.
  private(set) var problems: [String] = []

  /// Nil where the path names no archive, nor anything in one.
  init?(_ path: PosixPath) {
    guard let (place, within) = archiveAndMember(path), PlacedStores.isArchive(place) else { return nil }
    self.init(in: place, within: within)
  }

  /// Those of the app around a model that lies in an archive; of the whole archive where it lies in no app.
  init?(around model: PosixPath) {
    guard let (place, member) = archiveAndMember(model), let member else { return nil }
    self.init(in: place, within: Self.app(around: member))
  }

  private init?(in place: PosixPath, within: [UInt8]?) {
    do {
      guard
        let search = try MemberSearch(
          place, within: within, spool: PlacedStores.privateSpool,
          isWanted: { $0.hasSuffix(".cdm") || $0.hasSuffix(".xcmappingmodel/xcmapping.xml") })
      else { return nil }
      problems = search.problems
      found = search.found.map { name, bytes in
        let name = String(decoding: name, as: UTF8.self)
        let bundle = name.hasSuffix("/xcmapping.xml") ? String(name.dropLast("/xcmapping.xml".count)) : name
        return ("\(place)!\(bundle)", bytes)
      }.sorted { codeUnitsPrecede($0.path, $1.path) }
    } catch {
      problems = ["'\(place)': whether there are mapping models in it is not known: \(error)"]
    }
  }

  /// The outermost app that a member lies in.
  private static func app(around member: [UInt8]) -> [UInt8]? {
    for slash in member.indices where member[slash] == UInt8(ascii: "/") {
      if [".app", ".xcarchive", ".framework"].contains(where: Array(member[..<slash]).hasSuffix) {
        return Array(member[..<slash])
      }
    }
    return nil
  }
}
