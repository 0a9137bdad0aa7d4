import StoreJSON

/// One change of a report.
extension JSONValue {
  /// Where something stands in a document.
  typealias Place = [Step]

  enum Step: Hashable { case member(String), element(Int) }

  /// Every value that has no others in it.
  var leaves: [Place] { leaves(at: []) }

  private func leaves(at place: Place) -> [Place] {
    switch self {
    case .object(let members): members.sorted { $0.key < $1.key }.flatMap { $1.leaves(at: place + [.member($0)]) }
    case .array(let elements): elements.indices.flatMap { elements[$0].leaves(at: place + [.element($0)]) }
    case .null, .bool, .integer, .number, .string: [place]
    }
  }

  /// The document with another value at a place; nil from `change` takes it out.
  func changed(at place: Place, _ change: (JSONValue) -> JSONValue?) -> JSONValue? {
    guard let first = place.first else { return change(self) }
    let rest = Array(place.dropFirst())
    switch (first, self) {
    case (.member(let name), .object(var members)):
      members[name] = members[name].flatMap { $0.changed(at: rest, change) }
      return .object(members)
    case (.element(let position), .array(var elements)):
      if let changed = elements[position].changed(at: rest, change) {
        elements[position] = changed
      } else {
        elements.remove(at: position)
      }
      return .array(elements)
    case (_, _): return self
    }
  }

  /// Another value of the same kind.
  var another: JSONValue {
    switch self {
    case .null: .integer(1)
    case .bool(let bool): .bool(!bool)
    case .integer(let number): .integer(number &+ 1)
    case .number(let number): .number(number + 1)
    case .string(let text): .string(text.isEmpty ? "x" : String(text.dropLast()) + (text.hasSuffix("y") ? "z" : "y"))
    case .array, .object: .null
    }
  }
}
