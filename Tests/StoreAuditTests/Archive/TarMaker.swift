/// The header of an entry in GNU's tar format.
func tarHeader(_ name: String, size: Int, type: Character = "0", edit: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
  var block = [UInt8](repeating: 0, count: 512)
  func put(_ text: String, at offset: Int) {
    block.replaceSubrange(offset..<offset + text.utf8.count, with: Array(text.utf8))
  }
  put(String(name.prefix(100)), at: 0)
  let digits = String(size, radix: 8)
  put(String(repeating: "0", count: 11 - digits.count) + digits, at: 124)
  put(String(type), at: 156)
  put("ustar  ", at: 257)
  edit(&block)
  put(String(repeating: " ", count: 8), at: 148)
  let sum = String(block.reduce(0) { $0 + Int($1) }, radix: 8)
  put(String(repeating: "0", count: 6 - sum.count) + sum + "\0", at: 148)
  return block
}

/// A whole entry: header, content, and zeros up to a full block.
func tarEntry(_ name: String, _ content: [UInt8] = [], type: Character = "0") -> [UInt8] {
  tarHeader(name, size: content.count, type: type) + content
    + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
}

/// The end of a tar.
let tarEnd = [UInt8](repeating: 0, count: 1024)
