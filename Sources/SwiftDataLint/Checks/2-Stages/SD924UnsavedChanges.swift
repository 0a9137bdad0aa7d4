import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let unsavedChanges = LintCheck(.unsavedChanges) { subject, say in
    for moment in [StageBody.Moment.willMigrate, .didMigrate] {
      subject.forEachBody(moment, say: &say) { stage, body, say in
        let saves = body.saves
        let unsaved = body.changes.first { change in !saves.contains { body.isDone($0, after: change.step) } }
        guard let change = unsaved else { return }
        let others = body.callsTakingContext
        guard others.isEmpty else {
          let use = body.isMethod(others[0]) ? "called on" : "given"
          return say.skip(
            "whether \(others[0].name) saves the context it is \(use) is not known",
            at: subject.place(others[0].span, in: others[0].file))
        }
        say.add(
          at: subject.place(change.step.span, in: change.step.file), schema: stage.stage.toVersion,
          message: "\(moment.rawValue) of the stage to \(stage.stage.toVersion) \(change.words) and "
            + (saves.isEmpty ? "never saves" : "does not save them on every path"),
          notes: [
            .init("the stage", at: stage.stage.place),
            saves.first.map { .init("a save that does not cover it", at: subject.place($0.span, in: $0.file)) },
          ].compactMap(\.self))
      }
    }
  }
}
