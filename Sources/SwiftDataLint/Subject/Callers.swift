import StoreSwiftDataSchemas
import SwiftDataSource
import SwiftSyntax

/// Finds the calls of a function of the sources, to see who handles what it throws.
struct Callers {
  private let names: NameTable
  private var known: [Function: [Site]] = [:]
  /// The calls of each file that was looked into.
  private var files: [Int: [FunctionCall]] = [:]

  /// A call of a function.
  struct Site {
    let call: FunctionCall
    let scope: Scope
  }

  /// A function or an initialiser of the sources, by its declaration.
  struct Function: Hashable {
    let file: Int
    let span: SourceSpan
  }

  init(_ names: NameTable) { self.names = names }

  func place(of site: Site) -> SourcePlace { names.files[site.scope.file].place(site.call.span) }

  /// The calls of a function anywhere in the sources; nil where it is not known which calls are its own.
  mutating func sites(of function: Function, _ code: inout LintCode) -> [Site]? {
    if let found = known[function] { return found }
    guard let (declaration, owner) = declaration(function) else { return nil }
    // An initialiser is called by its type's name.
    let name = declaration.isInitializer ? owner.map { names[$0].name } : declaration.name
    guard let name else { return nil }
    var found: [Site] = []
    for (number, file) in names.files.enumerated() where file.bytes.mention(name) {
      guard let calls = calls(in: number, &code) else { return nil }
      for call in calls {
        let scope = Scope(file: number, type: names.innermostType(at: call.span, file: number))
        if isCall(call, of: declaration, name, owner: owner, in: scope, from: function.file) {
          found.append(Site(call: call, scope: scope))
        }
      }
    }
    known[function] = found
    return found
  }

  private mutating func calls(in file: Int, _ code: inout LintCode) -> [FunctionCall]? {
    if let known = files[file] { return known }
    let all = SourceSpan(start: 0, end: names.files[file].bytes.count)
    guard let piece = code.piece(all, as: .file, in: file) else { return nil }
    let calls = piece.syntax.allNodes.compactMap { $0.as(FunctionCallExprSyntax.self).flatMap(FunctionCall.init) }
    files[file] = calls
    return calls
  }

  private func declaration(_ function: Function) -> (FunctionDeclaration, owner: TypeID?)? {
    let span = function.span
    if let owner = names.innermostType(at: span, file: function.file) {
      let all = names[owner].parts.filter { $0.file == function.file }.flatMap(\.declaration.members.functions)
      return all.first { $0.span == span }.map { ($0, owner) }
    }
    return names.files[function.file].declarations.functions.first { $0.span == span }.map { ($0, nil) }
  }

  private func isCall(
    _ call: FunctionCall, of declaration: FunctionDeclaration, _ name: String, owner: TypeID?, in scope: Scope,
    from file: Int
  ) -> Bool {
    var labels = declaration.labels[...]
    for argument in call.arguments {
      // Arguments may be left out, and a trailing closure has no label.
      if argument.label == nil, case .closure = argument.value.kind { continue }
      guard let position = labels.firstIndex(of: argument.label ?? "_") else { return false }
      labels = labels[(position + 1)...]
    }
    guard let path = call.callee.pathNames else { return !declaration.isInitializer && call.callee.memberName == name }
    if declaration.isInitializer {
      let type = path.last == "init" ? Array(path.dropLast()) : path
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

extension NameTable {
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
