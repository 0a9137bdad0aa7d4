import StorePlaces
import StorePlatform
import StoreSQLite
import StoreSystem
import StoreText

/// Where the files of one store are, by the names they have in an archive or backup, for the worker that reads it: a file of
/// lines, each with the place, the name in it and the path, in base-64, and "=" behind a private copy; or with the reason why
/// it cannot be read, and "-". Lines of two words are facts of the place.
enum PlaceMap {
  /// What a place says of a store besides its files.
  struct Facts: Sendable, Equatable {
    /// The app or group in whose container it lies.
    var container: String?
    /// The device, where it is a backup, in words.
    var device: String?
  }

  /// A map that cannot be read.
  struct Malformed: Error, CustomStringConvertible {
    var description: String { "the map of the files of a store cannot be read" }
  }

  /// Writes the map of a store into the private folder.
  ///
  /// - Parameters:
  ///   - device: of a backup, in words.
  ///   - number: of the store, in the folder.
  static func write(
    _ set: PreparedSet, of device: String?, in place: PosixPath, number: Int, to folder: PosixPath
  ) throws -> PosixPath {
    let path = folder.appending(component: Array("map-\(number)".utf8))
    let mark = place.bytes + [UInt8(ascii: "!")] + set.prefix
    func line(_ fields: [[UInt8]]) -> String { fields.map { base64($0) }.joined(separator: " ") }
    var text = ""
    for file in set.files { text += line([mark, file.name, file.path.bytes]) + (file.isCopy ? " =\n" : "\n") }
    for file in set.unreadable { text += line([mark, file.name, Array(file.reason.utf8)]) + " -\n" }
    for (mark, fact) in [("container", set.container), ("device", device)] {
      if let fact { text += "\(base64(Array(fact.utf8))) \(mark)\n" }
    }
    let number = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    guard number >= 0 else { throw FileError(path: path.description, kind: .init(errno: errno)) }
    try OpenFile(number).write(Array(text.utf8)[...], at: 0)
    return path
  }

  /// Makes the files of a map readable under their names.
  ///
  /// - Returns: what else the map says.
  static func mount(from map: PosixPath) throws -> Facts {
    let file = try EvidenceFile(map)
    var facts = Facts()
    for line in try file.read(at: 0, count: Int(clamping: file.size)).split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "))
      if words.count == 2, let fact = decoded(base64: words[0]) {
        let text = String(decoding: fact, as: UTF8.self)
        if words[1].elementsEqual("container".utf8) { facts.container = text } else { facts.device = text }
        continue
      }
      let fields = words.prefix(3).compactMap { decoded(base64: $0) }
      guard fields.count == 3 else { throw Malformed() }
      let mark = words.dropFirst(3).first.map(Array.init)
      if mark != [UInt8(ascii: "-")] {
        MountedFiles.mount(
          fields[1], in: fields[0], from: PosixPath(bytes: fields[2]), isCopy: mark == [UInt8(ascii: "=")])
      } else {
        MountedFiles.mount(fields[1], in: fields[0], unreadable: String(decoding: fields[2], as: UTF8.self))
      }
    }
    return facts
  }
}
