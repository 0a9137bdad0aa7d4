import StoreSourceChecks
import StoreSwiftDataSchemas
import StoreText
import SwiftDataSource

extension LintCheck {
  static let storeDeleted = LintCheck(.storeDeleted) { subject, say in
    var seen: Set<SourcePlace> = []
    subject.skipCallers(&say)
    for container in subject.containers where !container.isDisposable {
      for handler in container.handlers {
        let calls = handler.calls ?? []
        var isSkipped = false
        let saving = calls.firstIndex { ["copyItem", "moveItem", "replacePersistentStore"].contains($0.name) }
        for (position, call) in calls.enumerated() {
          let place = subject.place(call.span, in: call.file)
          guard seen.insert(place).inserted else { continue }
          if call.name == "appendingPathExtension", call.firstText.map({ ["wal", "shm"].contains($0) }) ?? false {
            say.add(
              .note, at: place,
              message: "appendingPathExtension gives 'default.store.wal': the side file is called 'default.store-wal'")
          }
          guard FailureHandler.Call.deleting.contains(call.name) else { continue }
          guard call.isDirect || call.concernsStore else {
            if !isSkipped {
              say.skip("whether the file that \(call.name) removes here is the store's is not known", at: place)
            }
            isSkipped = true
            continue
          }
          let isSaved = saving.map { $0 < position } ?? false
          let loss = Loss(call, of: handler, isSaved: isSaved)
          say.add(
            call.isForDebugging ? .note : loss.severity, at: place,
            message: "\(call.name) where the container cannot be made: \(loss.words)"
              + (call.isForDebugging ? ", in debug builds alone" : ""),
            notes: [.init("the container", at: container.place)] + subject.missed(call, by: handler, of: container))
        }
      }
    }
    subject.sayUnreached(&say)
  }
}

/// What a handler costs by removing a file.
private enum Loss {
  case all
  /// But for the copy made before.
  case saved
  /// The side files alone are removed.
  case sideFiles
  /// What is removed is the copy that this function made just before.
  case copy(String)

  init(_ call: FailureHandler.Call, of handler: FailureHandler, isSaved: Bool) {
    if let copy = handler.copies.first(where: { !$0.names.isDisjoint(with: call.matter.names) }) {
      self = .copy(copy.function)
    } else if isSaved {
      self = .saved
    } else {
      self = call.removesSideFilesAlone ? .sideFiles : .all
    }
  }

  var severity: SourceFinding.Severity {
    switch self {
    case .all, .sideFiles: .error
    case .saved: .warning
    case .copy: .note
    }
  }

  var words: String {
    switch self {
    case .all: "the user's data is lost"
    case .saved: "the user's data is lost but for the copy made before"
    case .sideFiles:
      "'-wal' and '-shm' alone are removed, and with them what was saved and is not yet in the main file"
    case .copy(let function): "what is removed is the copy that \(function) has just made"
    }
  }
}

extension FailureHandler.Call {
  /// Whether it is known to remove something of the store.
  fileprivate var concernsStore: Bool {
    !matter.names.isEmpty || matter.speaksOfStore || name != "removeItem"
  }

  private var sideFiles: Set<String> { matter.texts.filter { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") } }

  /// The texts that may be a main file's name, or nothing behind it.
  private var mainFiles: Set<String> {
    matter.texts.subtracting(sideFiles).filter { $0.isEmpty || $0.contains(".") }
  }

  fileprivate var removesSideFilesAlone: Bool { !sideFiles.isEmpty && mainFiles.isEmpty }

  /// The names of stores that are removed.
  fileprivate var storeNames: [String] {
    mainFiles.filter { name in [".store", ".sqlite", ".db"].contains(where: name.hasSuffix) }.sorted()
  }
}

extension LintSubject {
  /// What a handler that removes a store leaves behind: the side files, and a store that is kept elsewhere.
  fileprivate func missed(
    _ call: FailureHandler.Call, by handler: FailureHandler, of container: LintContainer
  ) -> [SourceFinding.Note] {
    guard call.name == "removeItem" else { return [] }
    var notes: [SourceFinding.Note] = []
    if !handler.words.texts.contains(where: { $0.contains("wal") || $0.contains("shm") }) {
      notes.append(
        .init(
          "neither '-wal' nor '-shm' is named: where they stay, the next store is read with the log of the old one"))
    }
    return notes + [otherFolder(handler, of: container) ?? otherFile(call, of: container)].compactMap(\.self)
  }

  /// A note where the store is in another folder than the one that is named.
  private func otherFolder(_ handler: FailureHandler, of container: LintContainer) -> SourceFinding.Note? {
    guard container.isPlacedByDefault else { return nil }
    let members = handler.words.members
    let namesSupport = members.contains("applicationSupportDirectory")
    if namesSupport, let path = entitlements.withGroup(names.files[container.scope.file].path) {
      return .init(
        "with the app group of '\(path)' a configuration without url: keeps its store in the group's folder, not in "
          + "Application Support", at: container.place)
    }
    if namesSupport, let path = entitlements.projectWithUnknownGroup(names.files[container.scope.file].path) {
      return .init(
        "'\(path)' registers app groups, and its entitlements are not here: with a group a configuration without url: keeps "
          + "its store in the group's folder, not in Application Support", at: container.place)
    }
    guard !namesSupport, !members.isDisjoint(with: ["documentsDirectory", "documentDirectory"]) else { return nil }
    return .init(
      "a configuration without url: keeps its store in Application Support, not among the documents",
      at: container.place)
  }

  /// A note where the container's file has another name.
  private func otherFile(_ call: FailureHandler.Call, of container: LintContainer) -> SourceFinding.Note? {
    let removed = call.storeNames
    let own = container.stores.flatMap(\.openings).compactMap(\.fileName)
    guard let first = removed.first, let file = own.first, Set(own).isDisjoint(with: removed) else { return nil }
    return .init("what is removed is '\(first)', and the container's file is '\(file)'", at: container.place)
  }
}

extension LintSubject {
  /// Notes the calls that remove what looks like a store and are in no handler that is followed.
  fileprivate func sayUnreached(_ say: inout LintFindings) {
    guard containers.contains(where: { !$0.isDisposable && !$0.call.isInPreview }) else { return }
    let reached = Set(containers.flatMap(\.handlers).flatMap { $0.calls ?? [] }.map { place($0.span, in: $0.file) })
    var code = self.code
    let found = names.functions.flatMap { function -> [(name: String, place: SourcePlace)] in
      let bytes = names.files[function.file].bytes[function.span.start..<function.span.end]
      guard FailureHandler.Call.deleting.contains(where: bytes.mention), bytes.looksLikeStore,
        let piece = code.piece(function.span, as: .function, in: function.file)
      else { return [] }
      return piece.deletions.filter(\.concernsStore).map { ($0.name, place($0.span, in: function.file)) }
    }.filter { !reached.contains($0.place) }
    guard let first = found.min(by: { $0.place < $1.place }) else { return }
    let others = found.count > 1 ? ", and \(found.count - 1) more like it," : ""
    say.skip(
      "\(first.name) here\(others) removes what looks like a store: whether that is done where a container cannot be made is "
        + "not followed", at: first.place)
  }
}

extension ArraySlice<UInt8> {
  /// Whether it has a word that code has of a store's files alone.
  fileprivate var looksLikeStore: Bool {
    ["sqlite", "-wal", ".store\"", "storeURL", "storeUrl", "swiftdata", "SwiftData", "PersistentStore"]
      .contains(where: mention)
  }
}
