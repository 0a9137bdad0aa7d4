import StorePropertyLists
import StoreSQLite

/// How far somebody who reads persistent history has come, as the store itself tells it.
///
/// A reader asks for what came after its token. Where the token's transaction, or a later one, is gone, Core Data answers that
/// the token has expired (134301), and the reader starts anew; CloudKit's mirror then gives every object a new key.
package struct HistoryReader: Sendable, Equatable {
  /// Who it is.
  package var who: Who
  /// The first transaction that it still needs; nil where its token cannot be read.
  package var needs: Int64?

  /// The readers that leave a trace in the store.
  package enum Who: Sendable, Equatable {
    /// A token among the app's own keys in the metadata; the key.
    case metadata(String)
    /// CloudKit's mirror, by its token.
    case mirrorToken
    /// CloudKit's mirror, by an object whose change is being sent.
    case mirrorExport
  }
}

extension Store {
  /// The readers of persistent history whose place the store has. Others keep their token elsewhere.
  ///
  /// - Throws: `SQLiteError` where a table cannot be read.
  package func historyReaders() throws -> [HistoryReader] {
    try metadataReaders() + mirrorReaders()
  }

  /// When CloudKit's mirror last sent everything without an error, seconds since 2001; nil where the store does not tell.
  ///
  /// - Throws: `SQLiteError`.
  package func lastMirrorExport() throws -> Double? {
    let columns = ["ZCLOUDKITEVENTTYPE", "ZSUCCEEDED", "ZENDEDAT"]
    guard let events = shape.tables[MirrorTable.events], columns.allSatisfy(events.has) else { return nil }
    let rows = try connection.prepare(
      "SELECT max(ZENDEDAT) FROM \(MirrorTable.events) WHERE ZCLOUDKITEVENTTYPE = \(MirrorTable.exportEvent) AND ZSUCCEEDED = 1"
    )
    return try rows.step() && (rows.kind(0) == .real || rows.kind(0) == .integer) ? rows.double(0) : nil
  }

  private func metadataReaders() throws -> [HistoryReader] {
    guard shape.tables["Z_METADATA"]?.has("Z_PLIST") == true else { return [] }
    let rows = try connection.prepare("SELECT Z_PLIST FROM Z_METADATA NOT INDEXED")
    var readers: [HistoryReader] = []
    while try rows.step() {
      guard let bytes = rows.blob(0), let entries = try? PropertyList(bytes).root.entries else { continue }
      for (key, node) in entries {
        guard let data = node.data, let token = HistoryToken(data) else { continue }
        readers += reader(.metadata(key), token: token)
      }
    }
    return readers
  }

  private func mirrorReaders() throws -> [HistoryReader] {
    var readers: [HistoryReader] = []
    if let entries = shape.tables[MirrorTable.entries], entries.has("ZKEY"), entries.has("ZTRANSFORMEDVALUE") {
      let rows = try connection.prepare(
        "SELECT ZTRANSFORMEDVALUE FROM \(MirrorTable.entries) NOT INDEXED WHERE ZKEY = '\(MirrorTable.tokenKey)'")
      while try rows.step() {
        guard let bytes = rows.blob(0) else { continue }
        readers += reader(.mirrorToken, token: HistoryToken(bytes) ?? .unreadable)
      }
    }
    let column = "ZPENDINGEXPORTTRANSACTIONNUMBER"
    if shape.tables[MirrorTable.records]?.has(column) == true {
      let rows = try connection.prepare("SELECT min(\(column)) FROM \(MirrorTable.records) WHERE \(column) > 0")
      if try rows.step(), rows.kind(0) == .integer {
        readers.append(HistoryReader(who: .mirrorExport, needs: rows.int64(0)))
      }
    }
    return readers
  }

  /// None where the token is of another store.
  private func reader(_ who: HistoryReader.Who, token: HistoryToken) -> [HistoryReader] {
    switch token {
    case .unreadable: [HistoryReader(who: who, needs: nil)]
    case .places(let places):
      places.filter { $0.store == metadata.uuid }.map { HistoryReader(who: who, needs: $0.transaction) }
    }
  }
}

/// An archived `NSPersistentHistoryToken`: for each store, by its UUID, the number of the last transaction that was read.
private enum HistoryToken {
  case places([(store: String, transaction: Int64)])
  /// An archive of that class with other contents.
  case unreadable

  private static let className = "_NSPersistentHistoryToken"

  /// Nil for anything else.
  init?(_ bytes: [UInt8]) {
    // Most values in metadata are no archives.
    guard let archive = try? KeyedArchive(bytes), archive.root.className == Self.className else { return nil }
    guard let entries = archive.root["NSPersistentHistoryTokenDictionary"]?.entries else {
      self = .unreadable
      return
    }
    var places: [(store: String, transaction: Int64)] = []
    for (key, value) in entries {
      guard let store = key.string, let transaction = value.integer else {
        self = .unreadable
        return
      }
      places.append((store, transaction))
    }
    self = .places(places)
  }
}
