import StoreSwiftDataSchemas
import SwiftSyntax

/// Finds the calls of a function of the sources: who handles what it throws, and what its parameters are.
package struct CallSites {
  private let names: NameTable
  private var known: [Function: [Site]] = [:]
  /// The calls of each file that was looked into.
  private var files: [Int: [FunctionCall]] = [:]
  private var remainingBytes: Int

  /// The most code that is parsed once more to find calls in it.
  package static let maximumBytes = 8 << 20

  /// A call of a function.
  package struct Site: Sendable {
    package let call: FunctionCall
    package let scope: Scope
  }

  /// A function or an initialiser of the sources, by its declaration.
  package struct Function: Hashable, Sendable {
    package let file: Int
    package let span: SourceSpan

    package init(file: Int, span: SourceSpan) {
      self.file = file
      self.span = span
    }
  }

  package init(_ names: NameTable, bytes: Int = maximumBytes) {
    self.names = names
    remainingBytes = bytes
  }

  package func place(of call: FunctionCall, in file: Int) -> SourcePlace { names.files[file].place(call.span) }

  /// The calls of a function anywhere in the sources; nil where it is not known which calls are its own.
  package mutating func sites(of function: Function) -> [Site]? {
    if let found = known[function] { return found }
    guard let (declaration, owner) = names.declaration(function) else { return nil }
    // An initialiser is called by its type's name.
    let name = declaration.isInitializer ? owner.map { names[$0].name } : declaration.name
    guard let name else { return nil }
    var found: [Site] = []
    for (number, file) in names.files.enumerated() where file.bytes.mention(name) {
      guard let calls = calls(in: number) else { return nil }
      for call in calls {
        let scope = Scope(file: number, type: names.innermostType(at: call.span, file: number))
        if isCall(call, of: declaration, name, owner: owner, in: scope) { found.append(Site(call: call, scope: scope)) }
      }
    }
    known[function] = found
    return found
  }

  /// The call at a span of a file.
  package mutating func call(at span: SourceSpan, in file: Int) -> FunctionCall? {
    calls(in: file)?.first { $0.span == span }
  }

  /// The calls of a parameter, which is a closure, in the function that it belongs to.
  package mutating func calls(ofParameter name: String, of function: Function) -> [FunctionCall]? {
    calls(in: function.file)?.filter { function.span.contains($0.span) && $0.callee.pathNames == [name] }
  }

  private mutating func calls(in file: Int) -> [FunctionCall]? {
    if let known = files[file] { return known }
    let count = names.files[file].bytes.count
    guard count <= remainingBytes, let piece = names.code(SourceSpan(start: 0, end: count), as: .file, in: file) else {
      return nil
    }
    remainingBytes -= count
    var failures = FailureReader()
    let calls = piece.syntax.allNodes.compactMap { node in
      node.as(FunctionCallExprSyntax.self).flatMap { FunctionCall($0, &failures) }
    }
    files[file] = calls
    return calls
  }

  private func isCall(
    _ call: FunctionCall, of declaration: FunctionDeclaration, _ name: String, owner: TypeID?, in scope: Scope
  ) -> Bool {
    guard declaration.takes(call.arguments) else { return false }
    guard let path = call.callee.pathNames else { return !declaration.isInitializer && call.callee.memberName == name }
    if declaration.isInitializer {
      let type = path.last == "init" ? Array(path.dropLast()) : path
      if type == ["self"] || type == ["Self"] { return scope.type == owner }
      return names.declaredType(.path(type), in: scope) == owner
    }
    guard path.last == name else { return false }
    if path.count == 1 {
      guard let owner else { return true }
      return names.isWithin(owner, scope.type)
    }
    guard let declared = names.declaredType(.path(Array(path.dropLast())), in: scope) else { return true }
    return declared == owner
  }
}

extension FunctionDeclaration {
  /// Whether the labels of a call's arguments fit the parameters. Arguments may be left out, and a trailing closure has
  /// no label.
  fileprivate func takes(_ arguments: [SourceArgument]) -> Bool {
    var labels = labels[...]
    for argument in arguments {
      if argument.label == nil, case .closure = argument.value.kind { continue }
      guard let position = labels.firstIndex(of: argument.label ?? "_") else { return false }
      labels = labels[(position + 1)...]
    }
    return true
  }
}

extension NameTable {
  /// All functions and initialisers of the sources.
  package var functions: [CallSites.Function] {
    let top = files.enumerated().flatMap { number, file in
      file.declarations.functions.map { CallSites.Function(file: number, span: $0.span) }
    }
    return types.flatMap(\.parts).reduce(into: top) { all, part in
      all += part.declaration.members.functions.map { CallSites.Function(file: part.file, span: $0.span) }
    }
  }

  /// A function with the type that it is a member of.
  package func declaration(_ function: CallSites.Function) -> (declaration: FunctionDeclaration, owner: TypeID?)? {
    if let owner = innermostType(at: function.span, file: function.file) {
      let all = self[owner].parts.filter { $0.file == function.file }.flatMap(\.declaration.members.functions)
      return all.first { $0.span == function.span }.map { ($0, owner) }
    }
    return files[function.file].declarations.functions.first { $0.span == function.span }.map { ($0, nil) }
  }

  /// Whether a type is another one, or stands inside of it.
  fileprivate func isWithin(_ outer: TypeID, _ inner: TypeID?) -> Bool {
    var current = inner
    while let id = current {
      if id == outer { return true }
      current = self[id].parent
    }
    return false
  }
}

extension [UInt8] {
  /// Whether the bytes contain a word.
  fileprivate func mention(_ word: String) -> Bool {
    let wanted = Array(word.utf8)
    guard let first = wanted.first else { return true }
    return withUnsafeBufferPointer { bytes in
      bytes.indices.contains { bytes[$0] == first && bytes[$0...].starts(with: wanted) }
    }
  }
}
