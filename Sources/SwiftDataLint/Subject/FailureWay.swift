import StoreSwiftDataSchemas
import StoreText
import SwiftDataSource

/// Where the error of a call goes: the handlers around it, and those around the calls of its function where that passes
/// it on.
struct FailureWay {
  struct Part {
    let span: SourceSpan
    let form: SourceCode.Form
    let scope: Scope
    /// The `do` blocks that it is the failure of.
    let tried: [SourceSpan]
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
    func part(_ span: SourceSpan, _ form: SourceCode.Form) -> Part {
      Part(span: span, form: form, scope: scope, tried: failure.tried)
    }
    return failure.clauses.map { part($0, .block) } + failure.rests.map { part($0, .file) }
      + [failure.setup].compactMap(\.self).map { part($0, .closure) }
  }

  /// Follows the error out of the function that contains the call, to the callers of that.
  mutating func follow(_ call: ContainerCall, in scope: Scope, by sites: inout CallSites, _ code: inout LintCode) {
    var seen: Set<CallSites.Function> = []
    isOpen = false
    if call.failure.isLeftToCallers,
      !leads(out: call.failure, of: call.function, in: scope, by: &sites, &code, seen: &seen, depth: 0)
    {
      isOpen = true
    }
    follow(valueOf: call.failure, from: call.function, in: scope, by: &sites)
  }

  /// Follows a failure that a function gives back as a value to what its callers do with that.
  private mutating func follow(
    valueOf failure: FailureHandling, from function: SourceSpan?, in scope: Scope, by sites: inout CallSites
  ) {
    guard let returned = failure.returned else { return }
    var seen: Set<CallSites.Function> = []
    let isHandled = leads(returnedBy: function, in: scope, by: &sites, seen: &seen, depth: 0)
    // That nobody asks for an error is not known where one caller does not; `nil` may be what is wanted.
    if !isHandled, returned == .error { isOpen = true }
  }

  /// Whether all callers of a function, and of those that give its value back, ask if it is a failure.
  private mutating func leads(
    returnedBy function: SourceSpan?, in scope: Scope, by sites: inout CallSites,
    seen: inout Set<CallSites.Function>, depth: Int
  ) -> Bool {
    guard depth < Self.maximumDepth, let function,
      let callers = callers(of: function, in: scope, by: &sites, seen: &seen)
    else { return false }
    var isHandled = true
    for (call, place) in callers {
      let received = call.received
      handlers += received.blocks.map { Part(span: $0, form: .block, scope: place, tried: []) }
      handlers += received.statements.map { Part(span: $0, form: .file, scope: place, tried: []) }
      if received.isReturned {
        let next = leads(returnedBy: call.function, in: place, by: &sites, seen: &seen, depth: depth + 1)
        isHandled = next && isHandled
      } else if received.blocks.isEmpty, received.statements.isEmpty {
        isHandled = false
      }
    }
    return isHandled
  }

  /// Whether every way out of a function ends at somebody who handles the error.
  private mutating func leads(
    out failure: FailureHandling, of function: SourceSpan?, in scope: Scope, by sites: inout CallSites,
    _ code: inout LintCode, seen: inout Set<CallSites.Function>, depth: Int
  ) -> Bool {
    guard depth < Self.maximumDepth else { return false }
    if let closure = failure.closure,
      let handled = leads(
        throughClosure: closure, of: function, in: scope, by: &sites, &code, seen: &seen, depth: depth)
    {
      return handled
    }
    guard let function, let callers = callers(of: function, in: scope, by: &sites, seen: &seen) else { return false }
    var isHandled = true
    for (call, place) in callers {
      let next = add(call, in: place, by: &sites, &code, seen: &seen, depth: depth)
      isHandled = next && isHandled
    }
    return isHandled
  }

  /// The calls of a function that what it gives back reaches, each with the scope in which the caller is followed: none for
  /// a function that was seen before; nil where no call of it is known.
  private func callers(
    of function: SourceSpan, in scope: Scope, by sites: inout CallSites, seen: inout Set<CallSites.Function>
  ) -> [(call: FunctionCall, place: Scope)]? {
    let own = CallSites.Function(file: scope.file, span: function)
    guard seen.insert(own).inserted else { return [] }
    guard let all = sites.sites(of: own), !all.isEmpty else { return nil }
    let frame = scope.frame.flatMap { $0.file == own.file && $0.function == own.span ? $0 : nil }
    return all.compactMap { site in
      // Where the values of one caller are followed, only that one gets the error.
      guard !site.call.asksForMemory,
        frame.map({ $0.call == site.call.span && $0.caller.file == site.scope.file }) ?? true
      else { return nil }
      return (site.call, frame?.caller ?? site.scope)
    }
  }

  /// Adds what is done where a call fails that is on the way of the error.
  private mutating func add(
    _ call: FunctionCall, in scope: Scope, by sites: inout CallSites, _ code: inout LintCode,
    seen: inout Set<CallSites.Function>, depth: Int
  ) -> Bool {
    handlers += Self.parts(call.failure, in: scope)
    if call.failure.isForced { forced.append(sites.place(of: call, in: scope.file)) }
    follow(valueOf: call.failure, from: call.function, in: scope, by: &sites)
    guard call.failure.isLeftToCallers else { return true }
    return leads(out: call.failure, of: call.function, in: scope, by: &sites, &code, seen: &seen, depth: depth + 1)
  }

  /// Follows an error that leaves a closure, `open { try makeContainer() }`, to where the function that gets the closure
  /// calls it; nil where that function is not in the sources, or does not call it itself.
  private mutating func leads(
    throughClosure closure: FailureHandling.PassedClosure, of function: SourceSpan?, in scope: Scope,
    by sites: inout CallSites, _ code: inout LintCode, seen: inout Set<CallSites.Function>, depth: Int
  ) -> Bool? {
    guard let call = sites.call(at: closure.call, in: scope.file), let receiver = code.frame(of: call, in: scope),
      let name = receiver.frame.name(ofArgumentAt: closure.span),
      let calls = sites.calls(
        ofParameter: name, of: CallSites.Function(file: receiver.scope.file, span: receiver.frame.function)),
      !calls.isEmpty
    else { return nil }
    var isHandled = true
    for inner in calls {
      handlers += Self.parts(inner.failure, in: receiver.scope)
      // What the function passes on leaves the call that got the closure.
      guard inner.failure.isLeftToCallers else { continue }
      let next = add(call, in: scope, by: &sites, &code, seen: &seen, depth: depth)
      isHandled = next && isHandled
    }
    return isHandled
  }
}

extension FunctionCall {
  /// Whether it asks for a container in memory, as `Store(inMemory: true)` does: that is not what fails.
  fileprivate var asksForMemory: Bool {
    arguments.contains { argument in
      guard let label = argument.label, case .boolean(true) = argument.value.kind else { return false }
      return label.lowercased().contains("memory")
    }
  }
}
