import StoreSwiftDataSchemas
import SwiftSyntax

/// Chooses what is kept of one type: stored members, cases, `#Unique` and `#Index`, and an initialiser that only assigns.
struct DeclarationCopier {
  let table: NameTable
  let id: TypeID
  let type: DeclaredType
  let declaration: TypeDeclaration
  private let code: SourceCode
  private let scope: Scope

  private(set) var copy: CopiedDeclaration
  private(set) var needed: [TypeID] = []
  private(set) var obstacles: [SourceProblem] = []
  private(set) var notes: [SourceProblem] = []
  private(set) var foreign: Set<String> = []
  private(set) var made: [(id: TypeID, place: SourcePlace)] = []
  private(set) var constants: [OwnConstant] = []

  /// Nil for a type that the sources do not declare.
  init?(_ id: TypeID, in table: NameTable) {
    guard table[id].declaration != nil, let part = table[id].parts.first else { return nil }
    self.init(id, part: part, in: table)
  }

  /// Reads one part of a type: its declaration, or an extension.
  private init?(_ id: TypeID, part: DeclaredType.Part, in table: NameTable) {
    guard let code = table.code(part.declaration.span, as: .function, in: part.file) else { return nil }
    self.table = table
    self.id = id
    self.code = code
    declaration = part.declaration
    type = table[id]
    scope = Scope(file: part.file, type: id)
    copy = CopiedDeclaration(id: id)
  }

  /// Reads the part of a type that declares a constant, and its text as it is copied.
  static func constant(_ constant: OwnConstant, in table: NameTable) -> (copier: Self, text: CopiedText)? {
    for part in table[constant.home].parts {
      let variables = part.declaration.members.variables
      guard let variable = variables.first(where: { $0.isStatic && $0.name == constant.name }),
        var copier = Self(constant.home, part: part, in: table), let text = copier.constant(variable)
      else { continue }
      return (copier, text)
    }
    return nil
  }

  mutating func read() {
    guard let group = code.syntax.asProtocol(DeclGroupSyntax.self) else { return }
    if declaration.isGeneric {
      refuse("'\(type.name)' is generic, which no copy was made of yet", at: declaration.nameSpan)
    }
    checkCoding()
    for item in Self.items(group.memberBlock.members) { read(item) }
  }

  private mutating func refuse(_ message: String, at span: SourceSpan) {
    obstacles.append(SourceProblem(message, at: table.files[scope.file].place(span)))
  }

  /// The members, with those inside of `#if`.
  private static func items(_ list: MemberBlockItemListSyntax, depth: Int = 0) -> [DeclSyntax] {
    list.flatMap { item -> [DeclSyntax] in
      guard let config = item.decl.as(IfConfigDeclSyntax.self), depth < 16 else { return [item.decl] }
      return config.clauses.flatMap { clause -> [DeclSyntax] in
        if case .decls(let list)? = clause.elements { items(list, depth: depth + 1) } else { [] }
      }
    }
  }

  private mutating func read(_ item: DeclSyntax) {
    let span = code.span(item)
    let members = declaration.members
    if members.functions.contains(where: { $0.span == span }), readCoding(item, at: span) { return }
    if let variable = item.as(VariableDeclSyntax.self) {
      guard let first = members.variables.first(where: { $0.span == span }), Self.isKept(first) else { return }
      read(variable, variables: members.variables.filter { $0.span == span })
    } else if item.is(EnumCaseDeclSyntax.self) {
      guard let known = members.cases.first(where: { span.contains($0.span) }) else { return }
      refuseUndecided(known.condition, at: span)
      keep(item, at: span)
    } else if let macro = item.as(MacroExpansionDeclSyntax.self) {
      guard members.macros.contains(where: { $0.span == span }), ["Unique", "Index"].contains(macro.macroName.text)
      else {
        return
      }
      keep(item, at: span)
    } else if let initializer = item.as(InitializerDeclSyntax.self) {
      guard members.functions.contains(where: { $0.span == span }), type.kind != .enum else { return }
      read(initializer, at: span)
    } else if let child = type.children.values.joined().first(where: { child in
      table[child].file == scope.file && table[child].declaration?.span == span
    }) {
      copy.members.append(.type(child))
      // Which keys a value is stored under.
      if table[child].conforms(to: "CodingKey") { needed.append(child) }
    }
  }

  /// Reads one constant of the type: its text as it is copied.
  mutating func constant(_ variable: VariableDeclaration) -> CopiedText? {
    guard let group = code.syntax.asProtocol(DeclGroupSyntax.self),
      let syntax = Self.items(group.memberBlock.members).first(where: { code.span($0) == variable.span })
    else { return nil }
    return text(syntax, at: variable.span, expected: id)
  }

