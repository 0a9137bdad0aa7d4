import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let migrationInMemory = LintCheck(.migrationInMemory) { subject, say in
    guard subject.hasTests(&say) else { return }
    let containers = subject.testContainers
    for (position, reopened) in containers.enumerated() where reopened.hasPlan && reopened.isInMemory {
      let first = containers[..<position].first { $0.function != nil && $0.function == reopened.function }
      guard let first, !first.hasPlan else { continue }
      say.add(
        at: reopened.place, message: "the test reopens a store in memory, which begins empty: nothing is migrated",
        notes: [.init("the container that is made before", at: first.place)])
    }
  }

  static let ownStoresOnly = LintCheck(.ownStoresOnly) { subject, say in
    guard subject.hasTests(&say), subject.project.surroundings.stores.isEmpty,
      let first = subject.testContainers.first(where: \.hasPlan),
      // With `Bundle.module.url(forResource: "V1", withExtension: "store")`, a store may have any name.
      !subject.project.surroundings.tests.contains(where: { $0.bytes.mention("forResource") })
    else { return }
    guard subject.project.surroundings.isWhole else {
      return say.skip("the project has too many files to look for a store in all folders", at: first.place)
    }
    say.add(
      at: first.place,
      message:
        "tests open the plan, and no store of a release is in the repository: only what they wrote themselves is migrated"
    )
  }
}

/// A call in a test that makes a container.
private struct TestContainer {
  var place: SourcePlace
  /// The file and the start of the function that contains it.
  var function: [Int]?
  var hasPlan: Bool
  var isInMemory: Bool
}

extension LintSubject {
  /// Whether there are tests; without a plan they have nothing to migrate.
  fileprivate func hasTests(_ say: inout LintFindings) -> Bool {
    guard !plans.isEmpty else { return false }
    if project.surroundings.tests.isEmpty { say.skip("there are no tests in the paths given") }
    return !project.surroundings.tests.isEmpty
  }

  /// The containers made in tests, by place.
  fileprivate var testContainers: [TestContainer] {
    guard let code = testCode else { return [] }
    return code.files.flatMap { number in
      let file = code.names.files[number]
      return file.calls.filter { $0.kind != .schema }.map { call in
        let scope = Scope(file: number, type: code.names.innermostType(at: call.span, file: number))
        let plan = call.arguments.first { $0.label == "migrationPlan" }?.value
        return TestContainer(
          place: file.place(call.span),
          function: call.function.map { [number, $0.start] },
          hasPlan: plan.map { !$0.isNil } ?? false,
          isInMemory: ContainerConfigurations(names: code.names, call: call, scope: scope).isInMemory)
      }
    }
  }
}
