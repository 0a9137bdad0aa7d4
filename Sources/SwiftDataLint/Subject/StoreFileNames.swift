import SwiftDataSource

/// Tells by a configuration which file its store is, as far as two of them can be compared.
struct StoreFileNames {
  let names: NameTable

  private static let maximumDepth = 32

  /// The expression that gives the file, in one spelling; nil where it is not made of constants alone.
  func file(of configuration: ContainerConfigurations.Configuration) -> String? {
    guard configuration.others.isEmpty else { return nil }
    if let url = configuration.argument("url") { return text(of: url, in: configuration.scope, depth: 0) }
    // Without a place of its own the file is in the sandbox of an app or of its extension.
    guard let group = configuration.argument("groupContainer"), group.call != nil,
      let place = text(of: group, in: configuration.scope, depth: 0)
    else { return nil }
    let first = configuration.arguments.first { $0.label == nil }?.value
    guard let first else { return "\(place) default" }
    return text(of: first, in: configuration.scope, depth: 0).map { "\(place) \($0)" }
  }

  private func text(of value: SourceExpression, in scope: Scope, depth: Int) -> String? {
    guard depth < Self.maximumDepth else { return nil }
    switch value.kind {
    case .string(let text): return "\"\(text)\""
    case .forced(let inner), .cast(let inner, _): return text(of: inner, in: scope, depth: depth + 1)
    case .call(let callee, let arguments):
      guard let callee = text(of: callee, in: scope, depth: depth + 1) else { return nil }
      let parts = arguments.map { argument in
        text(of: argument.value, in: scope, depth: depth + 1).map { (argument.label ?? "_") + $0 }
      }
      return parts.contains(nil) ? nil : "\(callee)(\(parts.compactMap(\.self).joined(separator: ",")))"
    case .name, .member:
      if let found = ValueLookup(table: names).value(value, in: scope) {
        return text(of: found.value, in: found.scope, depth: depth + 1)
      }
      guard case .member(let base, let component) = value.kind else {
        // `URL`, `FileManager`
        return value.pathNames.flatMap { $0[0].first?.isUppercase == true ? $0[0] : nil }
      }
      guard let base else { return ".\(component.name)" }
      return text(of: base, in: scope, depth: depth + 1).map { "\($0).\(component.name)" }
    default: return nil
    }
  }
}