  static func isKept(_ variable: VariableDeclaration) -> Bool {
    variable.storage != .computed && !variable.isStatic && variable.attribute("Transient") == nil
  }

  private mutating func refuseUndecided(_ condition: BuildCondition, at span: SourceSpan) {
    if case .undecided(let text) = condition { refuse("it depends on '\(text)'; decide it with --define", at: span) }
  }

  /// Coding of its own decides what is stored, and is copied if it uses nothing but members and the coder.
  private mutating func checkCoding() {
    guard type.kind != .class else { return }
    for part in type.parts.dropFirst() {
      for function in part.declaration.members.functions
      where function.name == "encode" && function.labels == ["to"]
        || function.name == "init" && function.labels == ["from"]
      {
        refuseCoding(function.span, in: part.file)
      }
    }
  }

  private mutating func refuseCoding(_ span: SourceSpan, in file: Int) {
    obstacles.append(
      SourceProblem(
        "'\(type.name)' is coded by code of its own, which decides what is stored; write this copy by hand",
        at: table.files[file].place(span)))
  }

  /// Whether it is `encode(to:)` or `init(from:)` of a value; then it is copied or refused.
  private mutating func readCoding(_ item: DeclSyntax, at span: SourceSpan) -> Bool {
    let signature: FunctionSignatureSyntax
    if let function = item.as(FunctionDeclSyntax.self), function.name.text == "encode" {
      signature = function.signature
    } else if let initializer = item.as(InitializerDeclSyntax.self) {
      signature = initializer.signature
    } else {
      return false
    }
    let coders: Set<String> = ["Encoder", "Decoder"]
    guard type.kind != .class, let parameter = signature.parameterClause.parameters.first,
      signature.parameterClause.parameters.count == 1, ["to", "from"].contains(parameter.firstName.text),
      !coders.isDisjoint(
        with: parameter.type.trimmedDescription.split(whereSeparator: { !$0.isLetter }).map(String.init))
    else { return false }
    let names = LocalNames(viewMode: .sourceAccurate)
    names.walk(item)
    var locals = names.found.union(declaration.members.variables.filter(Self.isKept).map(\.name))
    locals.formUnion(["self", (parameter.secondName ?? parameter.firstName).plainText])
    let finder = ReferenceFinder(table: table, code: code, scope: scope, locals: locals, isCoding: true)
    if let function = item.as(FunctionDeclSyntax.self), let body = function.body { finder.walk(body) }
    if let initializer = item.as(InitializerDeclSyntax.self), let body = initializer.body { finder.walk(body) }
    guard finder.obstacles.isEmpty else {
      refuseCoding(span, in: scope.file)
      return true
    }
    needed += finder.needed
    foreign.formUnion(finder.foreign)
    copy.members.append(.text(CopiedText(file: scope.file, span: span, changes: finder.changes)))
    return true
  }

  // MARK: Members

  private mutating func keep(_ node: some SyntaxProtocol, at span: SourceSpan) {
    copy.members.append(.text(text(node, at: span)))
  }

  private mutating func text(
    _ node: some SyntaxProtocol, at span: SourceSpan, locals: Set<String> = [], expected: TypeID? = nil
  ) -> CopiedText {
    let finder = ReferenceFinder(table: table, code: code, scope: scope, locals: locals, expected: expected)
    finder.walk(node)
    needed += finder.needed
    obstacles += finder.obstacles
    notes += finder.notes
    foreign.formUnion(finder.foreign)
    made += finder.made
    constants += finder.constants
    return CopiedText(file: scope.file, span: span, changes: finder.changes)
  }

