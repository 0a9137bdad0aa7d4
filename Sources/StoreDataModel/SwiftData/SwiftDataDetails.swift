/// Details of a class in Swift source that a model cannot hold; needed to write the class as it was.
package struct SwiftDataDetails: Sendable, Hashable {
  /// The enums of properties, by property name; for a member of a struct, by path: "place.kind".
  package var enums: [String: SwiftDataEnum]
  /// Initial values that are computed anew at each run, by property: "Date.now".
  package var initialValues: [String: String]
  /// Options of `@Attribute` that are not part of a model, by property: ".spotlight".
  package var options: [String: [String]]

  /// The types of the values in arrays of values, by property: "UUID".
  package var lists: [String: String]
  /// Whether the systems that the class is built for have `#Unique`; nil where that is not known.
  package var hasUniqueMacro: Bool?

  /// By default no details.
  package init(
    enums: [String: SwiftDataEnum] = [:], initialValues: [String: String] = [:], options: [String: [String]] = [:],
    lists: [String: String] = [:]
  ) {
    self.enums = enums
    self.initialValues = initialValues
    self.options = options
    self.lists = lists
  }
}
