import StoreCoreData
import StoreExplanation
import StoreModels
import StorePlaces
import StoreSQLite
import StoreText
import StoreWords

// How things are sorted out
// -------------------------
//
//   each thing ─► a store, a log, a model, a side file; or a place ─► the stores in it
//   one store in all ─► models and logs are looked for in every place
//   several ─► only in those without a store: in a phone's image they are those of hundreds of apps
//
// What a thing is, its content decides. Nothing is opened twice for it but headers and lists of members.

/// Finds out what the things are that a person named.
///
/// - Parameter things: each as it was named, and its path.
package func sortOut(_ things: [(name: String, path: PosixPath)]) -> [GivenThing] {
  var given = things.map { look(at: $0.path, named: $0.name) }
  joinSideFiles(&given)
  let isOneStore = given.reduce(0) { $0 + $1.stores.count } <= 1
  for position in given.indices where given[position].isPlace {
    // With several things one may be a project with stores for its tests.
    let isAsked = isOneStore || given[position].stores.isEmpty || given.count > 1 && mayBeProject(given[position].path)
    guard isAsked else { continue }
    given[position].lookInside()
  }
  leaveOutProjects(&given)
  return given
}

/// The stores of a project are those of its tests, where another thing has stores and no model.
private func leaveOutProjects(_ given: inout [GivenThing]) {
  guard given.contains(where: { !$0.stores.isEmpty && !$0.holdsModel }) else { return }
  for position in given.indices where given[position].holdsModel && !given[position].stores.isEmpty {
    (given[position].stores, given[position].unreadable, given[position].incomplete) = ([], [], nil)
    given[position].leavesOutStores = true
  }
}

private func mayBeProject(_ path: PosixPath) -> Bool {
  FileSystem.kind(of: path) == .folder || path.hasEnding(".ipa")
}

/// A side file beside its store stands for that; another may be the log of a store that was named too.
private func joinSideFiles(_ given: inout [GivenThing]) {
  let stores = Set(given.flatMap(\.stores))
  var seen: Set<PosixPath> = []
  given = given.compactMap { thing in
    var thing = thing
    if let main = thing.mainFile {
      // Its store was named too, or is named by this.
      guard !stores.contains(main), seen.insert(main).inserted else { return nil }
      thing.stores = [main]
      thing.writeAheadLog = nil
    }
    return thing
  }
}

private func look(at path: PosixPath, named name: String) -> GivenThing {
  var thing = GivenThing(path, name: name)
  if isMappingModel(path) {
    (thing.isMapping, thing.holdsModel) = (true, false)
    return thing
  }
  if isModelBundle(path) {
    thing.holdsModel = true
    return thing
  }
  // As of a commit of its log.
  let reference = StoreReference(path)
  if reference.commit != nil, FileSystem.kind(of: path) == nil {
    thing.stores = [path]
    return thing
  }
  do {
    if let located = try StoreLocator.stores(at: path, most: 1) {
      thing.isPlace = true
      thing.stores = located.all.map(\.path)
      (thing.incomplete, thing.unreadable) = (located.incomplete, located.unreadable)
      if located.all.isEmpty, FileSystem.kind(of: path) == nil { lookAtMember(&thing) }
      return thing
    }
    lookAtFile(&thing, at: path)
  } catch {
    thing.problem = .init(sentence: "\(error)", isUnread: true)
  }
  return thing
}

/// A member of an archive that is no store: a log, or a part of it with models.
private func lookAtMember(_ thing: inout GivenThing) {
  guard let file = try? PlacedFile.located(thing.path), MountedFiles.target(of: file) != nil else { return }
  thing.isPlace = false
  lookAtFile(&thing, at: file)
}

private func lookAtFile(_ thing: inout GivenThing, at path: PosixPath) {
  let file: EvidenceFile
  do throws(FileError) {
    file = try EvidenceFile(path)
  } catch {
    thing.problem = .init(sentence: StoreError(path: thing.name, error).description, isUnread: true)
    return
  }
  let head = (try? file.read(at: 0, count: FileSniff.usefulBytes)) ?? []
  switch FileSniff(head) {
  case .sqlite: thing.stores = [path]
  // Everything may be in its log, which opening looks at.
  case _ where file.size == 0 && FileSystem.kind(of: path.appending("-wal")) != nil: thing.stores = [path]
  case .writeAheadLog, .rollbackJournal, .sharedMemory: thing.lookBeside(path, isLog: FileSniff(head) == .writeAheadLog)
  case .text where isSwiftSource(path) || isModelDocument(head): thing.holdsModel = true
  case .text: thing.take(file)
  default: thing.take(other: file)
  }
}

