import StoreSwiftDataSchemas
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
    /// Whether a method of the context calls it on itself: `save()`.
    var isOwn = false
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
    /// Whether it has a `where`.
    var isConditional = false
    var body: Syntax
    var span: SourceSpan
    /// What it is part of.
    var code: SourceCode

    var file: Int { code.file }
    func contains(_ assignment: Assignment) -> Bool {
      file == assignment.file && code.span(body).contains(assignment.span)
    }
  }

  /// `let notes = try context.fetch(…)`
  struct Binding {
    var name: String
    var value: ExprSyntax
  }

  /// `try?` or `try!`, or a `catch` that does nothing, or no more than print.
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
  /// The last names of key paths that functions are given, not methods or initialisers: `rank` of `fill(\.rank)`.
  var passedKeyPathNames: Set<String> = []
  /// The names its context has: the first parameter of the closure or function, parameters of helpers that are contexts,
  /// and what is bound to one of those.
  var contexts: Set<String> = []
  /// The functions that were followed.
  var helpers: Set<String> = []
  /// Every name that is read or written, with the first place.
  var mentioned: [String: (span: SourceSpan, file: Int)] = [:]

  func calls(named names: Set<String>) -> [Call] { calls.filter { names.contains($0.name) } }
}

extension LintSubject {
  /// The body of a closure; nil where there is none, or it cannot be looked into.
  func body(_ moment: StageBody.Moment, of stage: StageDeclaration) -> StageBody? {
    if case .read(let body)? = code.bodies[StageBodies.Key(stage, moment)] { body } else { nil }
  }

  /// The bodies of all listed stages; says which could not be looked at.
  func forEachBody(
    _ moment: StageBody.Moment, _ say: inout LintFindings,
    _ look: (StageDeclaration, StageBody, inout LintFindings) -> Void
  ) {
    for stage in plans.flatMap(\.stages) {
      switch code.bodies[StageBodies.Key(stage, moment)] {
      case nil: continue
      case .read(let body): look(stage, body, &say)
      case .unread(let reason, let place):
        say.skip("\(moment.rawValue) of the stage to \(stage.stage.toVersion) \(reason)", at: place)
      }
    }
  }
}
