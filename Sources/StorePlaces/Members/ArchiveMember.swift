import StoreSystem

/// A member of an archive, as its directory or header describes it.
package struct ArchiveMember: Sendable {
  /// Its name: any bytes but NUL. A slash at the front and ".." are parts of a name like others.
  package var name: [UInt8]
  /// Bytes of its content.
  package var size: Int64
  /// What it is.
  package var kind: Kind
  /// Whether its content needs a password.
  package var isEncrypted = false
  /// Why its content cannot be read, as part of a sentence; nil where it can.
  package var obstacle: String?
  /// Why its content cannot be read, a password that is needed included.
  package var obstacleOrPassword: String? { obstacle ?? (isEncrypted ? ArchiveError.encrypted.description : nil) }
  /// When it was changed, in seconds since 1970, where the archive says so in UTC.
  package var modified: Int64?
  /// Where its content is.
  var place: Place

  /// The kinds of members that are told apart.
  package enum Kind: Sendable { case file, folder, link, other }

  /// Where a member's content is.
  enum Place: Sendable {
    case zip(ZipPlace)
    case tar(TarPlace)
  }

  /// In a zip: by its local header.
  struct ZipPlace: Sendable {
    var header: Int64
    var packedSize: Int64
    var method: UInt16
    var crc32: UInt32
  }

  /// In a tar: the bytes that are there, and where they belong in the file. All else of it is zeros.
  struct TarPlace: Sendable {
    var data: Int64
    var dataSize: Int64
    /// Offset and length of each part of a sparse file; nil where it is whole.
    var parts: [Part]?

    struct Part: Sendable {
      var offset: Int64
      var size: Int64
    }
  }

  /// Where its content begins in the archive, to read members in order.
  package var order: Int64 {
    switch place {
    case .zip(let place): place.header
    case .tar(let place): place.data
    }
  }
}
