import StoreDataModel
import StoreSwiftDataSchemas
import SwiftSyntax

/// Walks one declaration that is copied, and notes which names in it have to be written differently, which types it
/// needs, and what in it is code of the app that no copy can hold.
final class ReferenceFinder: SyntaxVisitor {
  private let table: NameTable
  private let code: SourceCode
  private let scope: Scope
  /// Names of parameters, and `self` in an initialiser.
  private let locals: Set<String>
  /// The type whose members `.name` means, if the sources declare it.
  private var expected: TypeID?
  /// Whether members of local names are known to be no code of the app: in code that only encodes and decodes.
  private let isCoding: Bool

  private(set) var changes: [(span: SourceSpan, change: CopiedText.Change)] = []
  private(set) var needed: [TypeID] = []
  private(set) var obstacles: [SourceProblem] = []
  private(set) var notes: [SourceProblem] = []
  private(set) var foreign: Set<String> = []
  /// The constants that are more than a literal; the copy takes them along with their types.
  private(set) var constants: [OwnConstant] = []
  /// The structs that are made by a call.
  private(set) var made: [(id: TypeID, place: SourcePlace)] = []

  init(
    table: NameTable, code: SourceCode, scope: Scope, locals: Set<String> = [], expected: TypeID? = nil,
    isCoding: Bool = false
  ) {
    self.isCoding = isCoding
    self.table = table
    self.code = code
    self.scope = scope
    self.locals = locals
    self.expected = expected
    super.init(viewMode: .sourceAccurate)
  }

  private func place(_ node: some SyntaxProtocol) -> SourcePlace { table.files[scope.file].place(code.span(node)) }

  private func refuse(_ message: String, at node: some SyntaxProtocol) {
    obstacles.append(SourceProblem(message, at: place(node)))
  }

  private func change(_ span: SourceSpan, change: CopiedText.Change) { changes.append((span, change)) }

