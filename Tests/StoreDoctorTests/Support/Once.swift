import Synchronization

/// Something that is made when it is first asked for, by whoever asks, and then is there for all.
final class Once<Value: Sendable>: Sendable {
  private let make: @Sendable () throws -> Value
  private let made = Mutex<Result<Value, any Error>?>(nil)

  init(_ make: @escaping @Sendable () throws -> Value) { self.make = make }

  func get() throws -> Value {
    try made.withLock { made in
      let result = made ?? Result { try make() }
      made = result
      return result
    }.get()
  }
}
