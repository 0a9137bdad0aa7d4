import StoreDataModel
import StorePlatform
import StoreSystem
import StoreJSON
import StoreSwiftDataSchemas
import StoreText
import Synchronization

// How an audit passes source to its workers
// -----------------------------------------
//
//   audit  ─► reads the source once with `storedoctor-swiftdata` and writes the answers to an unlinked file
//   worker ─► inherits that file as a descriptor and reads the answers from it
//
//   [{"path": "U291cmNlcw==", "bytes": 5120}, ...]\n    paths in base-64: they need not be valid text
//   the answers, one after the other

/// Cache of parsed Swift source by path. Nothing is read twice, so all workers of an audit judge by the same models
/// even if files change meanwhile.
package final class SourceReadings: Sendable {
  private let answers: Mutex<[Answer]>
  /// Conditions for `#if`: `DEBUG`, or `DEBUG=false`.
  private let defines: Mutex<[String]>

  private struct Answer {
    var path: String
    var bytes: [UInt8]
  }

  /// The descriptor at which a worker inherits the file.
  static let descriptor: Int32 = 5

  /// No source has been read yet.
  ///
  /// - Parameter defines: conditions for `#if`: `DEBUG`, or `DEBUG=false`.
  package init(defines: [String] = []) {
    answers = Mutex([])
    self.defines = Mutex(defines)
  }

  /// The answers handed over by the audit that started this process.
  ///
  /// - Parameter defines: conditions for `#if` in source that is read later.
  /// - Throws: ``SwiftDataProgramError`` if they are missing or incomplete.
  package convenience init(handedOver: Void, defines: [String]) throws(SwiftDataProgramError) {
    guard let bytes = Self.contents(of: Self.descriptor) else { throw .garbled("the audit left none") }
    try self.init(bytes, defines: defines)
  }

  init(_ bytes: [UInt8], defines: [String] = []) throws(SwiftDataProgramError) {
    self.defines = Mutex(defines)
    do throws(JSONError) {
      answers = Mutex(try Self.answers(in: bytes))
    } catch {
      throw .garbled(error.description)
    }
  }

  /// Whether there is nothing to hand over.
  package var isEmpty: Bool { answers.withLock(\.isEmpty) }

  /// Adds what types are taken for in source that is read later; of two assumptions about one type the first holds.
  package func assume(_ types: [AssumedType]) {
    defines.withLock { $0 += types.map(\.term) }
  }

  /// The source at a path, from the cache if it was read before.
  func reading(of path: String, with program: SwiftDataProgram? = nil) throws(SwiftDataProgramError) -> SourceReading {
    if let known = answers.withLock({ $0.first { $0.path == path }?.bytes }) {
      return try SourceReading(answer: known)
    }
    let bytes = try answerOfSwiftData([path], defines: defines.withLock { $0 }, with: program)
    let reading = try SourceReading(answer: bytes)
    answers.withLock { $0.append(Answer(path: path, bytes: bytes)) }
    return reading
  }

  // MARK: Handing over

  /// An unlinked file with the answers, for workers to inherit; nil if there are none.
  ///
  /// - Throws: `ChildProcess.Failure` if it cannot be written.
  package func file(for program: String) throws -> ChildProcess.Descriptor? {
    guard !isEmpty else { return nil }
    let file = try ChildProcess.temporaryFile(program, above: Self.descriptor)
    guard Self.write(bytes, to: file.number) else {
      throw ChildProcess.Failure(program: program, message: "cannot be given the models: no room for temporary files")
    }
    return file
  }

  var bytes: [UInt8] {
    answers.withLock { answers in
      let list = answers.map { answer in
        JSONValue.object([
          ("path", .string(base64(Array(answer.path.utf8)))), ("bytes", .integer(Int64(answer.bytes.count))),
        ])
      }
      return Array(JSONValue.array(list).lineText.utf8) + answers.flatMap(\.bytes)
    }
  }

  private static func answers(in bytes: [UInt8]) throws(JSONError) -> [Answer] {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { throw JSONPlace(.null).error("a list is expected") }
    var rest = bytes[(end + 1)...]
    var answers: [Answer] = []
    for place in try JSONPlace(JSONValue(Array(bytes[..<end]))).elements() {
      let members = try place.members(["path", "bytes"])
      let (path, count) = (try members.required("path").base64(), try members.required("bytes").integer() as Int)
      guard count >= 0, count <= rest.count else { throw place.error("the answers end early") }
      answers.append(Answer(path: String(decoding: path, as: UTF8.self), bytes: Array(rest.prefix(count))))
      rest = rest.dropFirst(count)
    }
    return answers
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = pwrite(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }

  /// All workers share one file, so each reads at its own offset.
  private static func contents(of descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = part.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(bytes.count)) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { return bytes }
      bytes += part.prefix(count)
    }
  }
}
