import StoreSwiftDataSchemas
import SwiftDataSource

/// Where the error of a call goes: the handlers around it, and those around the calls of its function where that passes
/// it on.
struct FailureWay {
  struct Part {
    let span: SourceSpan
    let form: SourceCode.Form
    let scope: Scope
  }

  private(set) var handlers: [Part]
  /// The calls with `try!`, besides the first call itself.
  private(set) var forced: [SourcePlace] = []
  /// Whether it is passed on to callers that are not in the sources.
  private(set) var isOpen: Bool

  /// Calls of calls of calls.
  private static let maximumDepth = 4

  init(_ failure: FailureHandling, in scope: Scope) {
    handlers = Self.parts(failure, in: scope)
    isOpen = failure.isLeftToCallers
  }

  private static func parts(_ failure: FailureHandling, in scope: Scope) -> [Part] {
    failure.clauses.map { Part(span: $0, form: .block, scope: scope) }
      + [failure.setup].compactMap(\.self).map { Part(span: $0, form: .closure, scope: scope) }
  }

  /// Follows the error out of the function that contains the call, to the callers of that.
  mutating func follow(_ function: SourceSpan?, in file: Int, by callers: inout Callers, _ code: inout LintCode) {
    var seen: Set<Callers.Function> = []
    isOpen = !leads(out: function, of: file, by: &callers, &code, seen: &seen, depth: 0)
  }

  /// Whether every way out of a function ends at somebody who handles the error.
  private mutating func leads(
    out function: SourceSpan?, of file: Int, by callers: inout Callers, _ code: inout LintCode,
    seen: inout Set<Callers.Function>, depth: Int
  ) -> Bool {
    guard depth < Self.maximumDepth, let function else { return false }
    let own = Callers.Function(file: file, span: function)
    guard seen.insert(own).inserted else { return true }
    guard let sites = callers.sites(of: own, &code), !sites.isEmpty else { return false }
    var isHandled = true
    for site in sites {
      let failure = site.call.failure
      handlers += Self.parts(failure, in: site.scope)
      if failure.isForced { forced.append(callers.place(of: site)) }
      if failure.isLeftToCallers {
        let isFollowed = leads(
          out: site.call.function, of: site.scope.file, by: &callers, &code, seen: &seen, depth: depth + 1)
        isHandled = isFollowed && isHandled
      }
    }
    return isHandled
  }
}
