import StoreDoctor
import SwiftDataSchemas
import SwiftDataSource
import SwiftSyntax

extension LintCheck {
  static let unsavedChanges = LintCheck(.unsavedChanges) { subject, say in
    for moment in [StageBody.Moment.willMigrate, .didMigrate] {
      subject.forEachBody(moment, &say) { stage, body, say in
        guard body.calls(named: ["save", "transaction"]).isEmpty, let change = body.firstChange else { return }
        say.add(
          at: subject.place(change.span, in: change.file), schema: stage.stage.toVersion,
          "\(moment.rawValue) of the stage to \(stage.stage.toVersion) \(change.words) and never saves",
          notes: [.init("the stage", at: stage.stage.place)])
      }
    }
  }
}

extension StageBody {
  /// The first thing a body does to objects.
  fileprivate var firstChange: (words: String, span: SourceSpan, file: Int)? {
    let calls = calls(named: ["insert", "delete"]).filter(isOnContext)
      .map { (words: $0.name == "insert" ? "inserts objects" : "deletes objects", span: $0.span, file: $0.file) }
    let objects = objectNames
    let assignments = assignments.filter { $0.path.count > 1 && objects.contains($0.path[0]) }
      .map { (words: "assigns to \($0.path[0]).\($0.path[1])", span: $0.span, file: $0.file) }
    return (calls + assignments).min { ($0.file, $0.span.start) < ($1.file, $1.span.start) }
  }

  /// `context.insert(note)`, `context.delete(model: Note.self)`, and not `set.insert(name)`: what it is called on is the
  /// closure's parameter or a context by its name.
  private func isOnContext(_ call: Call) -> Bool {
    guard let base = call.base else { return false }
    let fetching = calls.filter { ["fetch", "save", "enumerate", "fetchCount"].contains($0.name) }.compactMap(\.base)
    return fetching.contains(base) || base.lowercased().contains("context") || base == "$0"
      || call.syntax.arguments.first?.label?.text == "model" || base == parameter
  }

  /// Variables that hold fetched objects: those of loops, and what is bound to a fetch.
  private var objectNames: Set<String> {
    Set(loops.map(\.variable) + bindings.filter { Syntax($0.value).calls(["fetch"]) }.map(\.name))
  }
}
