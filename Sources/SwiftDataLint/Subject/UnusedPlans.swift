import StoreSwiftDataSchemas
import SwiftDataSource

/// The plans that no container is made with, and what belongs to them alone.
struct UnusedPlans {
  let plans: [LintPlan]
  /// The names of the versions that only such plans have.
  private let versions: Set<String>
  /// The declarations of the plans and versions, by file.
  private let parts: [String: [SourceSpan]]

  /// - Parameter schemas: those of the reading, among which are those of containers.
  init(
    _ all: [LintPlan], containers: [LintContainer], schemas: [SourceSchema], names: NameTable, versions: [LintVersion]
  ) {
    let used = Set(containers.compactMap(\.container.planName))
    // A container of which something is not known may have any plan; and without one the app is elsewhere.
    let isKnown =
      containers.contains { !$0.container.isTemporary } && !containers.contains { $0.container.problem != nil }
    let made = Set(containers.compactMap(\.container.schemaName))
    let opened = Set(schemas.filter { made.contains($0.name) }.flatMap(\.entities).map(\.place))
    // Where a container has classes of the only plan and not the plan, the argument is missing.
    let plans =
      !isKnown
      ? []
      : all.filter { plan in
        !used.contains(plan.plan.name)
          && (!used.isEmpty
            || !plan.versions.contains { $0?.schema.entities.contains { opened.contains($0.place) } ?? false })
      }
    let usedVersions = Set(
      all.filter { used.contains($0.plan.name) }.flatMap(\.plan.schemaNames)
        + containers.compactMap(\.container.schemaName))
    let own = Set(plans.flatMap(\.plan.schemaNames)).subtracting(usedVersions)
    self.plans = plans
    self.versions = own
    let ids = plans.map(\.id) + versions.filter { own.contains($0.name) }.map(\.id)
    var parts: [String: [SourceSpan]] = [:]
    for part in ids.flatMap({ names[$0].parts }) {
      parts[names.files[part.file].path, default: []].append(part.declaration.span)
    }
    self.parts = parts
  }

  /// The finding as a note, where it is about a plan that is not run.
  ///
  /// - Parameter isOfThem: whether it is known to be, since it is not found without these plans.
  func weakened(_ finding: SourceFinding, isOfThem: Bool = false) -> SourceFinding {
    guard finding.severity != .note, let plan = plans.first else { return finding }
    let span = SourceSpan(start: finding.place.offset, end: finding.place.offset + finding.place.length)
    let isInside = parts[finding.place.file]?.contains { $0.contains(span) } ?? false
    guard isOfThem || isInside || finding.schema.map(versions.contains) ?? false else { return finding }
    let own = plans.first { finding.schema.map($0.plan.schemaNames.contains) ?? false } ?? plan
    var weak = finding
    weak.severity = .note
    weak.notes.append(.init("no container is made with \(own.plan.name)", at: own.plan.place))
    return weak
  }
}
