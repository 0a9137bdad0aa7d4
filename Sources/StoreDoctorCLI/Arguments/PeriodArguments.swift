import ArgumentParser
import StoreText

/// A period of time.
struct PeriodArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Leave out what was before: 2024-03-01, or 2024-03-01T12:00:00Z. UTC.", valueName: "time"))
  var since: String?

  @Option(help: ArgumentHelp("Leave out what was after. A day counts to its end.", valueName: "time"))
  var until: String?

  func validate() throws {
    _ = try start
    _ = try end
  }

  /// The earliest moment, seconds since 2001-01-01 UTC; nil for no limit.
  var start: Double? {
    get throws { try since.map { try seconds($0, isEnd: false, option: "--since") } }
  }

  /// The latest moment, likewise.
  var end: Double? {
    get throws { try until.map { try seconds($0, isEnd: true, option: "--until") } }
  }

  private func seconds(_ text: String, isEnd: Bool, option: String) throws -> Double {
    guard let reading = DateReading(text) else {
      throw ValidationError(
        "\(option) is a day or a moment in UTC, as 2024-03-01 or 2024-03-01T12:00:00Z; not '\(text)'")
    }
    return isEnd ? reading.end : reading.seconds
  }
}
