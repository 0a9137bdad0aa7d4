import StoreDataModel

/// Reads the enums that a class's properties use, since no model contains their names and cases.
struct EnumReader {
  let table: NameTable
  /// The stored members of a struct.
  let members: (TypeID) -> [StoredMember]

  private static let maximumDepth = 8
  /// The most cases for one class, more than anybody writes.
  private static let maximumCases = 2_000
  private static let longestCase = 200
  /// Protocols to which an enum of plain cases can conform without code.
  private static let plainConformances = ["CaseIterable", "Hashable", "Equatable", "Sendable"]

  /// The enums by property, or by a path for one inside of a struct: "place.kind".
  func enums(of shape: ClassShape) -> [String: SwiftDataEnum] {
    var found: [String: SwiftDataEnum] = [:]
    var remaining = Self.maximumCases
    for member in shape.members where member.options.transformer == nil {
      read(member.stored, at: member.stored.name, into: &found, remaining: &remaining, depth: 0)
    }
    return found
  }

  private func read(
    _ member: StoredMember, at path: String, into found: inout [String: SwiftDataEnum], remaining: inout Int,
    depth: Int
  ) {
    guard depth < Self.maximumDepth, remaining > 0, case .declared(let id)? = member.type else { return }
    remaining -= 1
    switch table[id].kind {
    case .enum:
      guard var read = type(id) else { return }
      remaining -= read.cases.count
      read.initialCase = initialCase(member, of: id)
      if remaining >= 0 { found[path] = read }
    case .struct:
      for field in members(id) {
        read(field, at: "\(path).\(field.name)", into: &found, remaining: &remaining, depth: depth + 1)
      }
    case .class, .actor, .protocol, .extension: return
    }
  }

  /// Nil for an enum whose cases depend on the build, or have more than names and raw values.
  private func type(_ id: TypeID) -> SwiftDataEnum? {
    let type = table[id]
    guard let declaration = type.declaration else { return nil }
    let cases = declaration.members.cases
    guard !cases.isEmpty, cases.allSatisfy({ !$0.hasPayload && $0.condition == .always }) else { return nil }
    let bytes = table.files[type.file].bytes
    let texts = cases.compactMap { each -> String? in
      guard each.span.start <= each.span.end, each.span.end <= bytes.count,
        each.span.end - each.span.start <= Self.longestCase
      else { return nil }
      // In `case good, bad` the comma is part of the first case.
      let text = String(decoding: bytes[each.span.start..<each.span.end], as: UTF8.self)
        .trimmingSuffix { ", ".contains($0) }
      return text.contains(where: \.isNewline) ? nil : text
    }
    guard texts.count == cases.count else { return nil }
    let inherited = Set(type.inherited.compactMap(\.lastName))
    return SwiftDataEnum(
      qualifiedName: type.qualifiedName, rawType: table.rawType(of: id),
      conformances: Self.plainConformances.filter(inherited.contains), cases: texts)
  }

  /// The case of an initial value: `var mood: Mood = .good`.
  private func initialCase(_ member: StoredMember, of id: TypeID) -> String? {
    guard case .member(_, let component)? = member.variable.initialValue?.kind,
      table[id].declaration?.members.cases.contains(where: { $0.name == component.name }) ?? false
    else { return nil }
    return component.name
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
    String(reversed().drop(while: isTrimmed).reversed())
  }
}
