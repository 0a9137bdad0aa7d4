import StoreSwiftDataSchemas
import SwiftDataSource

/// A call that makes a container, with its configurations.
struct LintContainer {
  /// Whether it mirrors to CloudKit.
  enum Mirroring: Equatable {
    case no
    /// `.automatic` or `.private(…)` is stated.
    case stated
    /// Nothing is stated, and the app has the entitlement, in this file.
    case entitled(String)
    /// Nothing is stated: it mirrors as soon as the app has the entitlement.
    case byDefault
    /// A configuration, or its setting, is made elsewhere and not found.
    case unknown
  }

  /// One of its stores.
  struct Store {
    var mirroring: Mirroring
    /// The classes it stores; nil where they are not known.
    var classes: ConfigurationClasses?
  }

  let call: ContainerCall
  /// The file and type that contain it.
  let scope: Scope
  let container: SourceContainer
  let isInMemory: Bool
  /// One for each configuration; a single one where none is given, or not all are known.
  let stores: [Store]
  /// The handlers for failure.
  let handlers: [FailureHandler]

  var place: SourcePlace { container.place }

  /// Whether any of its stores mirrors to CloudKit, and why.
  var mirroring: Mirroring {
    let all = stores.map(\.mirroring)
    return all.first { $0 == .stated } ?? all.first { $0 != .no } ?? .no
  }
}

/// Finds the containers of a project.
struct LintContainers {
  let names: NameTable
  let reading: SourceReading
  let entitlements: Entitlements

  /// The containers in the source, by place; a schema alone does not count.
  func all(_ code: inout LintCode) -> [LintContainer] {
    let byPlace = Dictionary(reading.containers.map { ($0.place, $0) }) { first, _ in first }
    var handlers: [Handling: FailureHandler] = [:]
    return names.files.enumerated().flatMap { number, file in
      file.calls.compactMap { call -> LintContainer? in
        guard call.kind != .schema, let container = byPlace[file.place(call.span)] else { return nil }
        let scope = Scope(file: number, type: names.innermostType(at: call.span, file: number))
        let configurations = ContainerConfigurations(names: names, call: call, scope: scope)
        return LintContainer(
          call: call, scope: scope, container: container, isInMemory: configurations.isInMemory,
          stores: stores(configurations, file.path),
          handlers: Self.handlers(call.failure).map { span, form in
            let handling = Handling(file: number, type: scope.type, span: span)
            let handler = handlers[handling] ?? FailureHandler(span, as: form, in: scope, &code)
            handlers[handling] = handler
            return handler
          })
      }
    }
  }

  private static func handlers(_ failure: FailureHandling) -> [(SourceSpan, SourceCode.Form)] {
    failure.clauses.map { ($0, .block) } + [failure.setup].compactMap(\.self).map { ($0, .closure) }
  }

  /// Identifies a `catch` clause; several container calls may share one.
  private struct Handling: Hashable {
    var file: Int
    var type: TypeID?
    var span: SourceSpan
  }

  private func stores(_ configurations: ContainerConfigurations, _ path: String) -> [LintContainer.Store] {
    if configurations.isInMemory { return [.init(mirroring: .no, classes: .all)] }
    guard let all = configurations.all else {
      return [.init(mirroring: entitlements.denyMirroring ? .no : .unknown, classes: nil)]
    }
    if all.isEmpty { return [.init(mirroring: unsaidMirroring(path), classes: .all)] }
    return all.map { configuration in
      LintContainer.Store(
        mirroring: mirroring(configuration, path), classes: configurations.classes(of: configuration))
    }
  }

  private func mirroring(
    _ configuration: ContainerConfigurations.Configuration, _ path: String
  ) -> LintContainer.Mirroring {
    if configuration.isInMemory { return .no }
    guard let database = configuration.argument("cloudKitDatabase") else { return unsaidMirroring(path) }
    switch database.memberName ?? database.call?.callee.memberName {
    case "automatic", "private": return .stated
    case "none": return .no
    default: return entitlements.denyMirroring ? .no : .unknown
    }
  }

  /// The mirroring by entitlements, where the configuration does not state it.
  private func unsaidMirroring(_ path: String) -> LintContainer.Mirroring {
    if let entitlements = entitlements.mirroring(path) { return .entitled(entitlements) }
    // There are entitlements, and no target has a CloudKit container.
    return entitlements.denyMirroring ? .no : .byDefault
  }
}

extension LintSubject {
  func schema(of container: LintContainer) -> SourceSchema? {
    container.container.schemaName.flatMap { name in reading.schemas.first { $0.name == name } }
  }

  func plan(of container: LintContainer) -> LintPlan? {
    container.container.planName.flatMap { name in plans.first { $0.plan.name == name } }
  }
}
