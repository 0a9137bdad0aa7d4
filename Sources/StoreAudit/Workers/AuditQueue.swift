/// A queue of slots; taken from the front, added at either end.
struct AuditQueue {
  private var slots: [AuditSlot?] = []
  private var start = 0

  var count: Int { slots.count - start }
  var isEmpty: Bool { count == 0 }
  var first: AuditSlot? { start < slots.count ? slots[start] : nil }

  mutating func append(_ slot: AuditSlot) { slots.append(slot) }

  mutating func removeFirst() {
    slots[start] = nil
    start += 1
    if start > 1024, start > slots.count / 2 {
      slots.removeFirst(start)
      start = 0
    }
  }

  mutating func prepend(_ added: [AuditSlot]) {
    slots.replaceSubrange(..<start, with: added)
    start = 0
  }
}
