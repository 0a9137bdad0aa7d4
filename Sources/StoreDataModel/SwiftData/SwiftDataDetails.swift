/// What Swift source says of a class and a model cannot hold: with it a class is written as it was.
public struct SwiftDataDetails: Sendable, Hashable {
  /// The enums of properties, by name; of what is within a struct by a path: "place.kind".
  public var enums: [String: SwiftDataEnum]
  /// Initial values that a run of the app makes anew and that stand for themselves, by property: "Date.now".
  public var initialValues: [String: String]
  /// Options of `@Attribute` that are no part of a model, by property: ".spotlight".
  public var options: [String: [String]]

  /// Nothing, unless said otherwise.
  public init(
    enums: [String: SwiftDataEnum] = [:], initialValues: [String: String] = [:], options: [String: [String]] = [:]
  ) {
    self.enums = enums
    self.initialValues = initialValues
    self.options = options
  }
}
