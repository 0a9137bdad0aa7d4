import StoreSQLite

/// An archive that is read in place: its members are listed, and single ones read. Nothing of it is written anywhere.
package protocol ArchiveReader: AnyObject {
  /// What is wrong with the archive as a whole, as far as it was read; parts of sentences.
  var problems: [String] { get }
  /// Whether the beginning of a member in which the archive ends is as it was. Of a damaged zip nothing is: there is no
  /// checksum of a part.
  var keepsBeginnings: Bool { get }

  /// How many bytes were unpacked to list it.
  var bytesUnpacked: Int64 { get }

  /// Lists the members in their order, with the first bytes of each file.
  ///
  /// - Parameter headSize: how many first bytes of a member of that name are wanted; 0 for none.
  func forEachMember(
    headSize: ([UInt8]) -> Int, _ body: (_ member: ArchiveMember, _ head: [UInt8]) throws -> Void) throws

  /// Reads members, each as a whole, in the order of `members`, which is that of their places.
  ///
  /// - Parameters:
  ///   - members: with how many first bytes of each are wanted.
  ///   - piece: receives the next bytes of the member at that position.
  ///   - end: called behind each member, with what is wrong with it; nil where it is whole.
  func read(
    _ members: [(member: ArchiveMember, most: Int64)],
    piece: (_ position: Int, _ bytes: UnsafeRawBufferPointer) throws -> Void,
    end: (_ position: Int, _ doubt: String?) throws -> Void
  ) throws

  /// A member's content as a source, where it lies in the archive as it is; nil otherwise.
  func source(of member: ArchiveMember, named name: String) -> (any ByteSource)?
}
