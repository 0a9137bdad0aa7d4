import StoreCoreData
import StoreDigests
import StoreJSON
import StoreSQLite
import StoreWords

/// The files of a custody record, read again.
package struct CustodyVerification: Sendable, Equatable {
  /// The record's path.
  package var record: String
  /// SHA-256 of the record itself.
  package var recordSHA256: [UInt8]
  /// Each file and output with what was found, in the record's order.
  package var files: [File]
  /// The files that were not compared, and why.
  package var notCompared: [String]

  /// Whether every file is as recorded.
  package var isEqual: Bool { files.allSatisfy { $0.difference == nil } }

  /// A file of the record.
  package struct File: Sendable, Equatable {
    /// The path, as recorded.
    package var path: String
    /// How it differs from what was recorded; nil where it does not.
    package var difference: String?
  }
}

/// Reads the files of a custody record again, and compares them with what they were after the run.
///
/// - Throws: `FileError` or `JSONError` when the record cannot be read, `CustodyError` when it is none.
package func verifyCustody(_ path: PosixPath) throws -> CustodyVerification {
  let file = try EvidenceFile(path)
  guard file.size <= 1 << 30 else { throw CustodyError(path: path.description, message: "it is larger than 1 GiB") }
  let bytes = try file.read(at: 0, count: Int(file.size))
  var limits = JSONValue.Limits()
  limits.bytes = 1 << 30
  let record: JSONMembers
  do {
    record = try JSONPlace(try JSONValue(bytes, limits: limits)).members(recordMembers)
    guard try record.required("schema").string() == "storedoctor.custody/1" else {
      throw CustodyError(path: path.description, message: "its schema is not storedoctor.custody/1")
    }
  } catch let error as JSONError {
    throw CustodyError(path: path.description, message: "it is no custody record: \(error)")
  }
  var verification = CustodyVerification(
    record: path.description, recordSHA256: Digests.sha256(bytes), files: [], notCompared: try record.strings("gaps"))
  for entry in try record.elements("files") { try verification.compareFile(entry) }
  for entry in try record.elements("outputs") { try verification.compareOutput(entry) }
  return verification
}

/// Why a file is not a custody record that can be verified.
package struct CustodyError: Error, CustomStringConvertible {
  /// The record's path.
  package var path: String
  /// The problem.
  package var message: String

  /// Advice on what to do.
  package var description: String { "cannot verify \(quoted(path)): \(message); name a file written by '--custody'" }
}

private let recordMembers: Set<String> = [
  "schema", "tool", "arguments", "note", "started", "ended", "exitStatus", "files", "outputs", "gaps",
]

extension CustodyVerification {
  fileprivate mutating func compareFile(_ entry: JSONPlace) throws {
    let members = try entry.members(["path", "pathBytes", "role", "before", "after", "unchanged", "problem"])
    let (path, shown) = try Self.path(members)
    guard let after = members["after"] else {
      // It was gone after the run, or could not be read.
      if let problem = try members.string("problem") {
        notCompared.append("\(shown): \(problem)")
      } else {
        files.append(
          .init(path: shown, difference: FileSystem.kind(of: path) == nil ? nil : "it was gone, and is there now"))
      }
      return
    }
    let state = try after.members(["bytes", "md5", "sha1", "sha256", "modified", "changed", "accessed"])
    files.append(.init(path: shown, difference: try Self.difference(path, members: state)))
  }

  fileprivate mutating func compareOutput(_ entry: JSONPlace) throws {
    let members = try entry.members(["path", "pathBytes", "standardOutput", "bytes", "md5", "sha1", "sha256"])
    guard try !members.flag("standardOutput") else {
      notCompared.append("standard output: no file")
      return
    }
    let (path, shown) = try Self.path(members)
    files.append(.init(path: shown, difference: try Self.difference(path, members: members)))
  }

  private static func path(_ members: JSONMembers) throws -> (PosixPath, shown: String) {
    let text = try members.required("path").string()
    let bytes = try members["pathBytes"].map { try $0.base64() }
    return (bytes.map { PosixPath(bytes: $0) } ?? PosixPath(text), text)
  }

  private static func difference(_ path: PosixPath, members: JSONMembers) throws -> String? {
    let bytes = try members.required("bytes").integer(as: Int64.self)
    let digests = try ["md5", "sha1", "sha256"].map { ($0, try members.required($0).string()) }
    guard FileSystem.kind(of: path) != nil else { return "it is missing" }
    let now: CustodyRecord.Content
    do { now = try CustodyRecord.Content(of: EvidenceFile(path)) } catch { return "it cannot be read: \(error)" }
    if now.bytes != bytes { return "it has \(now.bytes) bytes, recorded are \(bytes)" }
    let found = [now.digests.md5, now.digests.sha1, now.digests.sha256].map(hexadecimal)
    let differing = zip(digests, found).filter { $0.1 != $1 }.map { $0.0.0.uppercased() }
    return differing.isEmpty ? nil : "its content differs (\(differing.joined(separator: ", ")))"
  }
}
