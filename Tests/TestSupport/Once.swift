import Synchronization

/// A value that is made when it is first asked for, and kept.
package final class Once<Value: Sendable>: Sendable {
  private let make: @Sendable () throws -> Value
  private let made = Mutex<Result<Value, any Error>?>(nil)

  package init(_ make: @escaping @Sendable () throws -> Value) { self.make = make }

  package func get() throws -> Value {
    try made.withLock { made in
      let result = made ?? Result { try make() }
      made = result
      return result
    }.get()
  }
}
