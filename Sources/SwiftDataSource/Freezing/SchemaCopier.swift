import StoreDataModel
import StoreSwiftDataSchemas

/// Copies a schema into one enum: its classes, and the value types that they need, in the words of the source.
struct SchemaCopier {
  let table: NameTable
  let schema: SourceSchema
  /// The name of the copy.
  let name: String
  let identifier: String
  private(set) var copy = SourceCopy()

  private var declarations: [TypeID: CopiedDeclaration] = [:]
  /// In the order in which they were found.
  private var order: [TypeID] = []
  private var names: [TypeID: String] = [:]
  private var foreign: Set<String> = []
  /// The types to be copied; those before `position` are.
  private var queue: [TypeID] = []
  private var position = 0
  /// The constants that were found and not copied yet.
  private var constants: [OwnConstant] = []
  private var takenConstants: [TypeID: Set<String>] = [:]
  private var made: [(id: TypeID, place: SourcePlace)] = []
  private var unit = "  "

  /// More types than an app has.
  private static let maximumTypes = 10_000

  init(_ schema: SourceSchema, in table: NameTable, as name: String, identifier: String) {
    self.table = table
    self.schema = schema
    self.name = name
    self.identifier = identifier
  }

  mutating func make() {
    collect()
    nameAll()
    checkHiddenNames()
    guard copy.obstacles.isEmpty else { return }
    copy.files = Set(order.map { table.files[table[$0].file].path }).sorted()
    copy.modules = modules
    unit = indentation
    copy.text = text
  }

  // MARK: Collecting

  private var entities: [TypeID] {
    schema.entities.compactMap { entity in
      table.types.first {
        $0.isModel && $0.qualifiedName == entity.className && table.place(of: $0.id) == entity.place
      }?.id
    }
  }

  private mutating func collect() {
    if let problem = schema.listProblem { copy.obstacles.append(SourceProblem(problem, at: schema.place)) }
    queue = entities
    if queue.isEmpty || queue.count != schema.entities.count {
      copy.obstacles.append(SourceProblem("its classes are not all found in the source", at: schema.place))
    }
    for entity in schema.entities where entity.openRules.contains(.sameEntityName) {
      copy.obstacles.append(SourceProblem("several classes are called '\(entity.name)'", at: entity.place))
    }
    let classes = Set(queue)
    // Constants may need further types, and those further constants.
    repeat { collectTypes(classes) } while collectConstants()
    for constant in constants {
      copy.obstacles.append(SourceProblem(constant.refusal(table[constant.home]), at: constant.place))
    }
    for call in made {
      guard let left = declarations[call.id]?.leftInitializer, table[call.id].kind == .struct else { continue }
      copy.obstacles.append(
        SourceProblem(
          "'\(table[call.id].name)' is made by an initialiser that does more than assign (line "
            + "\(table.files[table[call.id].file].place(left).line)); write the value in its place", at: call.place))
    }
    copy.obstacles = unique(copy.obstacles)
    copy.notes = unique(copy.notes)
  }

  private mutating func collectTypes(_ classes: Set<TypeID>) {
    while position < queue.count, order.count < Self.maximumTypes {
      let id = queue[position]
      position += 1
      guard declarations[id] == nil else { continue }
      let type = table[id]
      if type.isModel, !classes.contains(id) {
        copy.obstacles.append(
          SourceProblem(
            "'\(type.qualifiedName)' is referred to, but is no class of the schema", at: table.place(of: id)))
      }
      guard var copier = DeclarationCopier(id, in: table) else { continue }
      copier.read()
      declarations[id] = copier.copy
      order.append(id)
      take(copier)
      checkSuperclass(of: id)
    }
  }

  private mutating func take(_ copier: DeclarationCopier) {
    copy.obstacles += copier.obstacles
    copy.notes += copier.notes
    foreign.formUnion(copier.foreign)
    made += copier.made
    constants += copier.constants
    queue += copier.needed
  }

  /// Takes the constants along whose types are in the copy.
  ///
  /// - Returns: whether there were any. What is left is code of the app.
  private mutating func collectConstants() -> Bool {
    let open = constants
    constants = []
    var hasAny = false
    for constant in open {
      guard declarations[constant.home] != nil else {
        constants.append(constant)
        continue
      }
      guard takenConstants[constant.home, default: []].insert(constant.name).inserted else { continue }
      guard let (copier, text) = DeclarationCopier.constant(constant, in: table) else { continue }
      declarations[constant.home]?.insert(text)
      take(copier)
      hasAny = true
    }
    return hasAny
  }

