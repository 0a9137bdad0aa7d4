/// The names that models, versions and plans depend on, directly or indirectly; files that declare one of them have to
/// be parsed.
struct ReferencedNames {
  private(set) var names: Set<String> = []
  private var seen: Set<TypeID> = []
  private var queue: [TypeID] = []
  private let table: NameTable
  private var typesByName: [String: [TypeID]] = [:]

  static func all(in table: NameTable) -> Set<String> {
    var search = ReferencedNames(table: table)
    search.run()
    return search.names
  }

  private init(table: NameTable) {
    self.table = table
    for type in table.types where type.kind != .extension { typesByName[type.name, default: []].append(type.id) }
  }

  private mutating func run() {
    let protocols = table.refinements(of: "VersionedSchema").union(table.refinements(of: "SchemaMigrationPlan"))
    for type in table.types where type.isModel || type.conforms(toAnyOf: protocols) {
      visit(type.id)
    }
    for file in table.files {
      for call in file.calls { for argument in call.arguments { add(argument.value) } }
      for value in file.localValues.values.joined() { if let value = value.value { add(value) } }
    }
    var position = 0
    while position < queue.count {
      read(table[queue[position]])
      position += 1
    }
  }

  private mutating func visit(_ id: TypeID) {
    if seen.insert(id).inserted { queue.append(id) }
  }

  private mutating func read(_ type: DeclaredType) {
    for part in type.parts {
      for inherited in part.declaration.inherited { add(inherited) }
      for variable in part.declaration.members.variables {
        if let type = variable.type { add(type) }
        if let value = variable.value, variable.isStatic || variable.storage != .computed { add(value) }
        for argument in variable.attributes.lazy.flatMap(\.arguments) { add(argument.value) }
      }
      for function in part.declaration.members.functions where function.isStatic {
        if let value = function.value { add(value) }
      }
    }
  }

  private mutating func add(_ name: String) {
    guard names.insert(name).inserted else { return }
    for id in typesByName[name] ?? [] { visit(id) }
    for alias in table.aliases(named: name) { add(alias.target) }
  }

  private mutating func add(_ type: TypeName) {
    switch type {
    case .named(let components):
      for component in components {
        add(component.name)
        for argument in component.arguments { add(argument) }
      }
    case .array(let element), .optional(let element): add(element)
    case .dictionary(let key, let value):
      add(key)
      add(value)
    case .other: return
    }
  }

  private mutating func add(_ value: SourceExpression) {
    switch value.kind {
    case .name(let component): add(.named([component]))
    case .member(let base, let component):
      if let base { add(base) }
      // A capitalised component may be a type; other members refer to no declaration.
      if component.name.first?.isUppercase ?? false { add(.named([component])) }
    case .call(let callee, let arguments):
      add(callee)
      for argument in arguments { add(argument.value) }
    case .array(let elements), .sum(let elements), .arithmetic(let elements), .fallback(let elements),
      .choice(let elements), .alternatives(_, let elements):
      for element in elements { add(element) }
    case .dictionary(let pairs):
      for pair in pairs {
        add(pair.key)
        add(pair.value)
      }
    case .type(let type): add(type)
    case .forced(let inner): add(inner)
    case .cast(let inner, let type):
      add(inner)
      add(type)
    case .integer, .real, .string, .boolean, .null, .keyPath, .closure, .interpolation, .other: return
    }
  }
}
