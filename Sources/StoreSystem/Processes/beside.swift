import Dispatch
import StorePlatform
import Synchronization

/// Does a job on a thread of its own, and something else on this one in the meantime.
///
/// It returns when both have ended, whatever happens; where the system gives no thread, one after the other is done.
///
/// - Throws: what the job throws, else what `meanwhile` throws.
package func beside<Done: Sendable, Other>(
  _ job: @escaping @Sendable () throws -> Done, meanwhile: () throws -> Other
) throws -> (Done, Other) {
  let outcome = Outcome<Done>()
  let ended = DispatchSemaphore(value: 0)
  let isBeside = Platform.startThread(stackBytes: 8 << 20) {
    outcome.done.withLock { $0 = Result { try job() } }
    ended.signal()
  }
  if !isBeside { outcome.done.withLock { $0 = Result { try job() } } }
  let other = Result { try meanwhile() }
  if isBeside { ended.wait() }
  guard let done = try outcome.done.withLock({ try $0?.get() }) else { throw CancellationError() }
  return (done, try other.get())
}

private final class Outcome<Done: Sendable>: Sendable {
  let done = Mutex<Result<Done, any Error>?>(nil)
}
