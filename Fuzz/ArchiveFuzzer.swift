// Feeds arbitrary bytes to the readers of archives: the tar that bsdtar prints, and a zip's directory.
// Run with Fuzz/run archive.
//
// The first byte says what the others are: 0 a tar, 1 a tar whose headers get right checksums, 2 a zip; modulo 3. For a
// tar the second byte says how many bytes come at a time.

import StoreSQLite

/// One run of libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard bytes.count >= 2 else { return 0 }
  let rest = Array(bytes.dropFirst(2))
  switch bytes[0] % 3 {
  case 0: readTar(rest, parts: Int(bytes[1]) * 8 + 1)
  case 1: readTar(sealed(rest), parts: Int(bytes[1]) * 8 + 1)
  default: readDirectory(rest)
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

private func readDirectory(_ bytes: [UInt8]) {
  guard let directory = try? ZipDirectory(of: MemoryBytes(bytes)) else { return }
  precondition(directory.entries.count <= bytes.count / 46)
  precondition(directory.entries.allSatisfy { $0.contents.size >= 0 })
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
