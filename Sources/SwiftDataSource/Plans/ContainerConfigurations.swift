/// The `ModelConfiguration`s that a container call is given.
package struct ContainerConfigurations {
  /// A configuration, with the file and type for resolving its names.
  package struct Configuration {
    package var arguments: [SourceArgument]
    package var scope: Scope
    /// Whether this one by itself is in memory.
    fileprivate var saysInMemory: Bool
    /// The configurations it may be instead: in `isSyncing ? cloud : local`, `local`.
    package var others: [Configuration] = []

    package func argument(_ label: String) -> SourceExpression? { arguments.first { $0.label == label }?.value }
  }

  /// All of them; nil where one is made elsewhere and not found.
  package let all: [Configuration]?
  /// Whether the data is lost with the container.
  package let isInMemory: Bool
  private let reader: Reader

  package init(names: NameTable, call: ContainerCall, scope: Scope) {
    let reader = Reader(names: names, call: call)
    let all = reader.configurations(scope)
    self.reader = reader
    self.all = all
    let areAll = all.map { !$0.isEmpty && $0.allSatisfy(\.isInMemory) } ?? false
    isInMemory = areAll || call.arguments.contains { reader.saysInMemory($0, in: scope) }
  }

  /// Whether none of them says where its file is.
  package var arePlacedByDefault: Bool {
    all?.allSatisfy { configuration in
      configuration.readings.allSatisfy { $0.argument("url") == nil && $0.argument("groupContainer") == nil }
    } ?? false
  }

  /// The classes of a configuration: `schema:`, or `for: Note.self, Tag.self`; nil where they are not known.
  package func classes(of configuration: Configuration) -> ConfigurationClasses? { reader.classes(of: configuration) }

  private struct Reader {
    let names: NameTable
    let call: ContainerCall

    private static let maximumDepth = 16

    /// Whether it is `isStoredInMemoryOnly: true` or `inMemory: true`, or has a name there that is true where the
    /// container is made: by the caller's argument, or by an `if` around the call.
    func saysInMemory(_ argument: SourceArgument, in scope: Scope) -> Bool {
      guard ["isStoredInMemoryOnly", "inMemory"].contains(argument.label ?? "") else { return false }
      var found: ValueLookup.Found = (argument.value, scope)
      for _ in 0..<Self.maximumDepth {
        if case .boolean(let isTrue) = found.value.kind { return isTrue }
        if let path = found.value.pathNames, call.trueNames.contains(path.joined(separator: ".")) { return true }
        guard let next = ValueLookup(table: names).value(found.value, in: found.scope) else { return false }
        found = next
      }
      return false
    }

    func configurations(_ scope: Scope) -> [Configuration]? {
      guard let first = call.arguments.firstIndex(where: { ($0.label ?? "").hasPrefix("configuration") }) else {
        return []
      }
      var values = [call.arguments[first].value]
      values += call.arguments[(first + 1)...].prefix { $0.label == nil }.map(\.value)
      return all(values, in: scope, depth: 0)
    }

    private func all(_ values: [SourceExpression], in scope: Scope, depth: Int) -> [Configuration]? {
      let found = values.prefix(64).map { configurations(in: $0, scope, depth: depth) }
      return found.contains { $0 == nil } ? nil : found.flatMap { $0 ?? [] }
    }

    private func configurations(in value: SourceExpression, _ scope: Scope, depth: Int) -> [Configuration]? {
      guard depth < Self.maximumDepth else { return nil }
      if case .array(let elements) = value.kind { return all(elements, in: scope, depth: depth + 1) }
      if case .choice(let values) = value.kind { return one(of: values, scope, depth: depth + 1) }
      if let (callee, arguments) = value.call {
        guard Self.isConfiguration(callee) else { return nil }
        let isInMemory = arguments.contains { saysInMemory($0, in: scope) }
        return [Configuration(arguments: arguments, scope: scope, saysInMemory: isInMemory)]
      }
      guard let found = ValueLookup(table: names).value(value, in: scope, expecting: "ModelConfiguration") else {
        return nil
      }
      return configurations(in: found.value, found.scope, depth: depth + 1)
    }

    /// A single configuration, of which it is not known which of some it is.
    private func one(of values: [SourceExpression], _ scope: Scope, depth: Int) -> [Configuration]? {
      guard let all = all(values, in: scope, depth: depth), all.count == values.count, var first = all.first else {
        return nil
      }
      first.others = all.dropFirst().flatMap { [$0] + $0.others }
      return [first]
    }

    func classes(of configuration: Configuration) -> ConfigurationClasses? {
      let all = configuration.readings.map(ownClasses)
      guard !all.contains(where: { $0 == nil }) else { return nil }
      return all.compactMap(\.self).reduce(.some([])) { $0.union($1) }
    }

    private func ownClasses(_ configuration: Configuration) -> ConfigurationClasses? {
      let (arguments, scope) = (configuration.arguments, configuration.scope)
      let reader = ContainerReader(table: names)
      if let first = arguments.firstIndex(where: { $0.label == "for" }) {
        let values = arguments[first...].prefix { $0.label == "for" || $0.label == nil }.map(\.value)
        return reader.classes(of: values, in: scope).map { .some(Set($0)) }
      }
      guard let schema = configuration.argument("schema"), !schema.isNil else { return .all }
      let found: ValueLookup.Found =
        (schema.call == nil ? ValueLookup(table: names).value(schema, in: scope) : nil) ?? (schema, scope)
      return reader.classes(of: [found.value], in: found.scope).map { .some(Set($0)) }
    }

    /// Whether `ModelConfiguration(…)` or `.init(…)` is called; results of other functions are not known.
    private static func isConfiguration(_ callee: SourceExpression) -> Bool {
      guard let path = callee.pathNames else { return callee.memberName == "init" }
      return ["ModelConfiguration", "SwiftData.ModelConfiguration", "ModelConfiguration.init"]
        .contains(path.joined(separator: "."))
    }
  }
}

extension ContainerConfigurations.Configuration {
  /// Whether it is in memory, whichever it is.
  package var isInMemory: Bool { readings.allSatisfy(\.saysInMemory) }

  /// Each that it may be, by itself.
  package var readings: [Self] { [Self(arguments: arguments, scope: scope, saysInMemory: saysInMemory)] + others }
}

/// The classes for which a configuration's store is.
package enum ConfigurationClasses {
  /// All classes of the container, since none are given.
  case all
  case some(Set<TypeID>)

  fileprivate func union(_ other: Self) -> Self {
    guard case .some(let own) = self, case .some(let others) = other else { return .all }
    return .some(own.union(others))
  }
}
