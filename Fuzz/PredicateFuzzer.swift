// Fuzzes predicates: text to predicate, the predicate against a model, and what it says of values of every kind.
// Run with Fuzz/run predicate.
//
// The first byte chooses the values; the others are the predicate's text.

import StoreDataModel
import StorePredicates

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let text = String(decoding: UnsafeBufferPointer(start: start + 1, count: count - 1), as: UTF8.self)
  do {
    let predicate = try FetchPredicate(parsing: text)
    let resolved = try predicate.resolved(for: "Note", in: model)
    precondition(Set(resolved.paths).count == resolved.paths.count, "a path occurs twice")
    let choice = Int(start[0])
    let answer = resolved.match { value(of: resolved.paths[$0], choice &+ $0) }
    if let negated = try? FetchPredicate(parsing: "NOT (\(text))").resolved(for: "Note", in: model) {
      let other = negated.match { value(of: negated.paths[$0], choice &+ $0) }
      precondition(
        (answer == .unknown) == (other == .unknown) && (answer == .unknown || answer != other), "NOT differs")
    }
  } catch {
    let length = text.unicodeScalars.count
    precondition(error.column.map { (1...length + 1).contains($0) } ?? true, "the place is outside of the text")
    precondition(!error.message.isEmpty && error.excerpt.map { $0.utf8.count < 2_000 } ?? true)
  }
  return 0
}

/// A value of the path's kind, NULL, or one of another kind.
private func value(of path: ResolvedPath, _ choice: Int) -> PredicateValue {
  let texts = ["", "Crème brûlée", "e\u{301}", "Straße", String(repeating: "ab", count: 40)]
  switch choice % 8 {
  case 0: return .null
  case 1: return .unknown
  case 2: return .data([1, 2])
  default: break
  }
  switch path.end {
  case .count: return .integer(Int64(choice))
  case .object: return .object(key: Int64(choice % 4))
  case .values(_, let rest): return .collection((0..<choice % 4).map { value(of: rest, choice &+ $0) })
  case .attribute(_, _, let type):
    switch type {
    case .string: return .text(texts[choice % texts.count])
    case .uri: return .uri("https://example.org/\(choice)")
    case .double: return .real(Double(choice) / 4)
    case .decimal: return .decimal("\(choice).50")
    case .date: return .date(Double(choice) * 86_400)
    case .boolean: return .boolean(choice % 2 == 0)
    case .uuid: return .uuid([UInt8](repeating: UInt8(truncatingIfNeeded: choice), count: 16))
    default: return .integer(Int64(choice) - 3)
    }
  }
}

private let model: Model = {
  func attribute(_ name: String, _ type: AttributeType) -> Property {
    Property(name: name, kind: .attribute(Attribute(type: type)))
  }
  func relationship(_ name: String, _ destination: String, _ inverse: String, _ most: Int32) -> Property {
    Property(
      name: name,
      kind: .relationship(Relationship(destination: destination, inverse: inverse, maximumCount: most)))
  }
  let note = Entity(
    name: "Note",
    properties: [
      attribute("title", .string), attribute("count", .integer32), attribute("size", .double),
      attribute("price", .decimal), attribute("isDone", .boolean), attribute("createdAt", .date),
      attribute("identifier", .uuid), attribute("link", .uri), relationship("folder", "Folder", "notes", 1),
      relationship("tags", "Tag", "notes", 0),
    ])
  let folder = Entity(
    name: "Folder", properties: [attribute("name", .string), relationship("notes", "Note", "folder", 0)])
  let tag = Entity(
    name: "Tag",
    properties: [attribute("name", .string), attribute("weight", .integer16), relationship("notes", "Note", "tags", 0)])
  do { return try Model(entities: [note, folder, tag]) } catch { preconditionFailure("\(error)") }
}()
