import StoreSwiftDataSchemas
import SwiftDataSource

/// Reads the closures of stages.
struct StageBodies {
  /// One of the two closures of a stage.
  struct Key: Hashable {
    var file: Int
    var span: SourceSpan
    var moment: StageBody.Moment

    init(_ stage: StageDeclaration, _ moment: StageBody.Moment) {
      (file, span) = (stage.scope.file, stage.span)
      self.moment = moment
    }
  }

  /// The result of reading one.
  enum Body {
    case read(StageBody)
    /// Why it was not read, and its place.
    case unread(String, SourcePlace)
  }

  let names: NameTable

  func read(_ stages: [StageDeclaration], into code: inout LintCode) {
    for stage in stages {
      for (moment, value) in [(StageBody.Moment.willMigrate, stage.willMigrate), (.didMigrate, stage.didMigrate)] {
        let key = Key(stage, moment)
        guard let value, code.bodies[key] == nil else { continue }
        code.add(body(moment, value: value, of: stage, code: &code), for: key)
      }
    }
  }

  private func body(
    _ moment: StageBody.Moment, value: SourceExpression, of stage: StageDeclaration, code: inout LintCode
  ) -> Body {
    let place = names.files[stage.scope.file].place(value.span)
    guard let found = closure(value, in: stage.scope, code: &code) else {
      return .unread("is a name that is not found in the same files", place)
    }
    guard let root = code.piece(found.span, as: found.form, in: found.scope.file) else { return tooLong(place) }
    var reader = StageBodyReader(names, StageBody(moment: moment, scope: found.scope))
    reader.read(root, helper: nil, in: found.scope)
    // Only functions called directly are read, not those they call in turn.
    var seen: Set<String> = []
    for call in reader.body.calls where seen.insert(call.name).inserted {
      guard let helper = helper(call, in: reader.body, code: &code) else { continue }
      guard let piece = code.piece(helper.span, as: .function, in: helper.scope.file) else { return tooLong(place) }
      reader.read(piece, helper: call.name, in: helper.scope)
    }
    return .read(reader.body)
  }

  /// The function of the sources that is called; for a method that `ModelContext` does not have, that of its extension.
  private func helper(
    _ call: StageBody.Call, in body: StageBody, code: inout LintCode
  ) -> (span: SourceSpan, scope: Scope)? {
    guard body.isMethod(call) else { return code.function(named: call.name, in: body.scope) }
    guard let context = names.modelContext, !StageBody.contextMethods.contains(call.name) else { return nil }
    return code.function(named: call.name, of: context)
  }

  private func tooLong(_ place: SourcePlace) -> Body {
    .unread("is not looked into: stages and what they call have more than \(LintCode.maximumBytes) bytes", place)
  }

  /// A closure, or the function or variable with that name in the plan, an enclosing type, the file, or a type named
  /// with it.
  private func closure(
    _ value: SourceExpression, in scope: Scope, code: inout LintCode
  ) -> (span: SourceSpan, form: SourceCode.Form, scope: Scope)? {
    if case .closure = value.kind { return (value.span, .closure, scope) }
    guard let path = value.pathNames else { return nil }
    if let found = ValueLookup(table: names).value(value, in: scope), case .closure = found.value.kind {
      return (found.value.span, .closure, found.scope)
    }
    return code.function(at: path, in: scope).map { ($0.span, .function, $0.scope) }
  }
}
