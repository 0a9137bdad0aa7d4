import StorePropertyLists
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

  var line: String {
    let framework = frameworkVersion.map { "framework \($0)" } ?? "framework unknown"
    return "\(escapedForTerminal(path))  \(bytes) bytes, \(day), \(framework), \(entities) entities"
  }

  /// The day of the last change in UTC.
  private var day: String {
    let days = Int(modified).floorDivided(by: 86400).quotient
    let (year, month, day) = GregorianCalendar.date(
      daysSince2001: days + GregorianCalendar.daysSince2001(year: 1970, month: 1, day: 1))
    return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }
}
