import StoreCoreData
import StorePlaces
import StoreSQLite
import StoreSystem

/// The entries of an archive or a backup that is read in place; nil for anything else.
///
/// Members that are read are written to the private folder one by one, under numbers.
///
/// - Throws: `ArchiveError` where nothing could be read, or at a limit.
func placeEntries(of place: AuditItem, in folder: PosixPath) throws -> [AuditItem]? {
  // Refuses a folder that others can enter.
  _ = try PrivateFolder(folder)
  var spool: Spool?
  let contents = try readPlace(place.location) { size in
    let made = Spool(in: folder, isNamed: true, limits: PlaceLimits.standard.archive, archiveSize: size)
    spool = made
    return made
  }
  guard var contents else { return nil }
  contents.sets.sort { SetFinder.precedes($0.shown, $1.shown) }
  let used = spool ?? Spool(in: folder, isNamed: true, limits: PlaceLimits.standard.archive, archiveSize: 0)
  let prepared = try prepare(contents.sets, spool: used)
  var items: [AuditItem] = []
  for (number, set) in prepared.sets.filter(mayBeStore).enumerated() {
    let shown = named(set.shown, in: place)
    var item = AuditItem(shown, .store(wasNamed: EntryRole(name: set.shown) == .namedStore))
    let device = contents.backups.first { $0.prefix == set.prefix }?.facts.words
    let map = try PlaceMap.write(set, of: device, in: place.shown, number: number + 1, to: folder)
    item.unpacked = .init(folder: folder, archive: place.shown, map: map)
    items.append(item)
  }
  let leftOut = contents.leftOut + prepared.leftOut
  for kind in [LeftOut.Kind.refused, .encrypted, .unreadableArchive, .tooDeep, .link, .orphanLog] {
    items += leftOut.filter { $0.kind == kind }.map { entry($0, of: place) }
  }
  // A problem of the archive as a whole is its last line, and only one; resuming an audit relies on that.
  let whole = leftOut.filter { $0.kind == .whole }
  if !whole.isEmpty {
    let reasons = whole.map { ($0.name.isEmpty ? "" : "\(String(decoding: $0.name, as: UTF8.self)): ") + $0.reason }
    items.append(
      AuditItem(place.shown, .problem(AuditProblem(.refusedEntry, reasons.joined(separator: "; ")))))
  }
  return items
}

/// Whether a set is a line of the audit: as of a loose file, that is what begins as a database, has a store's name, or is a
/// database by its pages.
private func mayBeStore(_ set: PreparedSet) -> Bool {
  let name = Array(set.shown.dropFirst(set.prefix.count))
  if set.isDatabase || EntryRole(name: name) == .namedStore { return true }
  guard let path = set.files.first(where: { $0.name == name })?.path, let file = try? EvidenceFile(path) else {
    return false
  }
  return HeadlessDatabase.isOne(file, named: PosixPath(bytes: name).name)
}

private func named(_ name: [UInt8], in place: AuditItem) -> PosixPath {
  PosixPath(bytes: place.shown.bytes + (name.isEmpty ? [] : [UInt8(ascii: "!")] + name))
}

private func entry(_ leftOut: LeftOut, of place: AuditItem) -> AuditItem {
  let kind: AuditProblem.Kind =
    switch leftOut.kind {
    case .refused, .whole: .refusedEntry
    case .encrypted, .unreadableArchive: .cannotUnpack
    case .tooDeep: .nestedArchive
    case .link: .link
    case .orphanLog: .orphanWAL
    }
  return AuditItem(named(leftOut.name, in: place), .problem(AuditProblem(kind, leftOut.reason)))
}

/// The entries of an archive that libarchive's programs unpack.
func unpackedEntries(of archive: AuditItem, in folder: PosixPath) throws(ArchiveError) -> [AuditItem] {
  let unpacked = try unpackArchive(archive.location, into: folder)
  var items: [AuditItem] = []
  var search = StoreSearch(folder, isInsideArchive: true)
  while var item = search.next() {
    item.shown = named(Array(item.location.bytes.dropFirst(folder.bytes.count + 1)), in: archive)
    items.append(item)
  }
  func entry(_ name: [UInt8], problem: AuditProblem) -> AuditItem {
    AuditItem(named(name, in: archive), .problem(problem))
  }
  items += unpacked.refused.filter { !$0.name.isEmpty }.map {
    entry($0.name, problem: AuditProblem(.refusedEntry, $0.reason))
  }
  items += unpacked.nested.map {
    entry(
      $0,
      problem: AuditProblem(
        .nestedArchive, "an archive in an archive is not unpacked; unpack it and audit it by itself"))
  }
  items += unpacked.links.map { entry($0, problem: AuditProblem(.link, "a link, which is not followed")) }
  let whole = unpacked.refused.filter(\.name.isEmpty).map(\.reason)
  if !whole.isEmpty { items.append(entry([], problem: AuditProblem(.refusedEntry, whole.joined(separator: "; ")))) }
  return items
}
