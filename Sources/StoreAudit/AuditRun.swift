import StoreSQLite

/// A running audit: creates slots for entries, hands them to workers, and writes their lines in order.
final class AuditRun {
  private let options: AuditOptions
  private let problemLine: (AuditItem, AuditProblem) -> String
  private let write: ([UInt8]) throws -> Void
  private let items: AuditItems
  private let earlier: EarlierLines?
  /// Called once all earlier lines have been written again.
  private var onCaughtUp: (() throws -> Void)?
  /// The slot with the last earlier line; all lines after it are new.
  private var lastOfEarlier: AuditSlot?
  private var hasMore = true
  /// The next entry, read ahead.
  private var following: AuditItem?
  /// The places of copies so far, each as a hash: some 16 bytes an entry.
  private var places: Set<Int> = []

  /// All open slots in the order of lines; the first is the next to be written.
  private var slots = AuditQueue()
  /// Slots that no worker has yet, in the order they are handed out.
  private var waiting = AuditQueue()
  private var waitingBytes = 0
  private let workers: WorkerPool
  private let folders: UnpackingFolders

  /// The most open slots.
  private static let mostSlots = 4096
  /// The most bytes of lines that wait for an earlier one.
  private static let mostWaitingBytes = 64 << 20

  init(
    _ options: AuditOptions, _ earlier: EarlierLines?, problemLine: @escaping (AuditItem, AuditProblem) -> String,
    write: @escaping ([UInt8]) throws -> Void, onCaughtUp: @escaping () throws -> Void
  ) {
    self.options = options
    self.onCaughtUp = earlier == nil ? nil : onCaughtUp
    self.earlier = earlier
    self.problemLine = problemLine
    self.write = write
    items = AuditItems(options.input, interruption: options.interruption)
    workers = WorkerPool(options)
    folders = UnpackingFolders(in: options.temporaryFolder)
  }

  /// Entries that were named more than once so far.
  var repetitions: Repetitions { items.repetitions }

  func work() throws {
    while true {
      try fill()
      try workers.giveOut(&waiting) { try request($0) }
      try writeFinished()
      if slots.isEmpty && !hasMore { return try catchUp() }
      for event in try workers.wait(also: hasMore ? items.awaited : nil) { try take(event) }
    }
  }

  // MARK: Entries

  /// Opens slots for the next entries, as far as the limits allow.
  private func fill() throws {
    while hasMore, waiting.count < WorkerProcess.mostEntries * options.jobs, slots.count < Self.mostSlots,
      waitingBytes < Self.mostWaitingBytes
    {
      // The list may be slow to arrive; results are not delayed by waiting for it.
      if !slots.isEmpty, following == nil, items.awaited != nil { return }
      guard let item = try nextItem() else {
        hasMore = false
        try earlier?.expectEnd()
        return
      }
      try open(item)
    }
  }

  private func nextItem() throws -> AuditItem? {
    if let following {
      self.following = nil
      return following
    }
    guard var item = try items.next() else { return nil }
    if options.writesCopies { item.isRepeated = !places.insert(AuditRecipe.parts(of: item.shown).hashValue).inserted }
    return item
  }

  private func open(_ item: AuditItem) throws {
    let slot = AuditSlot(item)
    if let earlier {
      if case .archive = item.kind { following = try nextItem() }
      switch try earlier.standing(of: item, before: following) {
      case .isDone(let lines):
        guard !lines.isEmpty else { return }
        slot.entries = lines.map { AuditSlot(item, line: $0) }
        waitingBytes += lines.reduce(0) { $0 + $1.count }
        return slots.append(slot)
      case .isBegun(let entries): slot.earlier = entries
      case .isNew: break
      }
      if lastOfEarlier == nil, earlier.isExhausted { lastOfEarlier = slot }
    }
    append(slot)
  }

  private func append(_ slot: AuditSlot) {
    slots.append(slot)
    if case .problem(let problem) = slot.item.kind {
      finish(slot, problem: problem)
    } else {
      waiting.append(slot)
    }
  }

  private func request(_ slot: AuditSlot) throws(AuditError) -> WorkerRequest {
    var request = WorkerRequest(slot.item, known: options.known(slot.item.key))
    if case .archive = slot.item.kind {
      let folder = try folders.next()
      slot.folder = folder
      request.folder = folder.path
    }
    return request
  }

  // MARK: Answers

  private func take(_ event: WorkerPool.Event) throws {
    switch event {
    case .answered(let slot, let line):
      if case .archive = slot.item.kind { try takeEntries(slot, line: line) } else { finish(slot, line: line) }
    case .failed(let slot, let problem): finish(slot, problem: problem)
    case .returned(let slots): waiting.prepend(slots)
    }
  }

  private func takeEntries(_ archive: AuditSlot, line: [UInt8]) throws {
    guard let folder = archive.folder,
      let found = try? UnpackedEntries(line, of: archive.item, in: folder.path)
    else { return finish(archive, problem: AuditProblem(.crashed, "the worker gave an answer that makes no sense")) }
    if let problem = found.problem { return finish(archive, problem: problem) }
    guard !found.items.isEmpty else {
      let place = FileSystem.kind(of: archive.item.location) == .folder ? "backup" : "archive"
      return finish(archive, problem: AuditProblem(.noStore, "no store was found in this \(place)"))
    }
    let entries = try (archive.earlier?.rest(of: found.items) ?? found.items[...]).map { AuditSlot($0, folder: folder) }
    archive.entries = entries
    archive.folder = nil
    for slot in entries {
      if case .problem(let problem) = slot.item.kind { finish(slot, problem: problem) }
    }
    // They come before any other archive is unpacked.
    waiting.prepend(entries.filter { $0.line == nil })
  }

  private func finish(_ slot: AuditSlot, problem: AuditProblem) {
    finish(slot, line: Array(problemLine(slot.item, problem).utf8))
  }

  private func finish(_ slot: AuditSlot, line: [UInt8]) {
    slot.line = line
    slot.folder = nil
    waitingBytes += line.count
  }

  private func writeFinished() throws {
    while let first = slots.first {
      if let entries = first.entries {
        slots.removeFirst()
        slots.prepend(entries)
        if first === lastOfEarlier { lastOfEarlier = entries.last }
      } else if let line = first.line {
        slots.removeFirst()
        waitingBytes -= line.count
        try write(line)
        if first === lastOfEarlier { try catchUp() }
      } else {
        return
      }
    }
  }

  private func catchUp() throws {
    try onCaughtUp?()
    onCaughtUp = nil
  }
}
