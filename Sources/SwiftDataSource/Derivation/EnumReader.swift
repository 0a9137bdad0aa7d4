import StoreDataModel

/// Reads the enums that properties of a class are of: their names and cases are in no model.
struct EnumReader {
  let table: NameTable
  /// Stored members of structs that were read before.
  let members: (TypeID) -> [StoredMember]

  private static let maximumDepth = 8
  /// Of one class: more is no code that a person wrote.
  private static let maximumCases = 2_000
  private static let longestCase = 200
  /// What an enum of plain cases can be given without writing anything for it.
  private static let plainConformances = ["CaseIterable", "Hashable", "Equatable", "Sendable"]

  /// By the property's name; of what is within a struct by a path: "place.kind".
  func enums(of shape: ClassShape) -> [String: SwiftDataEnum] {
    var found: [String: SwiftDataEnum] = [:]
    var remaining = Self.maximumCases
    for member in shape.members where member.options.transformer == nil {
      read(member.stored, at: member.stored.name, into: &found, &remaining, depth: 0)
    }
    return found
  }

  private func read(
    _ member: StoredMember, at path: String, into found: inout [String: SwiftDataEnum], _ remaining: inout Int,
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
      for field in members(id) { read(field, at: "\(path).\(field.name)", into: &found, &remaining, depth: depth + 1) }
    case .class, .actor, .protocol, .extension: return
    }
  }

  /// Nil for an enum whose cases depend on the build, or are more than names and raw values.
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
      // `case good, bad`: the comma is part of the first.
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

  /// `var mood: Mood = .good`
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