  // MARK: Macros

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
    if case .argumentList(let arguments)? = node.arguments {
      for argument in arguments { option(argument.expression) }
    }
    return .skipChildren
  }

  private func option(_ expression: ExprSyntax) {
    if let call = expression.as(FunctionCallExprSyntax.self),
      call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "transformable"
    {
      if call.arguments.first?.expression.is(StringLiteralExprSyntax.self) != true {
        notes.append(
          SourceProblem("the copy refers to the app's transformer, which has to stay as it is", at: place(call)))
      }
    } else if expression.is(MemberAccessExprSyntax.self) {
      // `.unique`, `.cascade`
    } else {
      walk(expression)
    }
  }

  // MARK: Types

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind { type(TypeSyntax(node)) }
  override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind { type(TypeSyntax(node)) }

  private func type(_ node: TypeSyntax) -> SyntaxVisitorContinueKind {
    let written = TypeName(node)
    guard let path = written.pathNames else {
      // `Set<Tag>`: the arguments are looked at separately.
      if let name = written.lastName, !Self.collections.contains(name) {
        refuse("'\(written)' is generic, which no copy was made of yet", at: node)
      } else if let name = node.as(IdentifierTypeSyntax.self)?.name {
        change(code.span(name), change: .foreign(name.plainText))
      }
      return .visitChildren
    }
    switch table.resolve(written, in: scope) {
    case .declared(let id): use(id, written: path, at: node)
    case .foreign(let name):
      if name == path.joined(separator: ".") {
        use(name, at: node)
        changeFirstName(of: node, path[0])
      } else if path.count > 1, path.dropFirst().joined(separator: ".") == name {
        use(name, at: node)
      } else {
        use(name, at: node)
        change(code.span(node), change: .alias(.foreign(name)))
      }
    case .failed(.ambiguous(let name, _)): refuse("'\(name)' is declared more than once", at: node)
    case .failed: refuse("what '\(written)' means is not known", at: node)
    case let collection:
      useAll(in: collection, at: node)
      change(code.span(node), change: .alias(collection))
    }
    return .skipChildren
  }

  private func useAll(in type: ResolvedType, at node: some SyntaxProtocol) {
    switch type {
    case .declared(let id): needed.append(id)
    case .foreign(let name): use(name, at: node)
    case .array(let inner), .set(let inner), .optional(let inner): useAll(in: inner, at: node)
    case .dictionary(let key, let value):
      useAll(in: key, at: node)
      useAll(in: value, at: node)
    case .failed: refuse("what '\(node.trimmedDescription)' means is not known", at: node)
    }
  }

  /// The first name of a type of a module is written with the module where a type of the copy hides it.
  private func changeFirstName(of node: some SyntaxProtocol, _ name: String) {
    guard let token = node.firstToken(viewMode: .sourceAccurate) else { return }
    change(code.span(token), change: .foreign(name))
  }

  private func use(_ id: TypeID, written: [String], at node: some SyntaxProtocol) {
    let type = table[id]
    guard type.isModel || type.kind == .struct || type.kind == .enum else {
      return notes.append(
        SourceProblem(
          "the copy refers to '\(type.qualifiedName)' of the app, which has to stay as it is", at: place(node)))
    }
    needed.append(id)
    change(code.span(node), change: .type(id, written: written))
  }

  private static let collections: Set<String> = ["Array", "Set", "Dictionary", "Optional"]
  private static let others: Set<String> = [
    "Void", "NSNull", "URLComponents", "NSUUID", "NSURL", "JSONEncoder", "Schema",
  ]
  /// Types of Apple's frameworks by the module to import, besides those of Foundation.
  static let modules: [String: String] = [
    "Color": "SwiftUI", "Image": "SwiftUI", "UIColor": "UIKit", "UIImage": "UIKit", "NSColor": "AppKit",
    "NSImage": "AppKit", "FamilyActivitySelection": "FamilyControls", "CLLocation": "CoreLocation",
    "CLLocationCoordinate2D": "CoreLocation", "CLLocationDegrees": "CoreLocation", "CLLocationDistance": "CoreLocation",
    "CLLocationAccuracy": "CoreLocation", "CLLocationDirection": "CoreLocation",
    "CLLocationDirectionAccuracy": "CoreLocation", "CLLocationSpeed": "CoreLocation",
    "CLLocationSpeedAccuracy": "CoreLocation", "CLRegion": "CoreLocation", "MKCoordinateRegion": "MapKit",
    "MusicItemID": "MusicKit", "PKDrawing": "PencilKit",
  ]
  private static let typesOfSwift: Set<String> = [
    "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double",
    "Float", "Float32", "Float64", "String", "Substring", "Character", "Array", "ContiguousArray", "Set", "Dictionary",
    "Optional", "Range", "ClosedRange", "AnyHashable", "Result", "Duration", "SIMD2", "SIMD3", "SIMD4", "Void",
    "Codable", "Encodable", "Decodable", "CodingKey", "CaseIterable", "Sendable", "Equatable", "Hashable",
    "Identifiable", "RawRepresentable", "OptionSet",
  ]
  private static let typesOfSwiftData: Set<String> = [
    "Schema", "VersionedSchema", "PersistentModel", "PersistentIdentifier",
  ]
  private static let typesOfFoundation: Set<String> = [
    "TimeInterval", "Decimal", "Date", "Data", "UUID", "URL", "CGFloat", "AttributedString", "Measurement", "NSObject",
    "Locale", "TimeZone", "Calendar", "DateComponents", "DateInterval", "IndexSet", "PersonNameComponents",
    "NSAttributedString", "NSNumber", "NSString", "NSDate", "NSData", "CGPoint", "CGSize", "CGRect", "CGVector",
    "Notification", "URLRequest", "URLComponents", "URLQueryItem", "HTTPURLResponse", "CharacterSet", "IndexPath",
    "Unit", "UnitMass", "UnitLength", "NSURL", "NSUUID", "NSDecimalNumber", "NSDictionary", "NSArray", "NSSet",
    "NSNull", "JSONEncoder",
  ]

  /// The module that declares a type of the system; nil where that is not known.
  static func module(of name: String) -> String? {
    if typesOfSwift.contains(name) { return "Swift" }
    if typesOfSwiftData.contains(name) { return "SwiftData" }
    return typesOfFoundation.contains(name) ? "Foundation" : modules[name]
  }

  private func use(_ name: String, at node: some SyntaxProtocol) {
    let first = name.split(whereSeparator: { ".<".contains($0) }).first.map(String.init) ?? name
    foreign.insert(first)
    let isKnown =
      ScalarType(first) != nil || ScalarType.isOfSystem(first) || Self.collections.contains(first)
      || Self.others.contains(first) || Self.modules[first] != nil
    if !isKnown {
      refuse(
        "'\(name)' is declared in none of the files; give those that declare it too, or copy this property by hand",
        at: node)
    }
  }

  // MARK: Expressions

  /// Observers are left out of the copy.
  override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
    refuse("a closure is code of the app; write the value in its place", at: node)
    return .skipChildren
  }

  override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind {
    guard let root = node.root, var path = TypeName(root).pathNames else { return .skipChildren }
    var end = code.span(root).end
    // In `\SchemaV2.Note.tags` only the first name is parsed as a type.
    for component in node.components.dropLast() {
      guard case .property(let property) = component.component,
        property.declName.baseName.text.first?.isUppercase == true
      else { break }
      path.append(property.declName.baseName.plainText)
      end = code.span(component).end
    }
    guard let id = table.declaredType(.path(path), in: scope) else {
      refuse("what '\(path.joined(separator: "."))' means is not known", at: root)
      return .skipChildren
    }
    needed.append(id)
    change(SourceSpan(start: code.span(root).start, end: end), change: .type(id, written: path))
    return .skipChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let count = made.count
    noteMaking(node)
    guard made.count > count, let type = made.last?.id else { return .visitChildren }
    walk(node.calledExpression)
    let outer = expected
    for argument in node.arguments {
      expected = argument.label.flatMap { typeOfMember($0.plainText, of: type) }
      walk(argument.expression)
    }
    expected = outer
    if let closure = node.trailingClosure { walk(closure) }
    return .skipChildren
  }

  /// The type whose members `.name` means as the value of a member, if the sources declare it.
  private func typeOfMember(_ name: String, of id: TypeID) -> TypeID? {
    let variables = table[id].declaration?.members.variables ?? []
    guard let type = variables.first(where: { $0.name == name && !$0.isStatic })?.type else { return nil }
    return switch table.resolve(type, in: Scope(file: table[id].file, type: id)) {
    case .declared(let id), .optional(.declared(let id)), .array(.declared(let id)), .set(.declared(let id)): id
    default: nil
    }
  }

  /// Notes a value that is made by a call.
  private func noteMaking(_ node: FunctionCallExprSyntax) {
    if let path = Self.path(node.calledExpression),
      let id = table.declaredType(.path(path.last == "init" ? path.dropLast() : path), in: scope), !table[id].isModel
    {
      made.append((id, place(node)))
    } else if let member = node.calledExpression.as(MemberAccessExprSyntax.self), member.base == nil,
      member.declName.baseName.text == "init", let expected
    {
      made.append((expected, place(node)))
    }
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    names([node.baseName.plainText], of: ExprSyntax(node))
    return .skipChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    if let path = Self.path(ExprSyntax(node)) {
      names(path, of: ExprSyntax(node))
    } else if let base = node.base {
      let before = needed.count
      walk(base)
      if needed.count > before, !isCoding, node.declName.baseName.text != "self" {
        refuse("'\(node.declName.baseName.text)' may be code of the app; write the value in its place", at: node)
      }
    } else if let expected {
      member(node.declName.baseName.plainText, of: expected, in: ExprSyntax(node))
    }
    return .skipChildren
  }

  /// `SchemaV1.Mood.good` as names; nil for everything that is not only names.
  private static func path(_ node: ExprSyntax) -> [String]? {
    var names: [String] = []
    var current = node
    while let member = current.as(MemberAccessExprSyntax.self) {
      guard names.count < 32, let base = member.base else { return nil }
      names.append(member.declName.baseName.plainText)
      current = base
    }
    guard let first = current.as(DeclReferenceExprSyntax.self) else { return nil }
    return (names + [first.baseName.plainText]).reversed()
  }

  private func names(_ path: [String], of node: ExprSyntax) {
    guard let first = path.first else { return }
    if locals.contains(first) {
      // A member of it may be computed, which is not copied.
      if path.count > 1, !isCoding { refuse("'\(path.joined(separator: "."))' may be code of the app", at: node) }
      return
    }
    if isCoding, first == "CodingKeys", table.declaredType(.path([first]), in: scope) == nil { return }
    for count in stride(from: path.count, to: 0, by: -1) {
      guard let id = table.declaredType(.path(Array(path.prefix(count))), in: scope) else { continue }
      guard count == path.count || ["self", "init"].contains(path[count]) else {
        return member(path[count], of: id, written: Array(path.prefix(count)), in: node)
      }
      return rename(id, written: Array(path.prefix(count)), in: node, names: count)
    }
    if path.count > 1, table.moduleNames.contains(first) {
      // `Foundation.Date.now`: the module stays, and what follows is a name of it.
      if path[1].first?.isUppercase == true { return use(path[1], at: node) }
    } else if first.first?.isUppercase == true {
      changeFirstName(of: node, first)
      return use(first, at: node)
    }
    if ["min", "max", "nil"].contains(first) { return }
    if path.count == 1, let home = homeOfConstant(first) { return member(first, of: home, in: node) }
    let variables = path.count == 1 ? table.topVariables[first] ?? [] : []
    guard variables.count == 1, inline(variables[0].variable, of: variables[0].file, in: node) else {
      return refuse("'\(path.joined(separator: "."))' is code of the app; write the value in its place", at: node)
    }
  }

  /// The type around this place that declares a constant by this name: in `static let next = first`.
  private func homeOfConstant(_ name: String) -> TypeID? {
    var current = scope.type
    while let id = current {
      if table[id].staticVariable(name) != nil { return id }
      current = table[id].parent
    }
    return nil
  }

  /// Changes the first names of a path.
  private func rename(
    _ id: TypeID, written: [String], in node: ExprSyntax, names count: Int, isNeeded: Bool = true
  ) {
    var current = node
    while let member = current.as(MemberAccessExprSyntax.self), let base = member.base,
      (Self.path(current)?.count ?? 0) > count
    {
      current = base
    }
    if isNeeded { needed.append(id) }
    change(code.span(current), change: .type(id, written: written))
  }

  /// A case of an enum stays; a constant that is a literal is replaced by its value, and another one is taken along.
  private func member(_ name: String, of id: TypeID, written: [String]? = nil, in node: ExprSyntax) {
    let type = table[id]
    if type.parts.contains(where: { $0.declaration.members.cases.contains { $0.name == name } }) || name == "init" {
      if let written { rename(id, written: written, in: node, names: written.count) }
      return
    }
    let found = type.staticVariable(name)
    if let found, inline(found.variable, of: found.file, in: node) { return }
    let constant = OwnConstant(home: id, name: name, place: place(node))
    guard let variable = found?.variable, constant.canBeCopied(variable, of: type) else {
      return obstacles.append(SourceProblem(constant.refusal(type), at: constant.place))
    }
    constants.append(constant)
    if let written {
      rename(id, written: written, in: node, names: written.count, isNeeded: false)
    } else if node.is(DeclReferenceExprSyntax.self) {
      // Its home may be another type's part in the copy.
      change(code.span(node), change: .member(id, SwiftName.escaped(name)))
    }
  }

  /// Puts a constant's value in its place, if it is a literal.
  private func inline(_ variable: VariableDeclaration, of file: Int, in node: ExprSyntax) -> Bool {
    guard variable.isConstant, variable.storage == .stored, let value = variable.initialValue else { return false }
    switch value.kind {
    case .integer, .real, .string, .boolean: break
    default: return false
    }
    let bytes = table.files[file].bytes
    guard value.span.start <= value.span.end, value.span.end <= bytes.count else { return false }
    change(code.span(node), change: .text(String(decoding: bytes[value.span.start..<value.span.end], as: UTF8.self)))
    return true
  }
}