  private mutating func checkSuperclass(of id: TypeID) {
    guard let parent = table.superclass(of: id), !table[parent].isModel else { return }
    copy.obstacles.append(
      SourceProblem(
        "'\(table[id].name)' inherits from '\(table[parent].name)', which is no @Model class", at: table.place(of: id)))
  }

  private func unique(_ problems: [SourceProblem]) -> [SourceProblem] {
    var seen: Set<SourceProblem> = []
    return problems.filter { seen.insert($0).inserted }.sorted { left, right in
      switch (left.place, right.place) {
      case (let left?, let right?): left < right
      case (nil, _?): true
      default: false
      }
    }
  }

  // MARK: Names

  /// The type that it is nested in, in the copy too; nil for one directly in the version.
  private func host(_ id: TypeID) -> TypeID? { table[id].parent.flatMap { declarations[$0] == nil ? nil : $0 } }

  private mutating func nameAll() {
    var taken: [TypeID?: [String: TypeID]] = [:]
    // Classes first: their names are those of the entities.
    for id in order.filter({ table[$0].isModel }) + order.filter({ !table[$0].isModel }) {
      let host = host(id)
      var own = table[id].name
      if taken[host]?[own] != nil || host == nil && own == name {
        if table[id].isModel {
          copy.obstacles.append(
            SourceProblem("two classes of the schema are called '\(own)'", at: table.place(of: id)))
        }
        own = table[id].qualifiedName.split(separator: ".").joined()
        while taken[host]?[own] != nil { own += "2" }
      }
      names[id] = own
      taken[host, default: [:]][own] = id
    }
  }

  /// A name of the system that a type of the copy hides is written with its module, so that has to be known.
  private mutating func checkHiddenNames() {
    let own = Set(names.values)
    for name in foreign.sorted() where own.contains(name) && ReferenceFinder.module(of: name) == nil {
      copy.obstacles.append(
        SourceProblem(
          "the copy has a type '\(name)', and which module declares the other '\(name)' is not known", at: schema.place)
      )
    }
  }

  /// A name that the sources do not declare, with its module where a type of the copy hides it.
  private func qualified(_ name: String, in place: TypeID?) -> String {
    let first = String(name.prefix { $0 != "." && $0 != "<" })
    let isHidden = place.map { meaning([first], in: $0) != nil } ?? (child(first, of: nil) != nil)
    guard isHidden, let module = ReferenceFinder.module(of: first) else { return name }
    return "\(module).\(name)"
  }

  /// The types around a place in the copy, the innermost last.
  private func chain(_ id: TypeID) -> [TypeID] {
    var chain = [id]
    while let host = host(chain[0]), chain.count < 64 { chain.insert(host, at: 0) }
    return chain
  }

  private func child(_ name: String, of host: TypeID?) -> TypeID? {
    order.first { names[$0] == name && self.host($0) == host }
  }

  /// The type that a path means inside of a type of the copy.
  private func meaning(_ path: [String], in place: TypeID) -> TypeID? {
    guard let first = path.first else { return nil }
    for host in chain(place).reversed().map(Optional.some) + [nil] {
      guard var found = child(first, of: host) else { continue }
      for name in path.dropFirst() {
        guard let next = child(name, of: found) else { return nil }
        found = next
      }
      return found
    }
    return nil
  }

  /// How a type is written inside of another one: as in the source, if that means the same in the copy.
  private func reference(_ id: TypeID, written: [String], in place: TypeID) -> String {
    func spelled(_ path: [String]) -> String { path.map(SwiftName.escaped).joined(separator: ".") }
    if meaning(written, in: place) == id { return spelled(written) }
    let path = chain(id).compactMap { names[$0] }
    for count in 1...max(1, path.count) where meaning(path.suffix(count), in: place) == id {
      return spelled(path.suffix(count))
    }
    return spelled([name] + path)
  }

  private func spelled(_ type: ResolvedType, in place: TypeID) -> String {
    switch type {
    case .declared(let id): reference(id, written: [], in: place)
    case .foreign(let name): qualified(name, in: place)
    case .array(let element): "[\(spelled(element, in: place))]"
    case .set(let element): "\(qualified("Set", in: place))<\(spelled(element, in: place))>"
    case .dictionary(let key, let value): "[\(spelled(key, in: place)): \(spelled(value, in: place))]"
    case .optional(let wrapped): "\(spelled(wrapped, in: place))?"
    case .failed: "Never"
    }
  }

  /// The modules that the types of the system come from.
  private var modules: [String] {
    Set(["Foundation", "SwiftData"] + foreign.compactMap { ReferenceFinder.modules[$0] }).sorted()
  }

  // MARK: Text

