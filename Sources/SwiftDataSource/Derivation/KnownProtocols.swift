/// Protocols of the system that model classes and enums conform to. Another name that the sources do not declare may be
/// a superclass or a raw type.
enum KnownProtocols {
  private static let names: Set<String> = [
    "Codable", "Decodable", "Encodable", "Hashable", "Equatable", "Comparable", "Identifiable", "Sendable",
    "CaseIterable", "CustomStringConvertible", "CustomDebugStringConvertible", "LocalizedStringResourceConvertible",
    "CustomLocalizedStringResourceConvertible", "ObservableObject", "Observable", "PersistentModel", "Transferable",
    "AppEntity", "AppEnum", "IndexedEntity", "Error", "LocalizedError", "RawRepresentable", "Copyable", "View",
    "ExpressibleByStringLiteral", "ExpressibleByIntegerLiteral", "LosslessStringConvertible", "Plottable",
    "CodingKeyRepresentable", "CustomReflectable", "BitwiseCopyable",
  ]

  static func contain(_ name: String) -> Bool {
    // `SwiftUI.View` is looked up without its module.
    names.contains(name)
  }
}
