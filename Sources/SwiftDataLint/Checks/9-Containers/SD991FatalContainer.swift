import StoreSourceChecks
import StoreSwiftDataSchemas
import StoreText
import SwiftDataSource

extension LintCheck {
  static let fatalContainer = LintCheck(.fatalContainer) { subject, say in
    let ending: Set<String> = ["fatalError", "preconditionFailure", "exit", "abort", "try!"]
    var seen: Set<SourcePlace> = []
    subject.skipCallers(&say)
    for container in subject.containers where !container.isInMemory && !container.call.isInPreview {
      if container.call.failure.isForced {
        say.add(
          at: container.place,
          message: "try! ends the app where the container cannot be made, without a word to the user")
      }
      for place in container.forcedCalls where seen.insert(place).inserted {
        say.add(
          at: place, message: "try! ends the app where the container cannot be made, without a word to the user",
          notes: [.init("the container", at: container.place)])
      }
      for call in subject.calls(of: container, &say)
      where ending.contains(call.name) && call.isDirect && !call.isForDebugging {
        let place = subject.place(call.span, in: call.file)
        guard seen.insert(place).inserted else { continue }
        say.add(
          at: place,
          message: "\(call.name) ends the app where the container cannot be made, without a word to the user",
          notes: [.init("the container", at: container.place)])
      }
    }
  }

  static let memoryFallback = LintCheck(.memoryFallback) { subject, say in
    var seen: Set<SourcePlace> = []
    subject.skipCallers(&say)
    for container in subject.containers where !container.isDisposable {
      for handler in container.handlers where handler.form != .closure {
        let fallback = subject.containers.first {
          $0.isInMemory && !$0.call.isInPreview && subject.isMade($0, in: handler)
        }
        guard let fallback, seen.insert(fallback.place).inserted else { continue }
        say.add(
          at: fallback.place,
          message: "where the container cannot be made, one in memory takes its place: what is entered is lost",
          notes: [.init("the container", at: container.place)])
      }
    }
  }
}

extension LintSubject {
  /// Whether a container is made in a handler, or in a function that it calls, with the values that it passes where these
  /// decide.
  fileprivate func isMade(_ container: LintContainer, in handler: FailureHandler) -> Bool {
    func isInHandler(_ span: SourceSpan, in file: Int) -> Bool { file == handler.file && handler.span.contains(span) }
    func helpers(with span: SourceSpan, in file: Int) -> [FailureHandler.Piece] {
      handler.helpers.filter { $0.file == file && $0.span.contains(span) }
    }
    let (call, scope) = (container.call.span, container.scope)
    if isInHandler(call, in: scope.file) { return true }
    let around = helpers(with: call, in: scope.file)
    guard !around.isEmpty else { return false }
    if let frame = scope.frame {
      let caller = frame.caller.file
      return isInHandler(frame.call, in: caller) || !helpers(with: frame.call, in: caller).isEmpty
    }
    // A function that makes one of either kind makes that in memory in other cases, such as in tests.
    return around.contains { helper in
      !containers.contains { !$0.isInMemory && $0.scope.file == helper.file && helper.span.contains($0.call.span) }
    }
  }
}

extension LintSubject {
  /// Notes containers whose failure is handled by callers.
  func skipCallers(_ say: inout LintFindings) {
    for container in containers
    where container.call.kind == .container && container.isLeftOpen && !container.container.isTemporary {
      say.skip("what is done where this container cannot be made is up to callers of its function", at: container.place)
    }
  }

  /// The calls made when a container cannot be created; notes handlers that cannot be read.
  fileprivate func calls(of container: LintContainer, _ say: inout LintFindings) -> [FailureHandler.Call] {
    container.handlers.flatMap { handler -> [FailureHandler.Call] in
      guard let calls = handler.calls else {
        say.skip(
          "a catch clause is not looked into: such clauses and stages have more than \(LintCode.maximumBytes) bytes",
          at: place(handler.span, in: handler.file))
        return []
      }
      // What fails in a handler has handlers of its own, and is another container, or no container at all.
      return calls.filter { !$0.isOfOtherFailure }
    }
  }
}
