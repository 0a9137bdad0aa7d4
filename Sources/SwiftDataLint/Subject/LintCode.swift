import SwiftDataSource

/// Code that several checks examine: closures of stages, functions they call, and handlers of failed containers. Each
/// piece is parsed separately, since syntax trees of whole files would take too much memory.
struct LintCode {
  /// The closures of stages, once read.
  private(set) var bodies: [StageBodies.Key: StageBodies.Body] = [:]
  private let names: NameTable
  private var pieces: [Piece: SourceCode] = [:]
  private var functions: [Home: [String: SourceSpan]] = [:]
  /// The extensions of types that the sources do not declare; nil before they are asked for.
  private var extensions: [TypeID]?
  private var remainingBytes: Int

  /// The most code that is examined, in bytes; its syntax trees take a hundred times that.
  static let maximumBytes = 2 << 20

  private struct Piece: Hashable {
    var file: Int
    var span: SourceSpan
  }

  /// Where functions are declared: a file, or a type's part in a file.
  private struct Home: Hashable {
    var file: Int
    var type: TypeID?
    var part = 0
  }

  init(_ names: NameTable, bytes: Int = maximumBytes) {
    self.names = names
    remainingBytes = bytes
  }

  mutating func add(_ body: StageBodies.Body, for key: StageBodies.Key) { bodies[key] = body }

  /// Nil where the limit would be exceeded.
  mutating func piece(_ span: SourceSpan, as form: SourceCode.Form, in file: Int) -> SourceCode? {
    let piece = Piece(file: file, span: span)
    if let known = pieces[piece] { return known }
    guard span.end - span.start <= remainingBytes, let code = names.code(span, as: form, in: file) else { return nil }
    remainingBytes -= span.end - span.start
    pieces[piece] = code
    return code
  }

  /// The function with a name in a type, an enclosing type, or the file.
  mutating func function(named name: String, in scope: Scope) -> (span: SourceSpan, scope: Scope)? {
    var current = scope.type
    while let id = current {
      if let found = function(named: name, of: id) { return found }
      current = names[id].parent
    }
    return function(name, in: Home(file: scope.file), members: names.files[scope.file].declarations)
      .map { ($0, Scope(file: scope.file)) }
  }

  /// The function that `fill`, `Self.fill` or `Migrator.fill` refers to.
  mutating func function(at path: [String], in scope: Scope) -> (span: SourceSpan, scope: Scope)? {
    guard let name = path.last else { return nil }
    guard path.count > 1, path[0] != "self" else { return function(named: name, in: scope) }
    return names.declaredType(.path(Array(path.dropLast())), in: scope).flatMap { function(named: name, of: $0) }
  }

  /// The function of the sources that a call means, as far as names tell: of the same type or file, of the type that it
  /// is made on, or of an extension of a system's type that no other has.
  mutating func helper(_ name: String, of base: [String]?, in scope: Scope) -> (span: SourceSpan, scope: Scope)? {
    guard let base, base != [], base != ["self"], base != ["Self"] else {
      return base == nil ? functionOfExtension(name) : function(named: name, in: scope) ?? functionOfFiles(name)
    }
    for count in stride(from: base.count, to: 0, by: -1) {
      let path = Array(base.prefix(count))
      let type =
        names.declaredType(.path(path), in: scope) ?? typeOfProperty(path, in: scope)
        ?? (count == 1 ? names.extended(path[0]) : nil)
      guard let type else { continue }
      if let found = function(named: name, of: type) { return found }
    }
    return functionOfExtension(name)
  }

  /// The type of `files` and `self.files`, a property of the type around, as it is declared or as its initial value has
  /// it.
  private func typeOfProperty(_ path: [String], in scope: Scope) -> TypeID? {
    let rest = path.first == "self" ? path.dropFirst() : path[...]
    guard rest.count == 1, let name = rest.first, let owner = scope.type else { return nil }
    for part in names[owner].parts {
      guard let property = part.declaration.members.variables.first(where: { $0.name == name }) else { continue }
      let place = Scope(file: part.file, type: owner)
      if let type = property.type { return names.declaredType(type, in: place) }
      return property.initialValue?.call?.callee.pathNames.flatMap { names.declaredType(.path($0), in: place) }
    }
    return nil
  }

  /// What a call passes to the function of the sources that it means, with the place of that function's code.
  mutating func frame(of call: FunctionCall, in scope: Scope) -> (frame: CallFrame, scope: Scope)? {
    guard let name = call.callee.pathNames?.last ?? call.callee.memberName,
      let helper = helper(name, of: call.callee.base, in: scope),
      let (declaration, owner) = names.declaration(CallSites.Function(file: helper.scope.file, span: helper.span))
    else { return nil }
    let home = Scope(file: helper.scope.file, type: owner)
    let frame = CallFrame(call, of: declaration, declaredIn: home, calledIn: scope)
    return (frame, Scope(file: home.file, type: home.type, frame: frame))
  }

  /// The only function with a name at top level of any file.
  private mutating func functionOfFiles(_ name: String) -> (span: SourceSpan, scope: Scope)? {
    var only: (span: SourceSpan, scope: Scope)?
    for (number, file) in names.files.enumerated() where !file.declarations.functions.isEmpty {
      guard let span = function(name, in: Home(file: number), members: file.declarations) else { continue }
      guard only == nil else { return nil }
      only = (span, Scope(file: number))
    }
    return only
  }

  /// The only function with a name in extensions of types that the sources do not declare: `url.removeStore()`.
  private mutating func functionOfExtension(_ name: String) -> (span: SourceSpan, scope: Scope)? {
    if extensions == nil { extensions = names.types.filter { $0.kind == .extension }.map(\.id) }
    var only: (span: SourceSpan, scope: Scope)?
    for id in extensions ?? [] {
      guard let found = function(named: name, of: id) else { continue }
      guard only == nil else { return nil }
      only = found
    }
    return only
  }

  /// The function with a name in the type itself.
  mutating func function(named name: String, of id: TypeID) -> (span: SourceSpan, scope: Scope)? {
    for (number, part) in names[id].parts.enumerated() {
      let home = Home(file: part.file, type: id, part: number)
      if let span = function(name, in: home, members: part.declaration.members) {
        return (span, Scope(file: part.file, type: id))
      }
    }
    return nil
  }

  private mutating func function(_ name: String, in home: Home, members: SourceMembers) -> SourceSpan? {
    if functions[home] == nil {
      functions[home] = Dictionary(members.functions.map { ($0.name, $0.span) }) { first, _ in first }
    }
    return functions[home]?[name]
  }
}
