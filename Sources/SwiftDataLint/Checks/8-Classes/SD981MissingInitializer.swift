import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let missingInitializer = LintCheck(.missingInitializer) { subject, say in
    for id in subject.project.models {
      guard let declaration = subject.names[id].declaration,
        !declaration.members.functions.contains(where: \.isInitializer)
      else { continue }
      let empty = declaration.members.variables.filter { $0.needsValue && $0.attribute("Transient") == nil }
      guard !empty.isEmpty else {
        if declaration.isWithoutInitializer(superclass: subject.names.superclass(of: id)) {
          say.add(
            at: subject.names.place(of: id), schema: subject.version(containing: id)?.name,
            entity: subject.names[id].name,
            message:
              "\(subject.names[id].name) has no initialiser, which @Model requires also where every property has "
              + "a value: that does not compile")
        }
        continue
      }
      let names = empty.map(\.name)
      say.add(
        at: subject.names.place(of: id), schema: subject.version(containing: id)?.name, entity: subject.names[id].name,
        property: names.count == 1 ? names[0] : nil,
        message: "\(subject.names[id].name) has no initialiser, and \(listed(names)) no value: that does not compile",
        notes: empty.prefix(4).map {
          .init("\($0.name) stands here", at: subject.place($0.nameSpan, in: subject.names[id].file))
        })
    }
  }

  static let transientWithoutDefault = LintCheck(.transientWithoutDefault) { subject, say in
    for id in subject.project.models {
      for variable in subject.names[id].declaration?.members.variables ?? []
      where variable.attribute("Transient") != nil && variable.needsValue {
        say.add(
          at: subject.place(variable.nameSpan, in: subject.names[id].file),
          schema: subject.version(containing: id)?.name, entity: subject.names[id].name, property: variable.name,
          message: "\(subject.names[id].name).\(variable.name) is transient and has no value to start with")
      }
    }
  }

  static let observers = LintCheck(.observers) { subject, say in
    for id in subject.project.models {
      for member in subject.shapes[id]?.members ?? [] where member.stored.variable.storage == .observed {
        say.add(
          at: member.stored.place, schema: subject.version(containing: id)?.name, entity: subject.names[id].name,
          property: member.stored.name,
          message: "the observers of \(subject.names[id].name).\(member.stored.name) are not called as you expect")
      }
    }
  }
}

extension TypeDeclaration {
  /// Attributes of a class that add no members.
  private static let silentAttributes: Set<String> = [
    "Model", "available", "MainActor", "objc", "objcMembers", "unchecked",
  ]

  /// Whether it surely gets no initialiser: it inherits none, and no other macro adds one. Whether the macro accepts an
  /// inherited one is not known.
  fileprivate func isWithoutInitializer(superclass: TypeID?) -> Bool {
    superclass == nil && !isGeneric && !hasError && attributes.allSatisfy { Self.silentAttributes.contains($0.name) }
  }
}

extension VariableDeclaration {
  /// Whether an initialiser has to set it.
  fileprivate var needsValue: Bool {
    guard storage != .computed, !isStatic, initialValue == nil, !modifiers.contains("lazy"), !name.isEmpty else {
      return false
    }
    switch type {
    case .optional?, nil: return false
    case .named(let parts)?: return parts.last?.name != "Optional"
    case .array?, .dictionary?, .other?: return true
    }
  }
}
