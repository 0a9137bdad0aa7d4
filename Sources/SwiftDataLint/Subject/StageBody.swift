import StoreSwiftDataSchemas
import SwiftDataSource
import SwiftSyntax

/// The effects of a stage's closure, as far as checks need them, including functions of the sources that it calls, one
/// level deep.
struct StageBody {
  /// Which of the two closures it is.
  enum Moment: String { case willMigrate, didMigrate }

  /// A name of an `@Model` class.
  struct Reference {
    var id: TypeID
    /// The text as written: `V1.Note`.
    var text: String
    var span: SourceSpan
    var file: Int
    /// The function that contains it, unless that is the closure itself.
    var helper: String?
    /// `Note` instead of `V1.Note`
    var isBare: Bool
  }

  /// A call of a method or function.
  struct Call {
    /// The last component of the callee: `save`.
    var name: String
    /// The first component of its base: `context`; nil for a function.
    var base: String?
    var syntax: FunctionCallExprSyntax
    var span: SourceSpan
    var file: Int
    var helper: String?
    /// Whether a method of `ModelContext` calls it on itself: `save()`.
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
    /// The code that contains it.
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

  /// `try?` or `try!`, or a `catch` that does nothing or only prints.
  struct Swallowing {
    var text: String
    var guarded: Syntax
    var span: SourceSpan
    var file: Int
  }

  let moment: Moment
  /// The file and type for resolving its names.
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
  /// The names of its context: the first parameter of the closure or function, parameters of helpers that are contexts,
  /// and variables bound to one of these.
  var contexts: Set<String> = []
  /// The functions that were read too.
  var helpers: Set<String> = []
  /// All names that are read or written, with the first place.
  var mentioned: [String: (span: SourceSpan, file: Int)] = [:]

  func calls(named names: Set<String>) -> [Call] { calls.filter { names.contains($0.name) } }
}

extension LintSubject {
  /// The body of a closure; nil where there is none, or it cannot be read.
  func body(_ moment: StageBody.Moment, of stage: StageDeclaration) -> StageBody? {
    if case .read(let body)? = code.bodies[StageBodies.Key(stage, moment)] { body } else { nil }
  }

  /// Calls `look` with the bodies of all listed stages; notes those that cannot be read.
  func forEachBody(
    _ moment: StageBody.Moment, say: inout LintFindings,
    look: (StageDeclaration, StageBody, inout LintFindings) -> Void
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
