import StoreText
import StoreWords

/// One store found in a folder, with the facts that help the user choose.
public struct StoreSummary: Sendable, Equatable {
  /// Path of the main file.
  public var path: String
  /// Bytes of main file and WAL.
  public var bytes: Int64
  /// Last change of either, seconds since 1970.
  public var modified: Int64
  /// Framework version; nil if the metadata cannot be read.
  public var frameworkVersion: Int64?
  /// Number of entities of the model.
  public var entities: Int
  /// The app, plug-in or group in whose container it lies, where that is known and not in the path.
  package var container: String?
  /// The store's UUID; several files with the same one are states of one store.
  package var uuid: String?
  /// Why it cannot be opened, in a sentence, where it is too damaged for that.
  package var damage: String?
  /// How far its counters have come.
  package var age = StoreAge()

  var line: String {
    let date = DateText.day(secondsSince2001: Double(modified) - Double(secondsFrom1970To2001)) ?? "date unknown"
    if damage != nil { return "\(escapedForTerminal(path))  \(bytes) bytes, \(date), damaged" }
    let framework = frameworkVersion.map { "framework \($0)" } ?? "framework unknown"
    let place = container.map { ", of \(escapedForTerminal($0))" } ?? ""
    return "\(escapedForTerminal(path))  \(bytes) bytes, \(date), \(framework), \(entities) entities\(place)"
  }
}
