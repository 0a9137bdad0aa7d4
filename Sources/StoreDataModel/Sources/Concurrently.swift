import Dispatch
import Synchronization

/// Applies `work` to each item on as many threads as the machine has cores; the results are in the order of the items.
///
/// - Throws: the error of the first failed item, in their order.
package func concurrently<Item: Sendable, Made: Sendable, Failure: Error>(
  _ items: [Item], work: @Sendable (Item) throws(Failure) -> Made
) throws(Failure) -> [Made] {
  let results = Mutex<[Result<Made, Failure>?]>(Array(repeating: nil, count: items.count))
  DispatchQueue.concurrentPerform(iterations: items.count) { position in
    let result: Result<Made, Failure>
    do throws(Failure) {
      result = .success(try work(items[position]))
    } catch {
      result = .failure(error)
    }
    results.withLock { $0[position] = result }
  }
  var made: [Made] = []
  for result in results.withLock({ $0 }) {
    if let result { made.append(try result.get()) }
  }
  return made
}
