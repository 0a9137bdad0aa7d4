import StorePlaces
import StorePlatform
import StoreSystem
import StoreCoreData
import StoreSQLite

/// Runs a worker: answers requests on standard input with lines on standard output until the audit is gone, then ends
/// the process.
///
/// - Parameters:
///   - memory: the most bytes of memory the process may take, beyond its program; nil for no limit.
///   - line: makes the line of an entry.
/// - Throws: `FileError` and `WorkerRequest.Malformed` for requests that cannot be read; `AuditError` where the process
///   may open too few files.
package func serveAudit(
  _ settings: AuditSettings, memory: Int? = nil, line: (AuditedStore) -> String
) throws -> Never {
  WorkerFault.strikeAtStart()
  SQLiteLibrary.keepNoStatistics()
  let watch = OrphanWatch()
  limitThisProcess(memory)
  let auditor = StoreAuditor(settings) { StageFile.note($0) }
  var containers = KnownContainers()
  let requests = PathList(standardInput: ())
  let free = FileDescriptors.free
  guard free >= descriptorsOfAStore else { throw AuditError.fewDescriptors(free: free, needed: descriptorsOfAStore) }
  guard answer(WorkerWord.ready.line) else { watch.end() }
  do {
    var number = 0
    while let bytes = try requests.nextBytes() {
      number += 1
      guard StageFile.begin(number) else {
        guard answer(WorkerWord.returned.line) else { break }
        continue
      }
      // Stops here whatever used them up, so that no store is called unreadable for it.
      guard FileDescriptors.free >= descriptorsOfAStore else {
        _ = answer(WorkerWord.retires.line)
        break
      }
      let request = try WorkerRequest(bytes)
      watch.note(request)
      if case .archive = request.item.kind {
        StageFile.note(.unpacking)
        guard answer(unpack(request).line) else { break }
      } else {
        var item = request.item
        if let map = item.unpacked?.map {
          item.facts = try PlaceMap.mount(from: map)
        } else if item.unpacked == nil {
          item.facts.container = containers.identifier(around: item.location)
        }
        defer { MountedFiles.unmountAll() }
        guard answer(line(try auditor.audit(item, known: request.known))) else { break }
      }
    }
  } catch is StoreError {
    _ = answer(WorkerWord.retires.line)
  } catch {
    // A killed audit resets the connection or leaves a torn request. Exiting then would interrupt the watch's clean-up.
    if !watch.hasHungUp { throw error }
  }
  watch.end()
}

/// Descriptors that one store needs, with as many to spare: its files, the copy to plan on and the one to write, a
/// folder, and the program that unpacks an archive.
private let descriptorsOfAStore = 32

/// Messages of a worker that are not answers.
enum WorkerWord: String {
  /// It can take requests.
  case ready
  /// It cannot continue, through no fault of its entries; another worker is to take all it has not answered.
  case retires
  /// It has left out a request that was taken back.
  case returned

  var line: String { rawValue + "\n" }
}

/// The items with repeated paths numbered: an archive may contain a name twice, and lines are identified by path.
private func withPathsOfTheirOwn(_ items: [AuditItem]) -> [AuditItem] {
  var counts: [[UInt8]: Int] = [:]
  var seen = Set(items.map(\.shown.bytes))
  return items.map { item in
    var item = item
    let path = item.shown.bytes
    guard var count = counts[path] else {
      counts[path] = 1
      return item
    }
    repeat {
      count += 1
      item.shown = PosixPath(bytes: path + " (\(count))".utf8)
    } while !seen.insert(item.shown.bytes).inserted
    counts[path] = count
    return item
  }
}

/// Searches an archive or a backup for stores.
private func unpack(_ request: WorkerRequest) -> UnpackedEntries {
  guard let folder = request.folder else { return UnpackedEntries([]) }
  do {
    let items = try placeEntries(of: request.item, in: folder) ?? unpackedEntries(of: request.item, in: folder)
    return UnpackedEntries(withPathsOfTheirOwn(items))
  } catch {
    return UnpackedEntries([], AuditProblem(.cannotUnpack, "\(error)"))
  }
}

/// Limits memory, and prevents core files, since this process reads hostile files.
private func limitThisProcess(_ memory: Int?) {
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  setrlimit(Platform.coreSize, &none)
  guard let memory else { return }
  // On Linux this applies to all private writable memory, however it was allocated; on macOS to little of it.
  var limit = rlimit(rlim_cur: rlim_t(memory), rlim_max: rlim_t(memory))
  setrlimit(Platform.dataSize, &limit)
}

/// Writes an answer; false where the audit is gone.
private func answer(_ text: String) -> Bool {
  var text = text
  return text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      // Not `write`: if the audit has ended, SIGPIPE would end this process and leave its private files behind.
      let written = send(STDOUT_FILENO, rest.baseAddress, rest.count, Platform.sendFlags)
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
    }
    return true
  }
}
