/// Random moments at which to kill a run: from its beginning to a bit after its end.
///
/// Beside other work a later run takes longer or shorter than the one whose length was measured, so that each run says
/// anew where the end is.
package struct RandomMoments {
  /// The length of a run as far as is known, in microseconds.
  private var end: UInt32

  /// - Parameter took: how long a run took that was not killed, in microseconds.
  package init(ofRunThatTook took: UInt32) { end = took }

  /// The next moment, in microseconds after the start.
  package func next(using random: inout SeededGenerator) -> UInt32 {
    .random(in: 0...end.addingReportingOverflow(end / 4).partialValue, using: &random)
  }

  /// Learns whether the run that was to be killed at `moment` had finished by then.
  package mutating func learn(finished: Bool, at moment: UInt32) {
    end = finished ? min(end, moment) : max(end, moment)
  }
}