  private mutating func read(_ syntax: VariableDeclSyntax, variables: [VariableDeclaration]) {
    let span = code.span(syntax)
    refuseUndecided(variables.first?.condition ?? .always, at: span)
    let resolved = variables.first?.type.map { table.resolve($0, in: scope) }
    var expected: TypeID?
    switch resolved {
    case .declared(let id)?, .optional(.declared(let id))?, .array(.declared(let id))?, .set(.declared(let id))?,
      .optional(.array(.declared(let id)))?:
      expected = id
    default: break
    }
    var whole = text(syntax, at: span, expected: expected)
    for binding in syntax.bindings {
      guard let block = binding.accessorBlock else { continue }
      // Observers are code.
      let removed = code.span(block)
      whole.changes.removeAll { removed.contains($0.span) }
      let before = block.previousToken(viewMode: .sourceAccurate).map { code.span($0).end } ?? removed.start
      whole.changes.append((SourceSpan(start: before, end: removed.end), .text("")))
    }
    whole.changes.sort { $0.span.start < $1.span.start }
    copy.members.append(.text(whole))
    for variable in variables {
      let type = variable.typeSpan.map { span in
        CopiedText(file: scope.file, span: span, changes: whole.changes.filter { span.contains($0.span) })
      }
      var isOptional = false
      var isArray = false
      switch variable.type.map({ table.resolve($0, in: scope) }) {
      case .optional?: isOptional = true
      case .array?: isArray = true
      default: break
      }
      copy.stored.append(
        CopiedMember(
          name: variable.name, type: type, isOptional: isOptional, isArray: isArray,
          hasValue: variable.initialValue != nil))
    }
  }

  // MARK: Initialisers

  private mutating func read(_ syntax: InitializerDeclSyntax, at span: SourceSpan) {
    guard let text = plain(syntax, at: span) else {
      copy.leftInitializer = span
      return
    }
    copy.initializers.append(text)
  }

  /// The initialiser if it does nothing but give values to members that are kept; nil otherwise.
  private mutating func plain(_ syntax: InitializerDeclSyntax, at span: SourceSpan) -> CopiedText? {
    guard let body = syntax.body, syntax.genericParameterClause == nil, syntax.optionalMark == nil,
      !syntax.modifiers.contains(where: { ["convenience", "override", "required"].contains($0.name.text) }),
      syntax.attributes.isEmpty, syntax.signature.effectSpecifiers == nil
    else { return nil }
    let parameters = syntax.signature.parameterClause.parameters
    let locals = Set(parameters.map { ($0.secondName ?? $0.firstName).plainText })
    let members = declaration.members.variables.filter(Self.isKept)
    var assigned: Set<String> = []
    let before = (needed, obstacles, notes, foreign, made, constants)
    var changes: [(span: SourceSpan, change: CopiedText.Change)] = []
    func add(_ text: CopiedText) { changes += text.changes }
    for parameter in parameters {
      add(text(parameter.type, at: code.span(parameter.type)))
      guard let value = parameter.defaultValue else { continue }
      let id: TypeID? =
        switch table.resolve(TypeName(parameter.type), in: scope) {
        case .declared(let id), .optional(.declared(let id)): id
        default: nil
        }
      add(text(value.value, at: code.span(value.value), expected: id))
    }
    var isPlain = true
    for statement in body.statements {
      guard let (name, value) = assignment(statement.item, locals: locals),
        let member = members.first(where: { $0.name == name })
      else {
        isPlain = false
        break
      }
      assigned.insert(name)
      let id: TypeID? =
        switch member.type.map({ table.resolve($0, in: scope) }) {
        case .declared(let id)?, .optional(.declared(let id))?: id
        default: nil
        }
      add(text(value, at: code.span(value), locals: locals, expected: id))
    }
    let missing = members.contains { member in
      guard member.initialValue == nil, !assigned.contains(member.name), let type = member.type else { return false }
      if case .optional = table.resolve(type, in: scope), !member.isConstant { return false }
      return true
    }
    guard isPlain, !missing, obstacles.count == before.1.count else {
      (needed, obstacles, notes, foreign, made, constants) = before
      return nil
    }
    return CopiedText(file: scope.file, span: span, changes: changes.sorted { $0.span.start < $1.span.start })
  }

  /// `self.name = value`, or `name = value` where no parameter has the name.
  private func assignment(_ item: CodeBlockItemSyntax.Item, locals: Set<String>) -> (String, ExprSyntax)? {
    guard case .expr(let expression) = item, let sequence = expression.as(SequenceExprSyntax.self) else { return nil }
    let parts = Array(sequence.elements)
    guard parts.count == 3, parts[1].is(AssignmentExprSyntax.self) else { return nil }
    if let member = parts[0].as(MemberAccessExprSyntax.self),
      member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text == "self"
    {
      return (member.declName.baseName.plainText, parts[2])
    }
    guard let name = parts[0].as(DeclReferenceExprSyntax.self)?.baseName.plainText, !locals.contains(name) else {
      return nil
    }
    return (name, parts[2])
  }
}

/// The names that `let` and `var` bind in a body.
private final class LocalNames: SyntaxVisitor {
  private(set) var found: Set<String> = []

  override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
    found.insert(node.identifier.plainText)
    return .skipChildren
  }
}
