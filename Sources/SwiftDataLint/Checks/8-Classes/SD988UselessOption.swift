import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let uselessOption = LintCheck(.uselessOption) { subject, say in
    for id in subject.project.models {
      for member in subject.shapes[id]?.members ?? [] {
        for words in member.uselessOptions(in: subject) {
          say.add(
            at: member.stored.place, schema: subject.version(containing: id)?.name, entity: subject.names[id].name,
            property: member.stored.name, message: "\(subject.names[id].name).\(member.stored.name): \(words)")
        }
      }
    }
  }

  static let repeatedMacro = LintCheck(.repeatedMacro) { subject, say in
    for id in subject.project.models {
      let macros = subject.names[id].declaration?.members.macros ?? []
      for name in ["Unique", "Index"] {
        let uses = macros.filter { $0.name == name && $0.condition == .always }
        guard let first = uses.first, let second = uses.dropFirst().first else { continue }
        let file = subject.names[id].file
        say.add(
          at: subject.place(second.span, in: file), schema: subject.version(containing: id)?.name,
          entity: subject.names[id].name,
          message: "\(subject.names[id].name) has a second #\(name): that does not compile",
          notes: [.init("the first one; give it several arrays", at: subject.place(first.span, in: file))],
          fix: subject.project.files[file].merging(second, into: first))
      }
    }
  }

  static let predicateTrap = LintCheck(.predicateTrap) { subject, say in
    for (number, file) in subject.project.files.enumerated() {
      for predicate in file.predicates { subject.sayComposites(in: predicate, number: number, say: &say) }
    }
  }
}

extension SourceFile {
  /// The edits that move the second macro's arrays into the first. They are certain: two macros do not compile, and one
  /// with all arrays means the same.
  fileprivate func merging(_ second: MacroUse, into first: MacroUse) -> SourceFinding.Fix? {
    guard second.types.map(\.description) == first.types.map(\.description),
      (first.arguments + second.arguments).allSatisfy({ $0.label == nil }),
      let end = first.arguments.last?.value.span.end, let start = second.arguments.first?.span.start,
      let last = second.arguments.last?.value.span.end, start <= last, last <= bytes.count
    else { return nil }
    let removed = wholeLines(second.span)
    return SourceFinding.Fix(
      "write one #\(first.name)",
      edits: [
        .init(
          file: path, offset: end, length: 0,
          replacement: ", " + String(decoding: bytes[start..<last], as: UTF8.self)),
        .init(file: path, offset: removed.start, length: removed.end - removed.start, replacement: ""),
      ], isCertain: true)
  }
}

extension ModelMember {
  /// Options that have no effect, or are refused.
  fileprivate func uselessOptions(in subject: LintSubject) -> [String] {
    var words: [String] = []
    if options.allowsExternalStorage, isKnown, !isNamed(["Data"]) {
      words.append(".externalStorage is for Data only")
    }
    if options.isUnique {
      if relationship?.isToMany ?? false { words.append(".unique does not apply to a to-many relationship") }
      if relationship == nil {
        switch stored.type {
        case .declared(let id)? where subject.hasRawValues(id):
          words.append(".unique does not apply to an enum, whose raw value is a composite of one column")
        case .declared?: words.append(".unique does not apply to a struct or enum, which is several columns")
        case .array?, .set?, .dictionary?: words.append(".unique does not apply to a collection, which is one value")
        case .foreign?, .optional?, .failed?, nil: break
        }
      }
    }
    if options.preservesValue, relationship != nil {
      words.append(".preserveValueOnDeletion does not apply to a relationship")
    }
    let macro = stored.variable.attribute("Relationship")
    if relationship == nil, subject.isNoModel(stored.type),
      macro?.arguments.contains(where: { $0.label == "deleteRule" }) ?? false
    {
      words.append("a delete rule does not apply to an attribute")
    }
    return words
  }

  private var isKnown: Bool {
    switch stored.type {
    case .failed?, nil: false
    case .declared?, .foreign?, .array?, .set?, .dictionary?, .optional?: true
    }
  }

  private func isNamed(_ names: Set<String>) -> Bool {
    if case .foreign(let name)? = stored.type { names.contains(name) } else { false }
  }
}

extension LintSubject {
  /// Whether a type is surely none that a relationship leads to: one of the system that is stored, or a struct or enum of
  /// the sources. A class that is not among the files, or of which there are two, may be a model.
  fileprivate func isNoModel(_ type: ResolvedType?) -> Bool {
    switch type {
    case .optional(let inner)?, .array(let inner)?, .set(let inner)?: isNoModel(inner)
    case .foreign(let name)?: ScalarType(name) != nil
    case .declared(let id)?:
      names[id].kind != .class && !project.models.contains { names[$0].name == names[id].name }
    case .dictionary?: true
    case .failed?, nil: false
    }
  }

  /// Reports properties in `#Predicate<Task> { $0.status == status }` that are composites.
  fileprivate func sayComposites(in predicate: PredicateUse, number: Int, say: inout LintFindings) {
    let scope = Scope(file: number, type: names.innermostType(at: predicate.span, file: number))
    guard let id = names.declaredType(predicate.type, in: scope), let shape = shapes[id] else { return }
    var seen: Set<String> = []
    for (path, span) in predicate.members {
      guard let name = path.first, let member = member(name, of: shape), member.relationship == nil,
        case .declared(let composite)? = member.stored.type, !endsInLeaf(path.dropFirst(), of: composite),
        seen.insert(name).inserted
      else { continue }
      let what = names[composite].kind == .enum ? "an enum" : "a struct"
      say.add(
        at: place(span, in: number), entity: shape.name, property: name,
        message: "\(shape.name).\(name) is \(what): a predicate on it fails at run time up to the systems of 2024")
    }
  }

  /// Whether a path ends at a stored member of a struct that is neither struct nor enum.
  private func endsInLeaf(_ path: ArraySlice<String>, of composite: TypeID) -> Bool {
    var current = composite
    for name in path {
      guard names[current].kind == .struct,
        let variable = names[current].declaration?.members.variables.first(where: { $0.name == name }),
        !variable.isStatic, variable.storage != .computed
      else { return false }
      var type = variable.type.map { names.resolve($0, in: Scope(file: names[current].file, type: current)) }
      if case .optional(let wrapped)? = type { type = wrapped }
      guard case .declared(let inner)? = type else { return true }
      current = inner
    }
    return false
  }
}
