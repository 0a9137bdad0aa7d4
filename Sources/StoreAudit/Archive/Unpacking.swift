import StorePlaces
import StoreSystem

/// Unpacks the wanted entries of one archive.
struct Unpacking {
  private let stream: ArchiveStream
  private let folder: PrivateFolder
  private let limits: ArchiveLimits
  private var reader: TarReader
  private var entryCount = 0
  /// The entries found so far.
  var result = UnpackedArchive()

  init(stream: ArchiveStream, folder: PrivateFolder, limits: ArchiveLimits) {
    (self.stream, self.folder, self.limits) = (stream, folder, limits)
    reader = TarReader { try stream.readPart() }
  }

  /// Reads entry after entry.
  ///
  /// - Throws: at a limit, or when there is nothing to be read.
  mutating func run() throws(ArchiveError) {
    var endsEarly = false
    do {
      while let entry = try reader.next() { try take(entry) }
    } catch let error as ArchiveError {
      throw error
    } catch {
      endsEarly = true
    }
    guard let reason = reason(said: stream.finish(), endsEarly: endsEarly) else { return }
    guard entryCount > 0 else { throw .damaged(message: reason) }
    result.refused.append(([], reason))
  }

  /// Why the archive was not read to its end; nil when it was.
  private func reason(said: String?, endsEarly: Bool) -> String? {
    guard said != nil || endsEarly else { return nil }
    let detail = said.map { $0.isEmpty ? "" : " (bsdtar: \($0))" } ?? ""
    return "the archive ends early or is damaged\(detail); what comes later in it is missing"
  }

  private mutating func take(_ entry: TarReader.Entry) throws {
    entryCount += 1
    guard entryCount <= limits.entries else { throw ArchiveError.tooManyEntries(limit: limits.entries) }
    try stream.requireRoom(for: entry.size)
    switch entry.kind {
    case .file: try takeFile(entry)
    case .link: if EntryRole(name: entry.name).isWanted { result.links.append(entry.name) }
    case .other: break
    }
  }

  private mutating func takeFile(_ entry: TarReader.Entry) throws {
    let head: [UInt8]
    do {
      head = try reader.readHead(EntryRole.usefulBytes)
    } catch let failure as TarReader.Failure {
      if EntryRole(name: entry.name).isWanted { refuse(entry.name, reason: "the archive ends in it") }
      throw failure
    }
    let role = EntryRole(name: entry.name, head: head)
    if role == .archive { result.nested.append((try? path(of: entry))?.bytes ?? entry.name) }
    guard role.isWanted else { return }
    do {
      try write(entry, head: head, atMost: role == .namedStore ? Self.namedStoreBytes : .max)
    } catch let refusal as EntryPath.Refusal {
      refuse(entry.name, reason: refusal.reason)
    }
  }

  /// How much is unpacked of a file that has a store's name but is no database: enough to tell its kind.
  private static let namedStoreBytes: Int64 = 64 << 10

  private func path(of entry: TarReader.Entry) throws(EntryPath.Refusal) -> EntryPath {
    try EntryPath(entry.name, limits: limits)
  }

  private mutating func refuse(_ name: [UInt8], reason: String) {
    result.refused.append((Array(name.prefix(limits.nameLength)), reason))
  }

  // MARK: Writing

  private mutating func write(_ entry: TarReader.Entry, head: [UInt8], atMost limit: Int64) throws {
    let path = try path(of: entry)
    let wanted = min(entry.size, limit)
    try folder.requireRoom(for: wanted, keeping: limits.freeBytes)
    var file = EntryFile(try folder.create(path), wanted: wanted)
    do {
      try copy(entry, head: head, to: &file)
    } catch let failure as TarReader.Failure {
      // The beginning of a store is evidence.
      add(path, entry: entry, file: file)
      throw failure
    } catch {
      folder.remove(path)
      throw error
    }
    add(path, entry: entry, file: file)
  }

  private mutating func copy(_ entry: TarReader.Entry, head: [UInt8], to file: inout EntryFile) throws {
    var part = head[...]
    do {
      while !part.isEmpty {
        try file.append(part)
        if file.needsRoom { try folder.requireRoom(for: file.missing, keeping: limits.freeBytes) }
        part = try reader.read()
      }
    } catch let failure as TarReader.Failure {
      try file.finish()
      throw failure
    }
    try file.finish()
  }

  private mutating func add(_ path: EntryPath, entry: TarReader.Entry, file: EntryFile) {
    result.files.append(.init(name: path.bytes, size: entry.size, written: file.written))
  }
}
