import StoreSourceChecks
import StoreSwiftDataSchemas
import StoreText
import SwiftDataSource

extension LintCheck {
  static let fatalContainer = LintCheck(.fatalContainer) { subject, say in
    let ending: Set<String> = ["fatalError", "preconditionFailure", "exit", "abort", "try!"]
    var seen: Set<SourcePlace> = []
    subject.skipCallers(&say)
    for container in subject.containers where !container.isInMemory {
      if container.call.failure.isForced {
        say.add(
          at: container.place,
          message: "try! ends the app where the container cannot be made, without a word to the user")
      }
      for place in container.forcedCalls where seen.insert(place).inserted {
        say.add(
          at: place, message: "try! ends the app where the container cannot be made, without a word to the user",
          notes: [.init("the container", at: container.place)])
      }
      for call in subject.calls(of: container, &say) where ending.contains(call.name) && call.isDirect {
        let place = subject.place(call.span, in: call.file)
        guard seen.insert(place).inserted else { continue }
        say.add(
          at: place,
          message: "\(call.name) ends the app where the container cannot be made, without a word to the user",
          notes: [.init("the container", at: container.place)])
      }
    }
  }

  static let storeDeleted = LintCheck(.storeDeleted) { subject, say in
    let deleting: Set<String> = ["removeItem", "deletePersistentStore", "destroyPersistentStore"]
    var seen: Set<SourcePlace> = []
    subject.skipCallers(&say)
    for container in subject.containers where !container.isDisposable {
      for handler in container.handlers {
        let calls = handler.calls ?? []
        let saving = calls.firstIndex { ["copyItem", "moveItem", "replacePersistentStore"].contains($0.name) }
        for (position, call) in calls.enumerated() {
          let place = subject.place(call.span, in: call.file)
          guard seen.insert(place).inserted else { continue }
          if call.name == "appendingPathExtension", call.firstText.map({ ["wal", "shm"].contains($0) }) ?? false {
            say.add(
              .note, at: place,
              message: "appendingPathExtension gives 'default.store.wal': the side file is called 'default.store-wal'")
          }
          guard deleting.contains(call.name) else { continue }
          let isSaved = saving.map { $0 < position } ?? false
          say.add(
            isSaved ? .warning : .error, at: place,
            message: "\(call.name) where the container cannot be made: the user's data is lost"
              + (isSaved ? " but for the copy made before" : ""),
            notes: [.init("the container", at: container.place)] + subject.missed(by: handler, of: container))
        }
      }
    }
  }

  static let memoryFallback = LintCheck(.memoryFallback) { subject, say in
    var seen: Set<SourcePlace> = []
    subject.skipCallers(&say)
    for container in subject.containers where !container.isInMemory {
      for handler in container.handlers where handler.form == .block {
        let fallback = subject.containers.first { other in
          other.isInMemory && other.scope.file == handler.file && handler.span.contains(other.call.span)
        }
        guard let fallback, seen.insert(fallback.place).inserted else { continue }
        say.add(
          at: fallback.place,
          message: "where the container cannot be made, one in memory takes its place: what is entered is lost",
          notes: [.init("the container", at: container.place)])
      }
    }
  }
}

extension LintSubject {
  /// What a handler that removes a store leaves behind: the side files, and a store that is kept elsewhere.
  fileprivate func missed(by handler: FailureHandler, of container: LintContainer) -> [SourceFinding.Note] {
    guard !handler.words.texts.contains(where: { $0.contains("wal") || $0.contains("shm") }) else { return [] }
    var notes: [SourceFinding.Note] = [
      .init("neither '-wal' nor '-shm' is named: where they stay, the next store is read with the log of the old one")
    ]
    if container.isPlacedByDefault, handler.words.members.contains("applicationSupportDirectory"),
      let path = entitlements.withGroup(names.files[container.scope.file].path)
    {
      notes.append(
        .init(
          "with the app group of '\(path)' a configuration without url: keeps its store in the group's folder, not in "
            + "Application Support", at: container.place))
    }
    return notes
  }

  /// Notes containers whose failure is handled by callers.
  fileprivate func skipCallers(_ say: inout LintFindings) {
    for container in containers
    where container.call.kind == .container && container.isLeftOpen && !container.container.isTemporary {
      say.skip("what is done where this container cannot be made is up to callers of its function", at: container.place)
    }
  }

  /// The calls made when a container cannot be created; notes handlers that cannot be read.
  fileprivate func calls(of container: LintContainer, _ say: inout LintFindings) -> [FailureHandler.Call] {
    container.handlers.flatMap { handler -> [FailureHandler.Call] in
      guard let calls = handler.calls else {
        say.skip(
          "a catch clause is not looked into: such clauses and stages have more than \(LintCode.maximumBytes) bytes",
          at: place(handler.span, in: handler.file))
        return []
      }
      return calls
    }
  }
}
