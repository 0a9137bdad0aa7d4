/// A value that belongs to a model but is ignored when models are compared.
///
/// Models are equal if they store, validate and hash alike, whatever they were read from. Xcode's element ids, for
/// example, do not matter for that, but must be kept for writing the model back.
@propertyWrapper
package struct Uncompared<Value: Sendable>: Sendable, Equatable {
  /// The value.
  package var wrappedValue: Value

  /// Wraps a value.
  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Always true.
  package static func == (left: Self, right: Self) -> Bool { true }
}