  private var text: String {
    let classes = entities
    let isPublic = classes.contains { id in
      !Set(table[id].declaration?.modifiers ?? []).isDisjoint(with: ["public", "open"])
    }
    let access = isPublic ? "public " : ""
    let numbers = identifier.split(separator: ".").joined(separator: ", ")
    var lines = ["\(access)enum \(SwiftName.escaped(name)): \(qualified("VersionedSchema", in: nil)) {"]
    lines.append("\(unit)\(access)static let versionIdentifier = \(qualified("Schema", in: nil)).Version(\(numbers))")
    lines.append("\(unit)\(access)static var models: [any \(qualified("PersistentModel", in: nil)).Type] {")
    let list = classes.compactMap { names[$0] }.map { "\(SwiftName.escaped($0)).self" }
    let line = "[\(list.joined(separator: ", "))]"
    if line.count <= 100 {
      lines.append(unit + unit + line)
    } else {
      lines.append("\(unit)\(unit)[")
      lines += list.map { "\(unit)\(unit)\(unit)\($0)," }
      lines.append("\(unit)\(unit)]")
    }
    lines.append("\(unit)}")
    for id in order where host(id) == nil {
      lines.append("")
      lines += self.lines(of: id).map { $0.isEmpty ? "" : unit + $0 }
    }
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(of id: TypeID) -> [String] {
    guard let declaration = table[id].declaration, let copied = declarations[id] else { return [] }
    let source = SourceText(table.files[table[id].file].bytes)
    var lines = source.comment(before: declaration.span.start).lines
    for attribute in declaration.attributes where ["Model", "available"].contains(attribute.name) {
      lines.append(source.text(attribute.span))
    }
    lines.append(head(of: id, declaration))
    var inner: [String] = []
    for member in copied.members {
      switch member {
      case .text(let text):
        let comment = source.comment(before: text.span.start)
        if comment.isAfterBlankLine, !inner.isEmpty { inner.append("") }
        inner += comment.lines
        var own = rendered(text, in: id)
        if let trailing = source.trailingComment(text.span.end), !own.isEmpty { own[own.count - 1] += " " + trailing }
        inner += own
      case .type(let child):
        guard declarations[child] != nil else { continue }
        if !inner.isEmpty { inner.append("") }
        inner += self.lines(of: child) + [""]
      }
    }
    let written = Set(copied.members.compactMap { if case .type(let id) = $0 { id } else { nil } })
    for child in order where host(child) == id && !written.contains(child) { inner += [""] + self.lines(of: child) }
    let initializers = initializer(of: id, copied)
    if !initializers.isEmpty { inner += [""] + initializers }
    var tidy: [String] = []
    for line in inner where !(line.isEmpty && (tidy.last ?? "").isEmpty) { tidy.append(line) }
    while tidy.last?.isEmpty == true { tidy.removeLast() }
    return lines + tidy.map { $0.isEmpty ? "" : unit + $0 } + ["}"]
  }

  private static let modifiers: Set<String> = [
    "public", "open", "internal", "package", "fileprivate", "private", "final", "indirect", "nonisolated",
  ]

  private func head(of id: TypeID, _ declaration: TypeDeclaration) -> String {
    // A declaration private to a file at its top level would be private to the version when nested in it.
    let isMoved = host(id) == nil
    let words = declaration.modifiers.filter(Self.modifiers.contains).map {
      isMoved && $0 == "private" ? "fileprivate" : $0
    }
    let inherited = supertypes(of: id)
    let own = SwiftName.escaped(names[id] ?? table[id].name)
    return (words + [declaration.kind.rawValue, own]).joined(separator: " ")
      + (inherited.isEmpty ? "" : ": " + inherited.joined(separator: ", ")) + " {"
  }

  /// The superclass, the raw type, and the protocols that need no code.
  private func supertypes(of id: TypeID) -> [String] {
    let type = table[id]
    if type.kind == .class {
      return table.superclass(of: id).map { [reference($0, written: [], in: id)] } ?? []
    }
    var names: [String] = []
    if let raw = table.rawType(of: id) { names.append(raw) }
    let functions = Set(type.parts.flatMap { $0.declaration.members.functions.map(\.name) })
    let stored = Set(declarations[id]?.stored.map(\.name) ?? [])
    func conforms(_ name: String) -> Bool { type.conforms(toAnyOf: table.refinements(of: name)) }
    for name in ["RawRepresentable", "OptionSet"] where stored.contains("rawValue") && conforms(name) {
      names.append(name)
    }
    for name in ["Codable", "Encodable", "Decodable", "CodingKey", "CaseIterable", "Sendable"] where conforms(name) {
      names.append(name)
    }
    let isEqualByMembers = functions.isDisjoint(with: ["==", "hash"])
    for name in ["Equatable", "Hashable"] where conforms(name) && isEqualByMembers { names.append(name) }
    if conforms("Identifiable"), stored.contains("id") { names.append("Identifiable") }
    return names.map { qualified($0, in: id) }
  }

  // MARK: Initialisers

  private func isInChain(_ id: TypeID) -> Bool {
    table.superclass(of: id) != nil || order.contains { table.superclass(of: $0) == id }
  }

  /// The source's own if they only assign; else one of the members.
  private func initializer(of id: TypeID, _ copied: CopiedDeclaration) -> [String] {
    let isClass = table[id].kind == .class
    if !copied.initializers.isEmpty, !isClass || !isInChain(id) {
      var lines: [String] = []
      for text in copied.initializers {
        if !lines.isEmpty { lines.append("") }
        lines +=
          SourceText(table.files[text.file].bytes).comment(before: text.span.start).lines + rendered(text, in: id)
      }
      return lines
    }
    guard isClass else { return [] }
    var ancestors: [CopiedDeclaration] = []
    var current = id
    while let parent = table.superclass(of: current), let known = declarations[parent], ancestors.count < 64 {
      ancestors.append(known)
      current = parent
    }
    let inherited = ancestors.reversed().flatMap { needing($0, in: id) }
    let own = needing(copied, in: id)
    let modifiers = Set(table[id].declaration?.modifiers ?? [])
    let access =
      if !modifiers.isDisjoint(with: ["public", "open"]) {
        "public "
      } else if hasPrivateType(copied) {
        "fileprivate "
      } else {
        ""
      }
    let isOverride = !ancestors.isEmpty && own.isEmpty
    let parameters = inherited + own
    let head = "\(access)\(isOverride ? "override " : "")init("
    if parameters.isEmpty, ancestors.isEmpty { return [head + ") {}"] }
    let line = head + parameters.map(\.parameter).joined(separator: ", ") + ") {"
    var lines = [line]
    if line.count > 100 {
      lines = [head]
      for (number, each) in parameters.enumerated() {
        lines.append("\(unit)\(each.parameter)\(number + 1 < parameters.count ? "," : "")")
      }
      lines.append(") {")
    }
    lines += own.map { "\(unit)self.\($0.name) = \($0.name)" }
    if !ancestors.isEmpty {
      lines.append("\(unit)super.init(\(inherited.map { "\($0.name): \($0.name)" }.joined(separator: ", ")))")
    }
    return lines + ["}"]
  }

  private func needing(_ declaration: CopiedDeclaration, in id: TypeID) -> [(name: String, parameter: String)] {
    declaration.stored.compactMap { member in
      guard !member.hasValue, let type = member.type else { return nil }
      let name = SwiftName.escaped(member.name)
      let value = if member.isOptional { " = nil" } else if member.isArray { " = []" } else { "" }
      return (name, "\(name): \(rendered(type, in: id).joined(separator: " "))\(value)")
    }
  }

  private func hasPrivateType(_ declaration: CopiedDeclaration) -> Bool {
    declaration.stored.contains { member in
      member.type?.changes.contains { change in
        if case .type(let id, _) = change.change { table[id].declaration?.isFilePrivate ?? false } else { false }
      } ?? false
    }
  }

  // MARK: Stretches

  private func rendered(_ text: CopiedText, in id: TypeID) -> [String] {
    let bytes = table.files[text.file].bytes
    var made: [UInt8] = []
    var position = text.span.start
    for (span, change) in text.changes where span.start >= position && span.end <= text.span.end {
      made += bytes[position..<span.start]
      switch change {
      case .type(let other, let written): made += reference(other, written: written, in: id).utf8
      case .alias(let type): made += spelled(type, in: id).utf8
      case .foreign(let name): made += qualified(SwiftName.escaped(name), in: id).utf8
      case .member(let other, let name): made += "\(reference(other, written: [], in: id)).\(name)".utf8
      case .text(let text): made += text.utf8
      }
      position = span.end
    }
    if position < text.span.end { made += bytes[position..<text.span.end] }
    return SourceText(bytes).outdented(made, startingAt: text.span.start)
  }

  /// The indentation of the first class's first member within its class.
  private var indentation: String {
    for id in order {
      guard let declaration = table[id].declaration,
        case .text(let first)? = declarations[id]?.members.first(where: { if case .text = $0 { true } else { false } })
      else { continue }
      let source = SourceText(table.files[table[id].file].bytes)
      let (outer, inner) = (source.indentation(at: declaration.span.start), source.indentation(at: first.span.start))
      if inner.count > outer.count, inner.starts(with: outer) {
        return String(decoding: inner.dropFirst(outer.count), as: UTF8.self)
      }
    }
    return "  "
  }
}
