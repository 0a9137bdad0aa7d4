import SwiftDataSource
import SwiftSyntax

/// What a stage's closure does, as far as checks ask: with the functions of the same files that it calls, one level deep.
struct StageBody {
  /// Which of the two closures it is.
  enum Moment: String { case willMigrate, didMigrate }

  /// A name of an `@Model` class.
  struct Reference {
    var id: TypeID
    /// As it is written: `V1.Note`.
    var text: String
    var span: SourceSpan
    var file: Int
    /// The function it stands in, where that is not the closure itself.
    var helper: String?
    /// `Note` instead of `V1.Note`
    var isBare: Bool
  }

  /// A call of a method or function.
  struct Call {
    /// The last name of what is called: `save`.
    var name: String
    /// The first name of what it is called on: `context`; nil for a function.
    var base: String?
    var syntax: FunctionCallExprSyntax
    var span: SourceSpan
    var file: Int
    var helper: String?
  }

  /// `note.rank = 1`, `Self.kept += [note]`
  struct Assignment {
    /// The names of the left side: `["note", "rank"]`.
    var path: [String]
    var syntax: Syntax
    var span: SourceSpan
    var file: Int
    var helper: String?
  }

  /// `for note in notes { … }`, `notes.forEach { note in … }`
  struct Loop {
    var variable: String
    var sequence: ExprSyntax
    var body: Syntax
    var span: SourceSpan
    var file: Int
  }

  /// `let notes = try context.fetch(…)`
  struct Binding {
    var name: String
    var value: ExprSyntax
  }

  /// `try?` or `try!`, or a `catch` without statements.
  struct Swallowing {
    var text: String
    var guarded: Syntax
    var span: SourceSpan
    var file: Int
  }

  let moment: Moment
  /// The file and type its names are looked up from.
  let scope: Scope
  var references: [Reference] = []
  var calls: [Call] = []
  var assignments: [Assignment] = []
  var loops: [Loop] = []
  var bindings: [Binding] = []
  var swallowings: [Swallowing] = []
  /// The last names of key paths: `tags` of `\.tags`.
  var keyPathNames: Set<String> = []
  /// The names its context has: the first parameter of the closure or function, parameters of helpers that are contexts,
  /// and what is bound to one of those.
  var contexts: Set<String> = []
  /// Every name that is read or written, with the first place.
  var mentioned: [String: (span: SourceSpan, file: Int)] = [:]

  func calls(named names: Set<String>) -> [Call] { calls.filter { names.contains($0.name) } }
}

extension LintSubject {
  /// The body of a closure; nil where it is given by a name that is not found, or there is none.
  func body(_ moment: StageBody.Moment, of stage: StageDeclaration) -> StageBody? {
    guard let value = moment == .willMigrate ? stage.willMigrate : stage.didMigrate,
      let root = code(of: value, in: stage.scope)
    else { return nil }
    var reader = StageBodyReader(names, StageBody(moment: moment, scope: root.scope))
    reader.read(root.syntax, helper: nil, in: root.scope)
    // One level of helpers; what they call in turn is not followed.
    var seen: Set<String> = []
    for call in reader.body.calls where seen.insert(call.name).inserted {
      guard let helper = function(named: call.name, in: stage.scope) else { continue }
      reader.read(helper.syntax, helper: call.name, in: helper.scope)
    }
    return reader.body
  }

  /// A closure, or the function or variable of that name in the plan, the types around it, or the file.
  private func code(of value: SourceExpression, in scope: Scope) -> (syntax: Syntax, scope: Scope)? {
    if case .closure(let closure) = value.kind { return (Syntax(closure), scope) }
    guard let path = value.pathNames, let name = path.last else { return nil }
    if let found = ValueLookup(table: names).value(path, in: scope), case .closure(let closure) = found.value.kind {
      return (Syntax(closure), found.scope)
    }
    return function(named: name, in: scope)
  }

  func function(named name: String, in scope: Scope) -> (syntax: Syntax, scope: Scope)? {
    var current = scope.type
    while let id = current {
      for part in names[id].parts {
        for function in part.declaration.members.functions where function.name == name {
          return (Syntax(function.syntax), Scope(file: part.file, type: id))
        }
      }
      current = names[id].parent
    }
    let top = names.files[scope.file].declarations.functions.first { $0.name == name }
    return top.map { (Syntax($0.syntax), Scope(file: scope.file)) }
  }
}
