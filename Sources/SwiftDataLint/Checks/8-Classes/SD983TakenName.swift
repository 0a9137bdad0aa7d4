import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let takenName = LintCheck(.takenName) { subject, say in
    let hiding: Set<String> = ["isDeleted", "hasChanges", "modelContext", "hash", "persistentModelID"]
    for id in subject.project.models {
      for member in subject.shapes[id]?.members ?? [] {
        let name = member.stored.name
        guard name == "description" || hiding.contains(name) else { continue }
        say.add(
          name == "description" ? .error : .warning, at: member.stored.place,
          schema: subject.version(containing: id)?.name, entity: subject.names[id].name, property: name,
          message: name == "description"
            ? "a property named description is refused" : "\(name) hides what SwiftData itself calls so")
      }
    }
  }

  static let notPersistable = LintCheck(.notPersistable) { subject, say in
    for id in subject.project.models {
      for member in subject.shapes[id]?.members ?? [] {
        guard let why = subject.obstacle(to: member, of: id) else { continue }
        say.add(
          at: member.stored.place, schema: subject.version(containing: id)?.name, entity: subject.names[id].name,
          property: member.stored.name,
          message: "\(subject.names[id].name).\(member.stored.name) cannot be persisted: \(why)")
      }
    }
  }

  static let modelThatIsNoClass = LintCheck(.modelThatIsNoClass) { subject, say in
    for type in subject.names.types {
      guard let declaration = type.declaration, declaration.has(attribute: "Model"),
        type.kind != .class || declaration.isGeneric
      else { continue }
      let what =
        if type.kind == .class {
          "a generic class"
        } else if type.kind == .struct {
          "a struct"
        } else {
          "no class"
        }
      say.add(
        at: subject.names.place(of: type.id), entity: type.name,
        message: "\(type.name) is \(what), and @Model stands on plain classes only")
    }
  }
}

extension LintSubject {
  private static let wrappers: Set<String> = [
    "Published", "State", "StateObject", "ObservedObject", "Binding", "Bindable", "AppStorage", "SceneStorage",
    "Environment", "EnvironmentObject", "Query", "FocusState", "UserDefault",
  ]

  fileprivate func obstacle(to member: ModelMember, of id: TypeID) -> String? {
    let variable = member.stored.variable
    if variable.modifiers.contains("lazy") { return "it is lazy" }
    for attribute in variable.attributes {
      let scope = Scope(file: names[id].file, type: id)
      let declared = names.declaredType(.path([attribute.name]), in: scope).map { names[$0] }
      if Self.wrappers.contains(attribute.name) || declared?.declaration?.has(attribute: "propertyWrapper") ?? false {
        return "@\(attribute.name) is a property wrapper"
      }
    }
    // A transformer may accept any type.
    guard member.options.transformer == nil else { return nil }
    switch member.stored.type {
    case .failed(.notNominal(let text))?: return "'\(text)' is a tuple, a function or a protocol"
    case .foreign(let name)? where ["Any", "AnyObject", "AnyHashable"].contains(name): return "it may be of any type"
    case .foreign(let name)? where isOfInterface(name), .array(.foreign(let name))? where isOfInterface(name):
      return "\(name) is not Codable"
    case .declared(let type)? where names[type].kind == .protocol: return "\(names[type].name) is a protocol"
    case .declared(let type)?, .array(.declared(let type))?, .set(.declared(let type))?:
      guard names[type].isSurelyNotCodable else { return nil }
      return "\(names[type].name) is \(names[type].kind == .enum ? "an enum" : "a struct") that is not Codable"
    case .foreign?, .array?, .set?, .dictionary?, .optional?, .failed?, nil: return nil
    }
  }
}

extension LintSubject {
  /// Open classes of the system, to which no extension can add `Codable`: its initialiser has to be in the class.
  private static let classesOfInterface: Set<String> = [
    "UIImage", "UIColor", "UIFont", "UIBezierPath", "NSImage", "NSColor", "NSFont", "NSBezierPath",
    "NSAttributedString",
    "NSMutableAttributedString",
  ]
  /// Structs of the system without `Codable`, which an extension may add.
  private static let structsOfInterface: Set<String> = ["Color", "Image", "Font", "Gradient", "Path"]

  /// Whether a type of the system's interface is certainly not `Codable`.
  fileprivate func isOfInterface(_ name: String) -> Bool {
    if Self.classesOfInterface.contains(name) { return true }
    return Self.structsOfInterface.contains(name)
      && !names.types.contains { $0.kind == .extension && $0.qualifiedName == name && !$0.inherited.isEmpty }
  }
}

extension DeclaredType {
  /// Protocols and raw types that do not imply `Codable`.
  private static let withoutCoding: Set<String> = [
    "Equatable", "Hashable", "Comparable", "Identifiable", "Sendable", "CaseIterable", "CustomStringConvertible",
    "CustomDebugStringConvertible", "Error", "LocalizedError", "BitwiseCopyable", "String", "Character", "Int", "Int8",
    "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
  ]
  private static let plainAttributes: Set<String> = ["available", "frozen", "usableFromInline", "MainActor"]

  /// Whether it is certainly not `Codable`: a struct or enum whose conformances are all known, without macros that
  /// could add one.
  fileprivate var isSurelyNotCodable: Bool {
    guard kind == .struct || kind == .enum, let declaration, !declaration.hasError, !declaration.isGeneric else {
      return false
    }
    let areKnown = inherited.allSatisfy { type in
      type.pathNames.map { $0.count == 1 && Self.withoutCoding.contains($0[0]) } ?? false
    }
    return areKnown
      && parts.allSatisfy { part in
        part.declaration.attributes.allSatisfy { Self.plainAttributes.contains($0.name) }
      }
  }
}
