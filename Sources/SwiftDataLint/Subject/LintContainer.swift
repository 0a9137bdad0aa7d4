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
    /// It may: one of the settings that the source has for it mirrors. Why it is not certain.
    case possible(String)
    /// The setting is not in the source, or only made when the app is built. Why.
    case undecided(String)
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
    /// The files that it may be, each with its setting; none where it is not known.
    var openings: [Opening] = []
  }

  /// A store's file with the setting that it is opened with.
  struct Opening {
    /// The file, in one spelling; nil where it is not known or SwiftData's own choice.
    var file: String?
    var mirroring: Mirroring

    /// The last text that the file's path is made of.
    var fileName: String? {
      // Every second part stands between quotation marks.
      let parts = (file ?? "").split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      return parts.filter { $0.offset % 2 == 1 && $0.element.contains(".") }.last.map { String($0.element) }
    }
  }

  let call: ContainerCall
  /// The file and type that contain it.
  let scope: Scope
  let container: SourceContainer
  let isInMemory: Bool
  /// Whether all its stores are in memory or in the system's folder for temporary files, as a copy that is opened is.
  let isDisposable: Bool
  /// Whether SwiftData chooses the place of its file: no configuration says `url:` or `groupContainer:`.
  let isPlacedByDefault: Bool
  /// One for each configuration; a single one where none is given, or not all are known.
  let stores: [Store]
  /// The handlers for failure, those of callers among them.
  let handlers: [FailureHandler]
  /// The calls with `try!` of the functions that leave its failure to their callers.
  let forcedCalls: [SourcePlace]
  /// Whether its failure is left to callers that are not in the sources.
  let isLeftOpen: Bool

  var place: SourcePlace { container.place }

  /// Whether any of its stores mirrors to CloudKit, and why.
  var mirroring: Mirroring {
    let all = stores.map(\.mirroring)
    return all.first { $0 == .stated } ?? all.first(where: \.isOn) ?? all.first(where: \.mayBeOn)
      ?? all.first(where: \.isUndecided)
      ?? all.first { $0 != .no } ?? .no
  }
}

/// Finds the containers of a project.
struct LintContainers {
  let names: NameTable
  let entitlements: Entitlements

  /// The containers in the source, by place, once for each caller that passes other values to their function.
  func all(_ uses: [ContainerUse], _ code: inout LintCode, _ sites: inout CallSites) -> [LintContainer] {
    var handlers: [Handling: FailureHandler] = [:]
    return uses.map { use in
      let (call, scope) = (use.call, use.scope)
      let configurations = ContainerConfigurations(names: names, call: call, scope: scope)
      var way = FailureWay(call.failure, in: scope)
      if call.failure.isLeftToCallers || call.failure.returned != nil, call.kind == .container,
        !configurations.isInMemory, !call.isInPreview
      {
        way.follow(call, in: scope, by: &sites, &code)
      }
      return LintContainer(
        call: call, scope: scope, container: use.container, isInMemory: configurations.isInMemory,
        isDisposable: isDisposable(configurations), isPlacedByDefault: configurations.arePlacedByDefault,
        stores: stores(configurations, path: names.files[scope.file].path),
        handlers: way.handlers.map { part in
          let handling = Handling(file: part.scope.file, type: part.scope.type, span: part.span)
          let handler = handlers[handling] ?? FailureHandler(part, &code, &sites)
          handlers[handling] = handler
          return handler
        }, forcedCalls: way.forced, isLeftOpen: way.isOpen)
    }
  }

  private func isDisposable(_ configurations: ContainerConfigurations) -> Bool {
    if configurations.isInMemory { return true }
    guard let all = configurations.all, !all.isEmpty else { return false }
    return all.allSatisfy { configuration in
      configuration.isInMemory
        || configuration.argument("url").map { isTemporary($0, in: configuration.scope, depth: 0) } ?? false
    }
  }

  /// Whether a path is made from that of the folder for temporary files, by whatever constants it has passed through.
  private func isTemporary(_ value: SourceExpression, in scope: Scope, depth: Int) -> Bool {
    guard depth < 16 else { return false }
    switch value.kind {
    case .member(let base, let component):
      if component.name == "temporaryDirectory" { return true }
      return base.map { isTemporary($0, in: scope, depth: depth + 1) } ?? false
    case .call(let callee, let arguments):
      if callee.pathNames == ["NSTemporaryDirectory"] { return true }
      return ([callee] + arguments.map(\.value)).contains { isTemporary($0, in: scope, depth: depth + 1) }
    case .name:
      return ValueLookup(table: names).value(value, in: scope).map {
        isTemporary($0.value, in: $0.scope, depth: depth + 1)
      } ?? false
    case .sum(let parts), .fallback(let parts): return parts.contains { isTemporary($0, in: scope, depth: depth + 1) }
    case .forced(let inner), .cast(let inner, _): return isTemporary(inner, in: scope, depth: depth + 1)
    default: return false
    }
  }

