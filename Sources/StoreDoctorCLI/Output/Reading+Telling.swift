import StoreCoreData
import StoreWords

extension Reading {
  /// Says on standard error what a person has to know of the files, where standard output is for lines or tables alone.
  func tell() { tell(clauses) }

  /// Says what the tables that were read do not show, once they were read.
  func tellDamage() { tell(damage) }

  private func tell(_ clauses: [String]) {
    for clause in clauses { standardError("storedoctor: \(escapedForTerminal(clause))") }
  }
}
