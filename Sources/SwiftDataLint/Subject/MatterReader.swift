import StoreText
import SwiftSyntax

/// Tells what flows into the arguments of calls in a handler, and in functions that it calls: by constants, loops and
/// parameters.
struct MatterReader {
  /// The values of the names that the code binds.
  private var bindings: [String: [Syntax]] = [:]
  /// What flows into the parameters of the function; nil in the handler itself, where every name counts.
  private var parameters: [String: CallMatter]?
  /// Whether the name of the function speaks of a store.
  private let isNamedForStore: Bool

  /// Names that say nothing of what is removed.
  private static let idle: Set<String> = ["error", "FileManager", "self", "Self"]

  init(handler: Syntax) {
    isNamedForStore = false
    readBindings(of: handler)
  }

  /// - Parameter parameters: what flows into its parameters, as far as that is known.
  init(function: Syntax, parameters: [String: CallMatter]) {
    self.parameters = parameters
    isNamedForStore = Self.speaksOfStore(function.as(FunctionDeclSyntax.self)?.name.text ?? "")
    readBindings(of: function)
  }

  /// The same for the code of a function that is called here.
  func inside(_ function: Syntax, calledBy call: FunctionCallExprSyntax) -> MatterReader {
    let signature =
      function.as(FunctionDeclSyntax.self)?.signature ?? function.as(InitializerDeclSyntax.self)?.signature
    var rest = Array(signature?.parameterClause.parameters ?? [])[...]
    var parameters: [String: CallMatter] = [:]
    if let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base {
      parameters["self"] = matter(of: [Syntax(base)])
    }
    for argument in call.arguments {
      let label = argument.label?.text ?? "_"
      guard let position = rest.firstIndex(where: { $0.firstName.text == label }) else { continue }
      parameters[(rest[position].secondName ?? rest[position].firstName).text] = matter(of: [
        Syntax(argument.expression)
      ])
      rest = rest[(position + 1)...]
    }
    return MatterReader(function: function, parameters: parameters)
  }

  /// What flows into the arguments of a call.
  func matter(of call: FunctionCallExprSyntax) -> CallMatter {
    var matter = matter(of: call.arguments.map { Syntax($0.expression) })
    matter.speaksOfStore = matter.speaksOfStore || isNamedForStore
    return matter
  }

  /// The names that flow into a value.
  func names(in value: Syntax) -> Set<String> { matter(of: [value]).names }

  private func matter(of values: [Syntax]) -> CallMatter {
    var matter = CallMatter()
    var seen: Set<String> = []
    var rest = values
    while let value = rest.popLast() {
      for node in value.allNodes {
        if let text = node.as(StringLiteralExprSyntax.self)?.representedLiteralValue {
          matter.texts.insert(text)
          matter.speaksOfStore = matter.speaksOfStore || Self.speaksOfStore(text)
          continue
        }
        if let list = node.as(ArrayExprSyntax.self), list.namesMainFile { matter.texts.insert("") }
        if let member = node.as(MemberAccessExprSyntax.self) {
          matter.speaksOfStore = matter.speaksOfStore || Self.speaksOfStore(member.declName.baseName.text)
        }
        // The name of a member is none of the code's own.
        guard let reference = node.as(DeclReferenceExprSyntax.self),
          node.parent?.as(MemberAccessExprSyntax.self)?.declName.id != reference.id,
          seen.insert(reference.baseName.text).inserted
        else { continue }
        let name = reference.baseName.text
        matter.speaksOfStore = matter.speaksOfStore || Self.speaksOfStore(name)
        if let passed = parameters?[name] {
          matter.names.formUnion(passed.names)
          matter.texts.formUnion(passed.texts)
          matter.speaksOfStore = matter.speaksOfStore || passed.speaksOfStore
        } else if let bound = bindings[name] {
          rest += bound
        } else if parameters == nil, !Self.idle.contains(name) {
          matter.names.insert(name)
        }
      }
    }
    // A name of the handler's own counts by itself too.
    if parameters == nil { matter.names.formUnion(seen.subtracting(Self.idle)) }
    return matter
  }

  private mutating func readBindings(of code: Syntax) {
    for node in code.allNodes {
      if let binding = node.as(PatternBindingSyntax.self), let value = binding.initializer?.value {
        bind(binding.pattern, to: value)
      } else if let binding = node.as(OptionalBindingConditionSyntax.self), let value = binding.initializer?.value {
        bind(binding.pattern, to: value)
      } else if let loop = node.as(ForStmtSyntax.self) {
        bind(loop.pattern, to: loop.sequence)
      }
    }
  }

  private mutating func bind(_ pattern: PatternSyntax, to value: ExprSyntax) {
    if let tuple = pattern.as(TuplePatternSyntax.self) {
      // `for (file, name) in files`: which part of the value is which is not told apart.
      for element in tuple.elements { bind(element.pattern, to: value) }
      return
    }
    guard let name = pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { return }
    bindings[name, default: []].append(Syntax(value))
  }

  private static func speaksOfStore(_ word: String) -> Bool {
    let word = word.lowercased()
    return [
      "store", "sqlite", "database", "swiftdata", "applicationsupport", "documentdirectory", "documentsdirectory",
    ]
    .contains { word.contains($0) } || ["db", "-wal", "-shm", ".db"].contains(word)
  }
}

extension ArrayExprSyntax {
  /// Whether it has names of side files, and something else beside them: `[url, url + "-wal", url + "-shm"]`.
  fileprivate var namesMainFile: Bool {
    let sides = elements.filter { element in
      Syntax(element).allNodes.contains { node in
        let text = node.as(StringSegmentSyntax.self)?.content.text ?? ""
        return text.hasSuffix("-wal") || text.hasSuffix("-shm")
      }
    }
    return !sides.isEmpty && sides.count < elements.count
  }
}