  /// Identifies a `catch` clause; several container calls may share one.
  private struct Handling: Hashable {
    var file: Int
    var type: TypeID?
    var span: SourceSpan
  }

  private func stores(_ configurations: ContainerConfigurations, path: String) -> [LintContainer.Store] {
    if configurations.isInMemory { return [.init(mirroring: .no, classes: .all)] }
    guard let all = configurations.all else {
      return [.init(mirroring: unfoundMirroring(path), classes: nil)]
    }
    if all.isEmpty { return [.init(mirroring: unsaidMirroring(path), classes: .all)] }
    return all.map { configuration in
      LintContainer.Store(
        mirroring: mirroring(configuration, path: path), classes: configurations.classes(of: configuration),
        openings: configuration.readings.map { reading in
          LintContainer.Opening(
            file: StoreFileNames(names: names).file(of: reading), mirroring: mirroring(ofOne: reading, path: path))
        })
    }
  }

  private func mirroring(
    _ configuration: ContainerConfigurations.Configuration, path: String
  ) -> LintContainer.Mirroring {
    .any(
      configuration.readings.map { mirroring(ofOne: $0, path: path) },
      because: "which configuration it gets is decided when the app runs")
  }

  private func mirroring(
    ofOne reading: ContainerConfigurations.Configuration, path: String
  ) -> LintContainer.Mirroring {
    if reading.isInMemory { return .no }
    guard let database = reading.argument("cloudKitDatabase") else { return unsaidMirroring(path) }
    return mirroring(by: database, in: reading.scope, depth: 0)
  }

  /// The mirroring by the value of `cloudKitDatabase:`.
  private func mirroring(by database: SourceExpression, in scope: Scope, depth: Int) -> LintContainer.Mirroring {
    let reason = "the value of cloudKitDatabase: is decided when the app runs"
    switch (database.memberName ?? database.call?.callee.memberName, database.kind) {
    case ("automatic", _), ("private", _): return .stated
    case ("none", _): return .no
    case (_, .choice(let values)), (_, .alternatives(_, let values)):
      guard depth < Self.maximumDepth else { break }
      return .any(values.map { mirroring(by: $0, in: scope, depth: depth + 1) }, because: reason)
    default:
      guard depth < Self.maximumDepth,
        let found = ValueLookup(table: names).value(database, in: scope, expecting: "CloudKitDatabase")
      else { break }
      return mirroring(by: found.value, in: found.scope, depth: depth + 1)
    }
    return entitlements.denyMirroring(names.files[scope.file].path) ? .no : .undecided(reason)
  }

  private static let maximumDepth = 8

  /// The mirroring by entitlements, where the configuration does not state it.
  private func unsaidMirroring(_ path: String) -> LintContainer.Mirroring {
    switch entitlements.mirroring(path) {
    case .on(let entitlements): .entitled(entitlements)
    case .possible(let entitlements): .undecided("'\(entitlements)' has CloudKit, and no container yet")
    // There are entitlements, and no target has a CloudKit container.
    case .off: .no
    case .unknown: .byDefault
    }
  }

  /// The mirroring where the configuration is made elsewhere.
  private func unfoundMirroring(_ path: String) -> LintContainer.Mirroring {
    switch entitlements.mirroring(path) {
    case .on(let entitlements), .possible(let entitlements):
      .undecided("'\(entitlements)' has CloudKit, and the configuration is made where it is not found")
    case .off: .no
    case .unknown: .unknown
    }
  }
}

extension LintContainer.Mirroring {
  /// One of several values, where it is not known which.
  fileprivate static func any(_ all: [Self], because reason: String) -> Self {
    guard let first = all.first, !all.allSatisfy({ $0 == first }) else { return all.first ?? .no }
    if all.allSatisfy(\.isOn) { return first }
    if all.contains(where: \.mayBeOn) { return .possible(reason) }
    if let undecided = all.first(where: \.isUndecided) { return undecided }
    return all.contains(.unknown) ? .unknown : .byDefault
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
