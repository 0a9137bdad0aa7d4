import Dispatch
import Synchronization

/// What a piece of work makes of each item, in the items' order, on as many threads as the machine has cores.
///
/// - Throws: the error of the first item, in their order, whose work failed.
package func concurrently<Item: Sendable, Made: Sendable, Failure: Error>(
  _ items: [Item], _ work: @Sendable (Item) throws(Failure) -> Made
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
