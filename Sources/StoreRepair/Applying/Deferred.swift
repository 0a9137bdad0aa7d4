import Dispatch
import Synchronization

/// A value computed on another thread.
final class Deferred<Value: Sendable>: Sendable {
  /// Stands for the result until `work` finishes; never observed after `get()`.
  private struct Unfinished: Error, CustomStringConvertible {
    var description: String { "the work is not done" }
  }

  private let result = Mutex<Result<Value, any Error>>(.failure(Unfinished()))
  private let working = DispatchGroup()

  /// Starts `work` at once.
  init(_ work: @escaping @Sendable () throws -> Value) {
    DispatchQueue.global().async(group: working) {
      let result = Result { try work() }
      self.result.withLock { $0 = result }
    }
  }

  /// Waits for the value.
  ///
  /// - Throws: what `work` threw.
  func get() throws -> Value {
    working.wait()
    return try result.withLock { try $0.get() }
  }
}
