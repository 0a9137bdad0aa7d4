import StoreDataModel
import StoreSwiftDataSchemas

/// All types and typealiases of the parsed files by name; extensions are joined to the types they extend.
package struct NameTable: Sendable {
  package let files: [SourceFile]
  package private(set) var types: [DeclaredType] = []
  private(set) var topLevel: [String: [TypeID]] = [:]
  package private(set) var topAliases: [String: [DeclaredType.Alias]] = [:]
  private var aliasesByName: [String: [AliasDeclaration]] = [:]
  /// Variables and constants at top level, by name.
  package private(set) var topVariables: [String: [(file: Int, variable: VariableDeclaration)]] = [:]
  /// The targets of each file; none where neither a project nor a package's folders tell.
  private let targets: [Set<SourceTargets.Target>]
  let moduleNames: Set<String>
  /// By file, the project around it that builds it into no target, though it builds others of them.
  private let projectsWithout: [Int: String]
  /// What types are taken to be stored as, by their names in source.
  var assumedTypes: [String: AttributeType] = [:]
  /// The types and extensions of each file, sorted by start.
  private var partsByFile: [[(id: TypeID, span: SourceSpan)]] = []

  package init(files: [SourceFile]) { self.init(files: files, targets: SourceTargets()) }

  init(files: [SourceFile], targets: SourceTargets) {
    self.files = files
    self.targets = files.map { file in
      let known = targets.targets(of: file.path)
      return known.isEmpty ? Set([SourceTargets.Target(byFolderOf: file.path)].compactMap(\.self)) : known
    }
    let known = Set(files.indices.filter { !targets.targets(of: files[$0].path).isEmpty })
    let left = files.enumerated().compactMap { number, file -> (Int, String)? in
      known.isEmpty || known.contains(number) ? nil : targets.projectWithout(file.path).map { (number, $0) }
    }
    projectsWithout = Dictionary(left) { first, _ in first }
    moduleNames = Set(self.targets.joined().map(\.moduleName)).union(Self.systemModules)
    var extensions: [DeclaredType.Part] = []
    for (number, file) in files.enumerated() {
      add(file.declarations, to: nil, file: number, extensions: &extensions)
      for variable in file.declarations.variables {
        topVariables[variable.name, default: []].append((number, variable))
      }
    }
    join(extensions)
    sortParts()
  }

  package subscript(_ id: TypeID) -> DeclaredType { types[id.number] }

  /// The place of the type's name in its declaration.
  package func place(of id: TypeID) -> SourcePlace {
    guard let part = self[id].parts.first else {
      return SourcePlace(file: "", line: 1, column: 1, offset: 0, length: 0)
    }
    return files[part.file].place(part.declaration.nameSpan)
  }

  /// All typealiases with a name, anywhere.
  package func aliases(named name: String) -> [AliasDeclaration] {
    aliasesByName[name] ?? []
  }

  /// The innermost type whose braces contain a span.
  package func innermostType(at span: SourceSpan, file: Int) -> TypeID? {
    let parts = partsByFile[file]
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].span.start <= span.start { low = middle + 1 } else { high = middle }
    }
    // Of those that start before it, the last one that contains it is the innermost.
    return parts[..<low].last { $0.span.contains(span) }?.id
  }

  private mutating func sortParts() {
    partsByFile = Array(repeating: [], count: files.count)
    for type in types {
      for part in type.parts { partsByFile[part.file].append((type.id, part.declaration.span)) }
    }
    for file in files.indices { partsByFile[file].sort { $0.span.start < $1.span.start } }
  }

  private static let systemModules: Set<String> = [
    "Swift", "Foundation", "SwiftData", "SwiftUI", "CoreGraphics", "CoreFoundation", "CoreLocation", "UIKit", "AppKit",
    "FamilyControls", "MapKit", "MusicKit", "PencilKit",
  ]

  /// Whether any of the files belongs to a module.
  func hasModule(_ name: String) -> Bool { files.indices.contains { isOf(name, file: $0) } }

  /// Whether a file belongs to a module.
  func isOf(_ module: String, file: Int) -> Bool { targets[file].contains { $0.moduleName == module } }

  /// Whether two files are built into a common target.
  package func shareATarget(_ file: Int, _ other: Int) -> Bool { !targets[file].isDisjoint(with: targets[other]) }

  func hasSameTargets(as other: NameTable) -> Bool { targets == other.targets }

  /// The project around a file that builds it into none of its targets; nil where that is not known.
  package func projectWithout(_ file: Int) -> String? { projectsWithout[file] }

  /// Whether the targets of a file are known.
  package func hasTarget(_ file: Int) -> Bool { !targets[file].isEmpty }

  // MARK: Building

  private mutating func add(
    _ members: SourceMembers, to parent: TypeID?, file: Int, extensions: inout [DeclaredType.Part]
  ) {
    for alias in members.aliases {
      aliasesByName[alias.name, default: []].append(alias)
      let alias = DeclaredType.Alias(file: file, declaration: alias)
      if let parent {
        types[parent.number].aliases[alias.declaration.name, default: []].append(alias)
      } else {
        topAliases[alias.declaration.name, default: []].append(alias)
      }
    }
    for declaration in members.types {
      let part = DeclaredType.Part(file: file, declaration: declaration)
      if declaration.kind == .extension {
        extensions.append(part)
      } else if let name = declaration.name.first {
        let id = add(name, kind: declaration.kind, part: part, to: parent)
        add(declaration.members, to: id, file: file, extensions: &extensions)
      }
    }
  }

  private mutating func add(
    _ name: String, kind: TypeDeclaration.Kind, part: DeclaredType.Part, to parent: TypeID?
  ) -> TypeID {
    let id = TypeID(number: types.count)
    let qualified = parent.map { self[$0].qualifiedName + "." + name } ?? name
    types.append(
      DeclaredType(id: id, name: name, qualifiedName: qualified, parent: parent, kind: kind, parts: [part]))
    if let parent {
      types[parent.number].children[name, default: []].append(id)
    } else {
      topLevel[name, default: []].append(id)
    }
    return id
  }

  /// Joins extensions to types. One may extend a type declared in another, so this repeats until nothing is left.
  private mutating func join(_ extensions: [DeclaredType.Part]) {
    var rest = extensions
    while !rest.isEmpty {
      var later: [DeclaredType.Part] = []
      var found: [DeclaredType.Part] = []
      for part in rest {
        if let id = extended(by: part) { join(part, to: id, extensions: &found) } else { later.append(part) }
      }
      if later.count == rest.count {
        // Types that the sources do not declare get one entry each, so that types nested in their extensions are found.
        for part in later {
          join(part, to: foreignType(part.declaration.name, in: part), extensions: &found)
        }
        later = []
      }
      rest = later + found
    }
  }

  private mutating func join(_ part: DeclaredType.Part, to id: TypeID, extensions: inout [DeclaredType.Part]) {
    types[id.number].parts.append(part)
    add(part.declaration.members, to: id, file: part.file, extensions: &extensions)
  }

  private func extended(by part: DeclaredType.Part) -> TypeID? {
    guard case .declared(let id) = resolve(.path(part.declaration.name), in: Scope(file: part.file)) else { return nil }
    return id
  }

  private mutating func foreignType(_ path: [String], in part: DeclaredType.Part) -> TypeID {
    var current: TypeID?
    for name in path {
      let known = (current.map { self[$0].children } ?? topLevel)[name]?.first
      if let known {
        current = known
      } else {
        let empty = DeclaredType.Part(file: part.file, declaration: part.declaration)
        let id = add(name, kind: .extension, part: empty, to: current)
        types[id.number].parts = []
        current = id
      }
    }
    return current ?? TypeID(number: 0)
  }
}
