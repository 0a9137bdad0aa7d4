import StoreDiagnosis
import StoreExplanation
import StoreInspection
import StoreMigrator
import StoreModels
import StoreRecovery
import StoreRepair
import StoreReports

/// An answer, to be shown to a person or handed to another program: what the command of the same name prints.
public protocol Answer {
  /// The document of `--format json`, whose JSON Schema `storedoctor schema` prints. It ends with a line feed.
  var jsonText: String { get }

  /// The text for a terminal of `width` columns, without colours; it ends with a line feed.
  func text(width: Int) -> String
}

extension Inspection: Answer {
  public var jsonText: String { json.text }
  public func text(width: Int) -> String { text(width: width, isStyled: false) }
}

extension Diagnosis: Answer {
  public var jsonText: String { json.text }
  public func text(width: Int) -> String { text(width: width, isStyled: false) }
}

extension ModelMatch: Answer {
  public var jsonText: String { json.text }
  public func text(width: Int) -> String { text(width: width, isStyled: false) }
}

/// Values of rows are left out of plans; `storedoctor repair --show-values` has them.
extension RepairPlan: Answer {
  public var jsonText: String { json(toolVersion: toolVersion, showsValues: false).text }
  public func text(width: Int) -> String { text(width: width, isStyled: false) }
}

extension RepairOutcome: Answer {
  public var jsonText: String { json.text }
  public func text(width: Int) -> String { text(width: width, isStyled: false) }
}

extension PerformedMigration: Answer {
  public var jsonText: String { json.text }
  public func text(width: Int) -> String {
    text(width: width, isStyled: false, showsStatements: output == nil, next: [])
  }
}

extension Explanation: Answer {
  public var jsonText: String { json.text }
  public func text(width: Int) -> String { text(width: width, isStyled: false) }
}

extension Recovery: Answer {
  public var jsonText: String { json.text }
  /// Every deleted object and earlier version that was found.
  public func text(width: Int) -> String { text(width: width, isStyled: false, isSummary: false) }
}
