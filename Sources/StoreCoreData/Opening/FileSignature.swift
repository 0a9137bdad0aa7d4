import StorePlaces
import StoreSQLite
import StoreText

/// What a file is that no store can be read from as it is, by the bytes that its format begins with: disk images, databases of
/// other kinds, archives, pictures.
///
/// Signatures are those that the formats' own documentation gives; where a format has none (raw images, encrypted databases)
/// the description says what the bytes look like.
enum FileSignature {
  /// How many first bytes are needed.
  static let usefulBytes = 4096

  /// A kind of file by its first bytes, or by its last 512; nil where none is known.
  static func kind(head: [UInt8], tail: [UInt8]) -> FileKind? {
    if isRealm(head) { return .otherDatabase("a Realm database") }
    if let name = databases.first(where: { head.starts(with: $0.magic) })?.name { return .otherDatabase(name) }
    if let name = image(head, tail: tail) { return .diskImage(name, holding: nil) }
    if let name = archives.first(where: { head.starts(with: $0.magic) })?.name { return .archive(name) }
    if let name = pictures.first(where: { head.starts(with: $0.magic) })?.name { return .picture(name) }
    if heif.contains(where: { head.dropFirst(4).starts(with: $0.utf8) }) { return .picture("HEIC") }
    if let name = programs.first(where: { head.starts(with: $0.magic) })?.name { return .unrelated(name) }
    // Last: these are bytes that other data may have in these places by chance.
    guard ArchiveKind(head: head) == nil, FileSniff(head) != .sqlite else { return nil }
    return rawImage(head).map { .diskImage($0, holding: nil) }
  }

  private typealias Signature = (magic: [UInt8], name: String)

  /// Realm's file begins with two places of eight bytes, then `T-DB`.
  private static func isRealm(_ head: [UInt8]) -> Bool { head.dropFirst(16).starts(with: "T-DB".utf8) }

  private static let databases: [Signature] = [
    (Array("** This file contains an SQLite 2.".utf8), "a database of SQLite 2"),
    ([0, 1, 0, 0] + Array("Standard Jet DB".utf8), "an Access database"),
    ([0, 1, 0, 0] + Array("Standard ACE DB".utf8), "an Access database"),
  ]

  private static let archives: [Signature] = [
    ([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], "7-Zip"), (Array("Rar!".utf8), "RAR"),
    ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], "xz"), (Array("BZh".utf8), "bzip2"), ([0x28, 0xb5, 0x2f, 0xfd], "zstd"),
    ([0x04, 0x22, 0x4d, 0x18], "lz4"), (Array("AA01".utf8), "Apple Archive"), (Array("pbz".utf8), "Apple Archive"),
    (Array("xar!".utf8), "xar (.pkg)"),
  ]

  private static let pictures: [Signature] = [
    ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "PNG"), ([0xff, 0xd8, 0xff], "JPEG"),
    (Array("GIF8".utf8), "GIF"),
    (Array("%PDF-".utf8), "PDF"),
  ]
  private static let heif = ["ftypheic", "ftypheix", "ftypmif1", "ftyphevc"]

  private static let programs: [Signature] = [
    ([0xcf, 0xfa, 0xed, 0xfe], "a program (Mach-O)"), ([0xca, 0xfe, 0xba, 0xbe], "a program (Mach-O or Java)"),
    ([0x7f, 0x45, 0x4c, 0x46], "a program (ELF)"),
  ]

  // MARK: Disk images

  private static let images: [Signature] = [
    (Array("EVF".utf8) + [0x09, 0x0d, 0x0a, 0xff, 0x00], "an EnCase image (EVF, .E01)"),
    (Array("EVF2".utf8) + [0x0d, 0x0a, 0x81], "an EnCase image (EVF2, .Ex01)"),
    (Array("LVF".utf8) + [0x09, 0x0d, 0x0a, 0xff, 0x00], "an EnCase logical image (LVF, .L01)"),
    (Array("LEF2".utf8) + [0x0d, 0x0a, 0x81], "an EnCase logical image (LEF2, .Lx01)"),
    (Array("AFF10\r\n".utf8), "an AFF image"), (Array("ADSEGMENTEDFILE".utf8), "an AccessData logical image (.ad1)"),
    (Array("sprs".utf8), "a sparse Apple disk image (.sparseimage)"),
    (Array("encrcdsa".utf8), "an encrypted Apple disk image"),
    (Array("QFI".utf8) + [0xfb], "a QCOW disk image"), (Array("KDMV".utf8), "a VMware disk image (.vmdk)"),
    (Array("vhdxfile".utf8), "a VHDX disk image"), (Array("conectix".utf8), "a VHD disk image"),
  ]

  private static func image(_ head: [UInt8], tail: [UInt8]) -> String? {
    if let name = images.first(where: { head.starts(with: $0.magic) })?.name { return name }
    // AFF4 is a zip; its standard asks for this member to be the first.
    if head.starts(with: "PK".utf8), head.dropFirst(30).starts(with: "container.description".utf8) {
      return "an AFF4 image"
    }
    return tail.starts(with: "koly".utf8) ? "an Apple disk image (.dmg)" : nil
  }

  /// A raw image, by what lies at the places where partition tables and volumes begin.
  private static func rawImage(_ head: [UInt8]) -> String? {
    func has(_ text: String, at offset: Int) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
    if has("EFI PART", at: 512) { return "a raw disk image (GUID partition table)" }
    if has("NXSB", at: 32) { return "a raw image of an APFS container" }
    if has("H+", at: 1024) || has("HX", at: 1024) { return "a raw image of an HFS+ volume" }
    if has("NTFS    ", at: 3) { return "a raw image of an NTFS volume" }
    if has("EXFAT   ", at: 3) { return "a raw image of an exFAT volume" }
    return head.count > 511 && head[510] == 0x55 && head[511] == 0xaa ? "a raw disk image (boot sector)" : nil
  }

  /// Where databases may begin in a file that is read raw: at sectors with SQLite's signature.
  ///
  /// - Parameter most: how many bytes from the start are looked at, and how many places are named.
  static func databases(
    in file: EvidenceFile, most: (bytes: Int64, places: Int) = (256 << 20, 5)
  ) -> (places: [Int64], bytes: Int64)? {
    var places: [Int64] = []
    var offset: Int64 = 0
    let end = min(file.size, most.bytes)
    while offset < end {
      guard let bytes = try? file.read(at: offset, count: Int(min(1 << 20, end - offset))), !bytes.isEmpty else {
        return nil
      }
      var sector = 0
      while sector + DatabaseHeader.magic.count <= bytes.count {
        if bytes[sector] == DatabaseHeader.magic[0],
          bytes[sector..<sector + DatabaseHeader.magic.count].elementsEqual(DatabaseHeader.magic)
        {
          places.append(offset + Int64(sector))
          guard places.count < most.places else { return (places, offset + Int64(sector)) }
        }
        sector += 512
      }
      offset += Int64(bytes.count)
    }
    return (places, offset)
  }
}
