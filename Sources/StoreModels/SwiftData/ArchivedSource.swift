import StoreCoreData
import StoreJSON
import StorePlaces
import StorePlatform
import StoreSQLite
import StoreSwiftDataSchemas
import StoreSystem
import StoreText
import StoreWords

/// The Swift source in an archive, such as a project that was sent as a zip: as private files for the program that parses it,
/// which are gone with this object. No name leads out of their folder.
final class ArchivedSource {
  /// The private folder.
  let folder: PosixPath
  /// What of the archive was not read; lower case, no full stop.
  private var problems: [SourceProblem] = []
  private let place: PosixPath

  /// Nil where the path, or its part before a `!`, is no archive.
  ///
  /// - Throws: `SwiftDataProgramError.failed` where nothing of it can be read, or nothing written.
  init?(_ path: String) throws(SwiftDataProgramError) {
    guard let (place, within) = archiveAndMember(PosixPath(path)), PlacedStores.isArchive(place) else { return nil }
    let search: MemberSearch
    do {
      guard
        let found = try MemberSearch(place, within: within, spool: PlacedStores.privateSpool, isWanted: Self.isWanted)
      else { return nil }
      search = found
    } catch {
      throw .failed("\(quoted(path)) cannot be read: \(error)")
    }
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    guard
      let made = newPrivateFolder(named: "storedoctor-source", in: PosixPath(parent.isEmpty ? "/tmp" : parent)),
      let folder = try? made.resolved(), let files = try? PrivateFolder(folder)
    else { throw .failed("no private folder can be made in the folder for temporary files") }
    (self.folder, self.place) = (folder, place)
    problems = search.problems.map { SourceProblem("\(quoted(place.description)): \($0)") }
    for (name, bytes) in search.found {
      do throws(EntryPath.Refusal) {
        let entry = try EntryPath(Array(name.drop { $0 == UInt8(ascii: "/") }), limits: .standard)
        try files.create(entry).write(bytes[...], at: 0)
      } catch {
        let shown = String(decoding: name, as: UTF8.self)
        problems.append(SourceProblem("\(quoted("\(place.description)!\(shown)")) was not read: \(error.reason)"))
      }
    }
  }

  deinit { try? removeFolder(folder) }

  /// Whether a member is source, or says for which systems and with which entitlements it is built.
  private static func isWanted(_ name: [UInt8]) -> Bool {
    let last = name.reversed().prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "!") }
    let text = String(decoding: last.reversed(), as: UTF8.self)
    // Finder's own notes on files.
    guard !text.hasPrefix("._") else { return false }
    return [".swift", ".entitlements", ".pbxproj", ".xcconfig"].contains(where: text.hasSuffix) || text == "Info.plist"
  }

  /// An answer of the program with the names of the archive in place of those of the private files, and with what was not read
  /// of it among the problems.
  func named(_ answer: [UInt8]) throws(SwiftDataProgramError) -> [UInt8] {
    func inJSON(_ text: String) -> String { String(JSONValue.string(text).lineText.dropFirst().dropLast(2)) }
    let text = String(decoding: answer, as: UTF8.self)
      .replacing(inJSON(folder.description + "/"), with: inJSON(place.description + "!"))
      .replacing(inJSON(folder.description), with: inJSON(place.description))
    let answer = Array(text.utf8)
    guard !problems.isEmpty else { return answer }
    // The first line is what was read.
    let end = answer.firstIndex(of: UInt8(ascii: "\n")) ?? answer.endIndex
    do throws(JSONError) {
      var reading = try SourceReading(Array(answer[..<end]))
      reading.problems += problems
      return Array(reading.json.lineText.utf8) + answer[end...].dropFirst()
    } catch {
      throw .garbled(error.description)
    }
  }

  /// A message with those names.
  func named(_ message: String) -> String {
    message.replacing(folder.description + "/", with: place.description + "!")
      .replacing(folder.description, with: place.description)
  }
}

extension SwiftDataProgram {
  /// Runs it on source, of which some may lie in archives; these have their names in the answer.
  ///
  /// - Throws: ``SwiftDataProgramError``.
  package func run(_ arguments: [String], on paths: [String]) throws(SwiftDataProgramError) -> [UInt8] {
    var archives: [ArchivedSource] = []
    var given: [String] = []
    for path in paths {
      let archive = try ArchivedSource(path)
      given.append(archive?.folder.description ?? path)
      if let archive { archives.append(archive) }
    }
    do throws(SwiftDataProgramError) {
      var answer = try run(arguments + ["--"] + given)
      for archive in archives { answer = try archive.named(answer) }
      return answer
    } catch .failed(let message) {
      throw .failed(archives.reduce(message) { $1.named($0) })
    }
  }
}