extension GivenThing {
  /// Looks for models and logs in a place.
  fileprivate mutating func lookInside() {
    switch ModelPresence(in: path) {
    case .found: holdsModel = true
    case .absent: holdsModel = false
    case .unknown(let reason): gaps.append("whether there is a model in \(quoted(name)) is not known: \(reason)")
    }
    let placed = PlacedLogs(in: path)
    logs = placed.found
    gaps += placed.unread
    // A project is named for its models.
    if !placed.isWhole, !holdsModel {
      gaps.append("\(quoted(name)): logs were not looked for in all of it; name one by itself")
    }
  }

  /// The store's main file beside a side file.
  fileprivate mutating func lookBeside(_ path: PosixPath, isLog: Bool) {
    for ending in ["-wal", "-shm", "-journal"] where path.bytes.count > ending.utf8.count {
      let main = PosixPath(bytes: Array(path.bytes.dropLast(ending.utf8.count)))
      guard path.bytes.suffix(ending.utf8.count).elementsEqual(ending.utf8), FileSystem.kind(of: main) == .file else {
        continue
      }
      mainFile = main
      return
    }
    if isLog { writeAheadLog = path } else { take(other: nil) }
  }

  /// A text that may be a log.
  fileprivate mutating func take(_ file: EvidenceFile) {
    guard let bytes = try? file.read(at: 0, count: Int(clamping: min(file.size, longestLog + 1))) else {
      problem = .init(sentence: "cannot read \(quoted(name))", isUnread: true)
      return
    }
    let explanation = explain(log: bytes)
    if explanation.log?.isEmpty == false {
      logs = [.init(name: name, explanation: explanation)]
    } else {
      problem = .init(
        sentence:
          "\(quoted(name)) is a text in which nothing of Core Data or SQLite is known: no number, no reason, no object",
        isUnread: false)
    }
  }

  /// A file of another kind, which may be a model.
  fileprivate mutating func take(other file: EvidenceFile?) {
    guard let file else {
      problem = .init(
        sentence: "\(quoted(name)) is a side file, and its store does not lie beside it; name that too", isUnread: false
      )
      return
    }
    do {
      let error = try StoreError(path: name, noDatabase: file, after: NoDatabase())
      switch error.problem {
      case .otherKind(.compiledModel), .otherKind(.xcodeModel), .otherKind(.modelVersionInfo),
        .otherKind(.optimisedModel):
        holdsModel = true
      // What is left of its rows may be found in its pages.
      case .otherKind(.lostHeader): stores = [path]
      default: problem = .init(sentence: error.description, isUnread: false)
      }
    } catch {
      problem = .init(sentence: "cannot read \(quoted(name)): \(error)", isUnread: true)
    }
  }

  /// It does not begin as a database does.
  private struct NoDatabase: Error, CustomStringConvertible {
    var description: String { "it does not begin as a database does" }
  }
}

private func isMappingModel(_ path: PosixPath) -> Bool { path.hasEnding(".cdm") || path.hasEnding(".xcmappingmodel") }

private func isModelBundle(_ path: PosixPath) -> Bool {
  [".momd", ".xcdatamodeld", ".xcdatamodel", ".mom", ".omo"].contains(where: path.hasEnding)
}

private func isSwiftSource(_ path: PosixPath) -> Bool { path.hasEnding(".swift") }

/// Whether a text begins as a model in storedoctor's JSON does.
private func isModelDocument(_ head: [UInt8]) -> Bool {
  head.first == UInt8(ascii: "{") && head.prefix(200).firstRange(ofBytes: Array("\"storedoctor.model/".utf8)) != nil
}

/// The most bytes of a log that are read.
let longestLog: Int64 = 64 << 20
