/// What pax headers say of the next member, or of all that follow: `length key=value` and a line feed, each. From
/// POSIX.1-2017, pax, "pax Header Block"; the keys of sparse files are GNU tar's.
struct PaxRecords {
  var path: [UInt8]?
  var size: Int64?
  var modified: Int64?
  /// The real name and size of a sparse file, and its parts as they stand in the header.
  var sparseName: [UInt8]?
  var sparseSize: Int64?
  var sparseMap: [UInt8]?
  /// Whether its parts are named at the beginning of the data.
  var hasMapInData = false
  /// Whether its parts are named in a way that is not read.
  var hasOtherMap = false
  /// Whether a record could not be understood.
  var isDamaged = false

  /// Takes the records of a header over those that were there.
  mutating func take(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let space = rest.firstIndex(of: UInt8(ascii: " ")) {
      guard let length = decimal(rest[rest.startIndex..<space]), length > 0, length <= rest.count,
        rest.startIndex + Int(length) > space + 1
      else {
        isDamaged = true
        return
      }
      let end = rest.startIndex + Int(length)
      var record = rest[(space + 1)..<end]
      if record.last == UInt8(ascii: "\n") { record = record.dropLast() }
      if let equals = record.firstIndex(of: UInt8(ascii: "=")) {
        take(key: String(decoding: record[..<equals], as: UTF8.self), value: record[(equals + 1)...])
      }
      rest = rest[end...]
    }
    if rest.contains(where: { $0 != 0 }) { isDamaged = true }
  }

  private mutating func take(key: String, value: ArraySlice<UInt8>) {
    switch key {
    // An empty value takes back what was said for all.
    case "path": path = value.isEmpty ? nil : Array(value.prefix { $0 != 0 })
    case "size":
      size = decimal(value)
      if size == nil, !value.isEmpty { isDamaged = true }
    case "mtime": modified = decimal(value.prefix { $0 != UInt8(ascii: ".") })
    case "GNU.sparse.name": sparseName = Array(value.prefix { $0 != 0 })
    case "GNU.sparse.realsize": sparseSize = decimal(value)
    case "GNU.sparse.size":
      sparseSize = decimal(value)
      if sparseMap == nil { hasOtherMap = true }
    case "GNU.sparse.map":
      sparseMap = Array(value)
      hasOtherMap = false
    case "GNU.sparse.major": if value.elementsEqual("1".utf8) { hasMapInData = true }
    default: break
    }
  }
}

/// A decimal number; nil for anything else.
func decimal(_ digits: some Collection<UInt8>) -> Int64? {
  guard !digits.isEmpty, digits.count <= 19 else { return nil }
  var result: Int64 = 0
  for digit in digits {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
    let (product, overflow) = result.multipliedReportingOverflow(by: 10)
    let (sum, overflow2) = product.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
    guard !overflow, !overflow2 else { return nil }
    result = sum
  }
  return result
}

/// The parts of a sparse file that are there.
enum SparseMap {
  /// The most parts of a file.
  static let mostParts = 1 << 16

  /// By the text of a pax header: offset, length, offset, length, ...
  static func parts(_ text: [UInt8]) -> [ArchiveMember.TarPlace.Part]? {
    let numbers = text.split(separator: UInt8(ascii: ",")).map { decimal($0) }
    guard numbers.count % 2 == 0, numbers.count / 2 <= mostParts else { return nil }
    var parts: [ArchiveMember.TarPlace.Part] = []
    for index in stride(from: 0, to: numbers.count, by: 2) {
      guard let offset = numbers[index], let size = numbers[index + 1] else { return nil }
      parts.append(.init(offset: offset, size: size))
    }
    return parts
  }

  /// By a header of GNU's old kind, or one of those that continue it: from that offset on, so many of 12 and 12 bytes.
  static func parts(of block: [UInt8], at start: Int, count: Int) -> [ArchiveMember.TarPlace.Part]? {
    var parts: [ArchiveMember.TarPlace.Part] = []
    for index in 0..<count {
      let place = start + index * 24
      guard place + 24 <= block.count else { return nil }
      let field = block[place..<place + 24]
      if field.allSatisfy({ $0 == 0 || $0 == UInt8(ascii: " ") }) { break }
      guard let offset = TarHeader.number(field.prefix(12)), let size = TarHeader.number(field.suffix(12)) else {
        return nil
      }
      parts.append(.init(offset: offset, size: size))
    }
    return parts
  }

  /// Whether parts follow each other, within the file, and have as many bytes as there are.
  static func fits(_ parts: [ArchiveMember.TarPlace.Part], size: Int64, dataSize: Int64) -> Bool {
    var (end, sum): (Int64, Int64) = (0, 0)
    for part in parts {
      let (next, overflow) = part.offset.addingReportingOverflow(part.size)
      guard part.size >= 0, part.offset >= end, !overflow, next <= size else { return false }
      end = next
      sum += part.size
    }
    return sum <= dataSize
  }
}
