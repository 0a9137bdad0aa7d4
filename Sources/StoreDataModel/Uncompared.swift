/// A value that travels with a model and takes no part in comparing models: all values are equal.
///
/// Models are equal when they store, validate and hash alike, whatever they were read from; an element id of Xcode's
/// is none of that, but should still be there when the model is written back.
@propertyWrapper
public struct Uncompared<Value: Sendable>: Sendable, Equatable {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Always true.
  public static func == (left: Self, right: Self) -> Bool { true }
}
