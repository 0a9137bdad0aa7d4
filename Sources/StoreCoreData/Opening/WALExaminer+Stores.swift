import StoreSQLite
import StoreText

extension WALExaminer {
  /// Evidence from reading `Z_METADATA` with and without the WAL.
  static func evidenceFromStores(
    _ files: DatabaseFiles, wal: WAL, policy: ReadPolicy
  ) -> ([WALEvidence], Connection?) {
    var (withWAL, withoutWAL) = (policy, policy)
    withWAL.useWAL = true
    withoutWAL.useWAL = false
    let with = Identity.read(files, policy: withWAL)
    let without = Identity.read(files, policy: withoutWAL)
    guard let with else {
      return without == nil
        ? ([.init(.neutral, "the store can be read neither with it nor without it")], nil)
        : ([.init(.precludes, "the store can be read without it and not with it")], nil)
    }
    guard let ownUUID = without?.uuid else {
      return ([.init(.neutral, "without it the main file holds no store to compare with")], with.connection)
    }
    guard let uuid = with.uuid else {
      return ([.init(.precludes, "with it the store has no UUID, without it it has one")], with.connection)
    }
    // Only a metadata page of its own tells which store the WAL belongs to; with pages of the main file any mixture
    // is possible.
    let holdsMetadata = with.metadataPage.map { wal.pages.position(of: $0) != nil } ?? false
    guard holdsMetadata else {
      return uuid == ownUUID
        ? ([.init(.neutral, "it does not hold the metadata page, whose UUID would tell more")], with.connection)
        : ([.init(.precludes, "with it the metadata page is not where the main file has it")], with.connection)
    }
    return uuid == ownUUID
      ? ([.init(.identifies, "its metadata page has the main file's UUID")], with.connection)
      : ([.init(.excludes, "its metadata page has another UUID than the main file")], with.connection)
  }

  /// Evidence from the schema with and without the WAL, of a database that has no UUID. Every change of the schema raises its
  /// cookie: one number stands for one schema.
  func evidenceFromSchemas(_ files: DatabaseFiles) throws -> [WALEvidence] {
    func schema(usesWAL: Bool) -> [SchemaObject]? {
      var policy = ReadPolicy()
      policy.useWAL = usesWAL
      return try? Connection(reading: files, policy: policy).schema()
    }
    guard let without = schema(usesWAL: false), !without.isEmpty else { return [] }
    guard let with = schema(usesWAL: true) else {
      return [.init(.precludes, "the database can be read without it and not with it")]
    }
    let cookie = try wal.page(1).flatMap { try? DatabaseHeader($0) }?.schemaCookie
    if with != without, cookie ?? mainHeader?.schemaCookie == mainHeader?.schemaCookie {
      return [.init(.precludes, "with it the schema is another one, of the same number as the main file's")]
    }
    let names = Set(without.map(\.name))
    guard with.contains(where: { names.contains($0.name) }) else {
      return [.init(.doubts, "with it the database has none of the main file's tables")]
    }
    return []
  }

  /// The facts that identify a store.
  private struct Identity {
    var uuid: String?
    /// The root page of `Z_METADATA`, which is its only page unless the property list is huge.
    var metadataPage: UInt32?
    var connection: Connection

    static func read(_ files: DatabaseFiles, policy: ReadPolicy) -> Identity? {
      guard let connection = try? Connection(reading: files, policy: policy), let schema = try? connection.schema()
      else { return nil }
      var identity = Identity(connection: connection)
      guard let table = schema.first(where: { $0.name == "Z_METADATA" && $0.isOrdinaryTable }) else { return identity }
      identity.metadataPage = UInt32(exactly: table.rootPage)
      guard let statement = try? connection.prepare("SELECT Z_UUID FROM Z_METADATA LIMIT 1") else { return nil }
      do {
        if try statement.step(), let text = statement.string(0), UUIDText.bytes(text) != nil { identity.uuid = text }
      } catch { return nil }
      return identity
    }
  }
}
