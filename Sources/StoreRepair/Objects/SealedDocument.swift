import StoreDigests
import StoreJSON
import StoreText

extension JSONValue {
  /// A document with a member that holds the SHA-256 of all others, in hexadecimal: one changed character shows.
  ///
  /// The digest is over the document in one line, without white space and with sorted members.
  package var sealed: JSONValue {
    guard case .object(var members) = self else { return self }
    members["checksum"] = .string(seal)
    return .object(members)
  }

  /// The digest of a document without its own.
  package var seal: String {
    guard case .object(var members) = self else { return "" }
    members["checksum"] = nil
    return hexadecimal(Digests.sha256(Array(JSONValue.object(members).lineText.utf8)))
  }
}
