import StoreText
import StoreWords

extension BackupFacts {
  /// "a backup of iPhone12,1 with iOS 17.4, made 2024-03-01, complete": what the lists say of it.
  package var words: String {
    var words = "a backup"
    if let product { words += " of \(shown(product))" }
    if let system { words += " with \(product?.hasPrefix("iPad") == true ? "iPadOS" : "iOS") \(shown(system))" }
    if let date, let day = DateText.day(secondsSince2001: date) { words += ", made \(day)" }
    switch isComplete {
    case true?: words += ", complete"
    case false?: words += ", not complete"
    case nil: words += "; whether it is complete is not said"
    }
    return words
  }

  /// A list can say anything.
  private func shown(_ text: String) -> String { String(escapedForTerminal(text).prefix(60)) }
}
