/// Protocols of the system that classes and enums of models conform to. A name that is none of them and not of the
/// sources may be a superclass or a raw type.
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
    // `SwiftUI.View` comes without its module.
    names.contains(name)
  }
}
