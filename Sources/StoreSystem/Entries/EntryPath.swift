/// An entry's name as a path below the private folder; "./a//b" becomes "a/b".
package struct EntryPath: Equatable {
  /// The names of the folders and of the file; none is empty, "." or "..".
  let components: [[UInt8]]

  /// Why an entry is not written.
  package enum Refusal: Error, Equatable, CustomStringConvertible {
    case empty
    case absolute
    case leadsOut
    case holdsNUL
    case tooLong
    case tooDeep(limit: Int)
    case taken
    case fileAsFolder
    case system(message: String)
  }

  /// The longest name that file systems accept, in bytes.
  private static let longestComponent = 255

  /// - Throws: `Refusal` for a name that could lead elsewhere, or that file systems do not accept.
  package init(_ name: [UInt8], limits: ArchiveLimits) throws(Refusal) {
    guard !name.contains(0) else { throw .holdsNUL }
    guard name.first != UInt8(ascii: "/") else { throw .absolute }
    guard name.count <= limits.nameLength else { throw .tooLong }
    let parts = name.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != Self.here }
    guard !parts.contains(Self.above) else { throw .leadsOut }
    guard !parts.isEmpty else { throw .empty }
    guard parts.count - 1 <= limits.depth else { throw .tooDeep(limit: limits.depth) }
    guard parts.allSatisfy({ $0.count <= Self.longestComponent }) else { throw .tooLong }
    components = parts
  }

  /// The whole path.
  package var bytes: [UInt8] { Array(components.joined(separator: [UInt8(ascii: "/")])) }

  private static let here = [UInt8(ascii: ".")]
  private static let above = [UInt8(ascii: "."), UInt8(ascii: ".")]
}

extension EntryPath.Refusal {
  /// The reason.
  package var description: String { reason }

  /// The reason as part of a sentence about the entry.
  package var reason: String {
    switch self {
    case .empty: "it has no name"
    case .absolute: "its name begins with a slash"
    case .leadsOut: "its name leads out of the archive with '..'"
    case .holdsNUL: "its name holds a NUL"
    case .tooLong: "its name is too long"
    case .tooDeep(let limit): "it lies more than \(limit) folders deep"
    case .taken: "an entry before it has the same name"
    case .fileAsFolder: "an entry before it is a file where this one needs a folder"
    case .system(let message): "it cannot be written here: \(message)"
    }
  }
}
