import StoreCoreData
import StoreWords

extension Reading {
  /// Says on standard error what a person has to know of the files, where standard output is for lines or tables alone.
  func tell() { for clause in clauses { standardError("storedoctor: \(escapedForTerminal(clause))") } }
}
