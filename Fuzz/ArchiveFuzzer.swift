// Feeds arbitrary bytes to the readers of archives: those of tar and zip, and that of the tar that bsdtar prints.
// Run with Fuzz/run archive.
//
// The first byte says what the others are: 0 a tar, 1 a tar whose headers get right checksums, 2 a zip; modulo 3. For a
// tar the second byte says how many bytes come at a time.

import StorePlaces
import StoreSQLite

/// One run of libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard bytes.count >= 2 else { return 0 }
  let rest = Array(bytes.dropFirst(2))
  switch bytes[0] % 3 {
  case 0:
    readTar(rest, parts: Int(bytes[1]) * 8 + 1)
    readPlace((try? TarArchive(MemoryBytes(rest), limit: 1 << 24)) ?? nil)
  case 1:
    readTar(sealed(rest), parts: Int(bytes[1]) * 8 + 1)
    readPlace((try? TarArchive(MemoryBytes(sealed(rest)), limit: 1 << 24)) ?? nil)
  default:
    readPlace((try? ZipArchive(MemoryBytes(rest))) ?? nil)
  }
  return 0
}

/// No entry gives more than its size, and all entries together no more than the archive has.
private func readTar(_ tar: [UInt8], parts: Int) {
  var rest = tar[...]
  var reader = TarReader {
    let part = Array(rest.prefix(parts))
    rest.removeFirst(part.count)
    return part
  }
  var total = 0
  do {
    while let entry = try reader.next() {
      precondition(entry.size >= 0 && entry.name.count <= 1 << 16)
      var read = try reader.readHead(16).count
      while case let part = try reader.read(atMost: 1000), !part.isEmpty { read += part.count }
      precondition(Int64(read) == entry.size, "an entry of another size")
      total += 512 + read
    }
  } catch {
    precondition(error is TarReader.Failure)
  }
  precondition(total <= tar.count)
}

/// No member gives more than its size, and none without a doubt gives less.
private func readPlace(_ archive: (any ArchiveReader)?) {
  guard let archive else { return }
  var members: [ArchiveMember] = []
  try? archive.forEachMember(headSize: { _ in 16 }) { member, head in
    precondition(head.count <= 16)
    if member.kind == .file, members.count < 100 { members.append(member) }
  }
  var count: Int64 = 0
  members.sort { $0.order < $1.order }
  try? archive.read(members.map { ($0, 1 << 20) }) { _, bytes in
    count += Int64(bytes.count)
  } end: { position, doubt in
    precondition(count <= max(0, members[position].size))
    precondition(doubt != nil || count == min(members[position].size, 1 << 20))
    count = 0
  }
}

/// The tar with a right checksum in every block that has a name.
private func sealed(_ tar: [UInt8]) -> [UInt8] {
  var tar = tar
  for block in stride(from: 0, through: tar.count - 512, by: 512) where tar[block] != 0 {
    for offset in 148..<156 { tar[block + offset] = 0x20 }
    var sum = tar[block..<block + 512].reduce(0) { $0 + Int($1) }
    for offset in (148..<154).reversed() {
      tar[block + offset] = 0x30 + UInt8(sum & 7)
      sum >>= 3
    }
  }
  return tar
}
