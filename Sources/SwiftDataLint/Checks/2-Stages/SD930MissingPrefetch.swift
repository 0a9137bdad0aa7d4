import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource
import SwiftSyntax

extension LintCheck {
  static let missingPrefetch = LintCheck(.missingPrefetch) { subject, say in
    for moment in [StageBody.Moment.willMigrate, .didMigrate] {
      subject.forEachBody(moment, say: &say) { stage, body, say in
        for loop in body.loops {
          guard let id = subject.fetchedClass(of: loop.sequence, in: body), let shape = subject.shapes[id],
            let read = subject.relationshipRead(in: loop, of: shape), !body.prefetches(read.name)
          else { continue }
          say.add(
            at: subject.place(read.span, in: loop.file), schema: stage.stage.toVersion, entity: shape.name,
            property: read.name,
            message:
              "each \(shape.name) reads \(read.name) by a query of its own: no relationshipKeyPathsForPrefetching names it",
            notes: [.init("the stage", at: stage.stage.place)])
        }
      }
    }
  }

  static let recreatedRows = LintCheck(.recreatedRows) { subject, say in
    subject.forEachBodyOfRecreation(&say)
  }
}

extension LintSubject {
  /// The class fetched by `FetchDescriptor<V1.Note>()`, or by a variable bound to it or to its fetch.
  func fetchedClass(of sequence: ExprSyntax, in body: StageBody, depth: Int = 0) -> TypeID? {
    if let id = descriptorClass(in: sequence, body) { return id }
    guard depth < 4 else { return nil }
    for node in Syntax(sequence).allNodes {
      guard let name = node.as(DeclReferenceExprSyntax.self)?.baseName.text,
        let binding = body.bindings.first(where: { $0.name == name })
      else { continue }
      if let id = fetchedClass(of: binding.value, in: body, depth: depth + 1) { return id }
    }
    return nil
  }

  private func descriptorClass(in sequence: ExprSyntax, _ body: StageBody) -> TypeID? {
    for node in Syntax(sequence).allNodes {
      guard let specialised = node.as(GenericSpecializationExprSyntax.self),
        specialised.expression.as(DeclReferenceExprSyntax.self)?.baseName.text == "FetchDescriptor",
        case .type(let type)? = specialised.genericArgumentClause.arguments.first?.argument
      else { continue }
      return names.declaredType(TypeName(type), in: body.scope)
    }
    return nil
  }

  /// The first relationship of the loop's variable that the loop reads.
  fileprivate func relationshipRead(
    in loop: StageBody.Loop, of shape: ClassShape
  ) -> (name: String, span: SourceSpan)? {
    for node in loop.body.allNodes {
      guard let member = node.as(MemberAccessExprSyntax.self),
        member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text == loop.variable,
        shape.relationship(member.declName.baseName.text) != nil, !member.isOnlyAssigned
      else { continue }
      return (member.declName.baseName.text, loop.code.span(node))
    }
    return nil
  }

  fileprivate func forEachBodyOfRecreation(_ say: inout LintFindings) {
    forEachBody(.willMigrate, say: &say) { stage, body, say in
      guard let next = versions.first(where: { $0.id == stage.toVersion }) else { return }
      for (id, span, file) in deletedClasses(in: body) where next.entity(named: names[id].name) != nil {
        let name = names[id].name
        say.add(
          at: place(span, in: file), schema: stage.stage.toVersion, entity: name,
          message:
            "willMigrate deletes all rows of \(name), which \(next.name) has too: new rows have new identifiers and no links",
          notes: [.init("the class in \(next.name)", at: next.entity(named: name)?.place)])
      }
    }
  }

  /// Classes of which a body deletes all rows.
  private func deletedClasses(in body: StageBody) -> [(TypeID, SourceSpan, Int)] {
    let wholly = body.calls(named: ["delete"]).compactMap { call -> (TypeID, SourceSpan, Int)? in
      let arguments = Array(call.syntax.arguments)
      guard arguments.count == 1, arguments[0].label?.text == "model",
        let type = SourceExpression(arguments[0].expression).selfType,
        let id = names.declaredType(type, in: body.scope)
      else { return nil }
      return (id, call.span, call.file)
    }
    let looped = body.loops.compactMap { loop -> (TypeID, SourceSpan, Int)? in
      // With an `if`, `guard`, `where` or a predicate, only some rows are deleted.
      guard !loop.isConditional, let id = fetchedClass(of: loop.sequence, in: body), deletesEach(loop),
        !isFiltered(loop.sequence, in: body)
      else { return nil }
      return (id, loop.span, loop.file)
    }
    return wholly + looped
  }

  private func deletesEach(_ loop: StageBody.Loop) -> Bool {
    guard !loop.body.allNodes.contains(where: { [.ifExpr, .guardStmt, .switchExpr].contains($0.kind) }) else {
      return false
    }
    return loop.body.allNodes.contains { node in
      guard let call = node.as(FunctionCallExprSyntax.self),
        call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "delete"
      else { return false }
      return call.arguments.first?.expression.as(DeclReferenceExprSyntax.self)?.baseName.text == loop.variable
    }
  }

  private func isFiltered(_ sequence: ExprSyntax, in body: StageBody) -> Bool {
    if Syntax(sequence).calls(["filter", "prefix", "dropFirst"]) { return true }
    let names = Syntax(sequence).allNodes.compactMap { $0.as(DeclReferenceExprSyntax.self)?.baseName.text }
    let values = [sequence] + body.bindings.filter { names.contains($0.name) }.map(\.value)
    return values.contains { value in
      Syntax(value).allNodes.contains { node in
        if node.is(MacroExpansionExprSyntax.self) { return true }
        return ["predicate", "limit"].contains(node.as(LabeledExprSyntax.self)?.label?.text ?? "")
          || Syntax(value).calls(["filter"])
      }
    }
  }
}

extension MemberAccessExprSyntax {
  /// Whether it is only assigned to, as `note.tag` in `note.tag = tag`.
  fileprivate var isOnlyAssigned: Bool {
    guard let elements = parent?.as(ExprListSyntax.self), elements.first?.id == id else { return false }
    return elements.dropFirst().first?.is(AssignmentExprSyntax.self) ?? false
  }
}

extension StageBody {
  /// Whether a fetch descriptor in the body prefetches a relationship.
  fileprivate func prefetches(_ name: String) -> Bool {
    mentioned["relationshipKeyPathsForPrefetching"] != nil && keyPathNames.contains(name)
  }
}
