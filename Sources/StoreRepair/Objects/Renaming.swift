import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData
import StoreSQLite

/// Gives duplicates a name of their own.
///
/// A name is free when no row of the table has an equal value in that column, compared as the request says. Candidate
/// names are made first and checked in one read of the table; where all candidates of an object are taken, the next
/// round tries twice as many.
struct Renaming {
  private let twins: [Twins]
  private let request: DedupeRequest
  private let bench: Workbench
  private let template: NamePattern

  init(_ twins: [Twins], for request: DedupeRequest, bench: Workbench, template: String) {
    self.twins = twins
    self.request = request
    self.bench = bench
    self.template = NamePattern(template)
  }

  /// An object to rename, with the values of the template's attributes.
  private struct Wish {
    var key: Int64
    var text: [String]
    var next: Int64 = 2
  }

  /// The operations of the renaming, and what prevents it.
  func decision() throws -> Decision {
    guard let (name, column) = target else {
      return refused("no text among \(request.by.map(quoted).joined(separator: ", ")) can be given another value")
    }
    guard template.hasNumber else {
      return refused("the name \(quoted(template.text)) has no {n}, so that it cannot be made free")
    }
    let names = try freeNames(column)
    var edits = ObjectEdits(.dedupe, intention: request.intention("rename", twins: twins))
    edits.update(
      names.map { .init(key: $0.key, values: [.text($0.name)]) }, of: request.entity.table, set: [column],
      entity: request.entity, property: name
    ) { "give \(counted($0, "object")) a free \(quoted(name))" }
    var decision = Decision(operations: edits.operations(.renames))
    decision.obstacles = try UniquenessCheck(bench, decision.operations).obstacles(.dedupe)
    decision.notices = bench.notices(ofDerived: decision.operations)
    return decision
  }

  private func refused(_ why: String) -> Decision {
    Decision(obstacles: [
      Obstacle(
        .dedupe, entity: request.entity.name, count: twins.reduce(0) { $0 + $1.others.count },
        keys: twins.flatMap(\.others), "\(why); use another template, or 'merge' or 'delete' for the others",
        refusesPlan: true)
    ])
  }

  /// The string attribute to change: the first of `by` that the template uses, else the first string of `by`.
  private var target: (name: String, column: String)? {
    guard let name = request.entity.renamed(among: request.by, using: template.names),
      let column = request.entity.uniqueColumns[name]
    else { return nil }
    return (name, column)
  }

  // MARK: What is free

  private func freeNames(_ column: String) throws -> [(key: Int64, name: String)] {
    var wishes = try wishes()
    var given: [(key: Int64, name: String)] = []
    var claimed: Set<KeyValue> = []
    var tries: Int64 = 1
    while !wishes.isEmpty {
      // Objects with the same texts share one sequence of numbers.
      var counts: [[String]: Int64] = [:]
      for wish in wishes { counts[wish.text, default: 0] += 1 }
      let taken = try taken(among: wishes, counts: counts, tries: tries, column: column)
      var next: [[String]: Int64] = [:]
      var left: [Wish] = []
      for wish in wishes {
        var isGiven = false
        let end = wish.next + (counts[wish.text] ?? 1) * tries
        var number = next[wish.text] ?? wish.next
        while number < end, !isGiven {
          let name = template.name(wish.text, number: number)
          let value = seen(name)
          number += 1
          guard !taken.contains(value), claimed.insert(value).inserted else { continue }
          given.append((wish.key, name))
          isGiven = true
        }
        next[wish.text] = number
        if !isGiven { left.append(wish) }
      }
      for index in left.indices { left[index].next = next[left[index].text] ?? left[index].next }
      wishes = left
      tries *= 2
    }
    return given
  }

  private func wishes() throws -> [Wish] {
    let known = request.entity.uniqueColumns
    for name in template.names where known[name] == nil {
      throw UnknownProperty(entity: request.entity.name, name: name, known: Array(known.keys))
    }
    let list = (["Z_PK"] + template.names.compactMap { known[$0] }).map(quotedIdentifier).joined(separator: ", ")
    let rows = try bench.connection.prepare(
      "SELECT \(list) FROM \(quotedIdentifier(request.entity.table)) WHERE Z_PK = ?1")
    return try twins.flatMap(\.others).sorted().compactMap { key in
      rows.reset()
      try rows.bind(key, at: 1)
      guard try rows.step() else { return nil }
      return Wish(key: key, text: template.names.indices.map { rows.string($0 + 1) ?? "" })
    }
  }

  /// Which candidate names some row already has.
  private func taken(
    among wishes: [Wish], counts: [[String]: Int64], tries: Int64, column: String
  ) throws -> Set<KeyValue> {
    var wanted: Set<KeyValue> = []
    var asked: Set<[String]> = []
    for wish in wishes where asked.insert(wish.text).inserted {
      for number in wish.next..<wish.next + (counts[wish.text] ?? 1) * tries {
        wanted.insert(seen(template.name(wish.text, number: number)))
      }
    }
    var taken: Set<KeyValue> = []
    let rows = try bench.connection.prepare(
      "SELECT \(quotedIdentifier(column)) FROM \(quotedIdentifier(request.entity.table)) NOT INDEXED")
    while try rows.step() {
      if let value = KeyValue(rows, 0)?.seen(by: request.comparison), wanted.contains(value) { taken.insert(value) }
    }
    return taken
  }

  private func seen(_ name: String) -> KeyValue { KeyValue.text(Array(name.utf8)).seen(by: request.comparison) }
}

/// A template like "{name} ({n})": attributes in braces, and `{n}` for a number.
private struct NamePattern {
  /// As it was written.
  let text: String
  /// The attributes it uses, each once, in order.
  private(set) var names: [String] = []
  /// Whether it has `{n}`.
  private(set) var hasNumber = false
  private var parts: [Part] = []

  private enum Part { case text(String), attribute(Int), number }

  /// Parses a template; a brace without its counterpart is literal text.
  init(_ text: String) {
    self.text = text
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: open)..<close])
      parts.append(.text(String(rest[..<open])))
      if name == "n" {
        hasNumber = true
        parts.append(.number)
      } else {
        if !names.contains(name) { names.append(name) }
        parts.append(.attribute(names.firstIndex(of: name) ?? 0))
      }
      rest = rest[rest.index(after: close)...]
    }
    parts.append(.text(String(rest)))
  }

  /// The name made from these values, in the order of `names`, and this number.
  func name(_ values: [String], number: Int64) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .attribute(let index): values.indices.contains(index) ? values[index] : ""
      case .number: String(number)
      }
    }.joined()
  }
}
