// Sharing can make a small list a huge tree: 40 arrays, each holding the next one twice, take 202 bytes and have 2⁴⁰
// leaves. So the size of the tree is computed first, object by object, and only a small one is built.

extension PropertyList.Node {
  /// This object and everything below it as a tree, with shared objects copied to each place.
  ///
  /// Of the values under a key that occurs twice the first is taken. A `CF$UID` dictionary of an XML list becomes a
  /// UID, as Apple's reader makes it.
  ///
  /// - Throws: ``PropertyListError`` when a container contains itself, when the tree would be deeper or larger than
  ///   the list's limits, or when an integer needs more than 64 bits.
  package func value() throws(PropertyListError) -> PropertyListValue {
    try checkExpansion()
    return try expanded()
  }

  /// Recursive, but only after the depth has been checked.
  private func expanded() throws(PropertyListError) -> PropertyListValue {
    switch content {
    case .null: return .null
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .unsigned(let value): return .unsigned(value)
    case .huge: throw PropertyListError("an integer of more than 64 bits", at: offset)
    case .real(let value): return .real(value)
    case .date(let value): return .date(value)
    case .data: return .data(data ?? [])
    case .utf8, .utf16BigEndian: return .string(string ?? "")
    case .uid(let value): return .uid(value)
    case .array: return .array(try expandedElements())
    case .set: return .set(try expandedElements())
    case .dictionary:
      if format == .xml, let uid { return .uid(uid) }
      var values: [String: PropertyListValue] = [:]
      for (key, node) in entries ?? [] where values[key] == nil { values[key] = try node.expanded() }
      return .dictionary(values)
    }
  }

  private func expandedElements() throws(PropertyListError) -> [PropertyListValue] {
    var values: [PropertyListValue] = []
    for element in elements ?? [] { values.append(try element.expanded()) }
    return values
  }
}

/// How large an object is as a tree.
private struct Extent {
  var objects = 1
  var bytes = 0
  var depth = 0

  mutating func contain(_ child: Extent) {
    objects = objects.saturatingAdd(child.objects)
    bytes = bytes.saturatingAdd(child.bytes)
    depth = max(depth, child.depth + 1)
  }
}

extension PropertyList.Node {
  /// Checks that the tree below this object is finite and within the list's limits.
  ///
  /// Depth first without recursion, each container once: `known` remembers finished ones, and a container that is
  /// reached while still open contains itself.
  func checkExpansion() throws(PropertyListError) {
    var known: [Knowledge] = Array(repeating: .nothing, count: table.objects.count)
    var parents: [Visit] = []
    var visit = Visit(of: self)
    known[index] = .open

    while true {
      guard let child = visit.nextChild(in: table) else {
        try table.limits.check(visit.extent, at: table.objects[visit.index].offset)
        known[visit.index] = .extent(visit.extent)
        guard var parent = parents.popLast() else { return }
        parent.extent.contain(visit.extent)
        visit = parent
        continue
      }
      let content = table.objects[child].content
      guard content.children != nil else {
        visit.extent.contain(Extent(bytes: content.byteCount, depth: -1))
        continue
      }
      switch known[child] {
      case .extent(let extent): visit.extent.contain(extent)
      case .open:
        throw PropertyListError("a container that contains itself", at: table.objects[child].offset)
      case .nothing:
        known[child] = .open
        parents.append(visit)
        visit = Visit(of: PropertyList.Node(table: table, format: format, index: child))
      }
    }
  }
}

/// The facts known about a container while a tree is measured.
private enum Knowledge {
  case nothing
  case open
  case extent(Extent)
}

/// A container whose children are being measured.
private struct Visit {
  let index: Int
  var extent: Extent
  private var rest: Range<Int>

  init(of node: PropertyList.Node) {
    index = node.index
    rest = node.content.children ?? 0..<0
    extent = Extent(bytes: node.content.byteCount, depth: node.content.children == nil ? 0 : 1)
  }

  mutating func nextChild(in table: ObjectTable) -> Int? {
    rest.popFirst().map { Int(table.references[$0]) }
  }
}

extension PropertyList.Limits {
  fileprivate func check(_ extent: Extent, at offset: Int) throws(PropertyListError) {
    if extent.depth > depthLimit {
      throw PropertyListError("containers nested deeper than the limit of \(depthLimit)", at: offset)
    }
    if extent.objects > references {
      throw PropertyListError("shared objects expand to more than the limit of \(references)", at: offset)
    }
    if extent.bytes > bytes {
      throw PropertyListError("shared strings and data expand to more than \(bytes) bytes", at: offset)
    }
  }
}

extension Int {
  fileprivate func saturatingAdd(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
