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
  /// `storedoctor.inspection/2`.
  public var jsonText: String { json.text }
  /// The text that `storedoctor inspect` prints.
  public func text(width: Int) -> String { text(width: width, isStyled: false) }
}

extension Diagnosis: Answer {
  /// `storedoctor.diagnosis/2`.
  public var jsonText: String { json.text }
  /// The text that `storedoctor diagnose` prints.
  public func text(width: Int) -> String { text(width: width, isStyled: false) }
}

extension ModelMatch: Answer {
  /// `storedoctor.model-match/2`.
  public var jsonText: String { json.text }
  /// The text that `storedoctor model match` prints.
  public func text(width: Int) -> String { text(width: width, isStyled: false) }
}

/// Values of rows are left out of plans; `storedoctor repair --show-values` has them.
extension RepairPlan: Answer {
  /// `storedoctor.plan/1`.
  public var jsonText: String { json(toolVersion: toolVersion, showsValues: false).text }
  /// The text that `storedoctor repair` prints.
  public func text(width: Int) -> String { text(width: width, isStyled: false) }
}

extension RepairOutcome: Answer {
  /// `storedoctor.outcome/2`.
  public var jsonText: String { json.text }
  /// The text that `storedoctor repair --output` prints.
  public func text(width: Int) -> String { text(width: width, isStyled: false) }
}

extension PerformedMigration: Answer {
  /// `storedoctor.migration/1`.
  public var jsonText: String { json.text }
  /// The text that `storedoctor migrate` prints.
  public func text(width: Int) -> String {
    text(width: width, isStyled: false, showsStatements: output == nil, next: [])
  }
}

extension Explanation: Answer {
  /// `storedoctor.explanation/2`.
  public var jsonText: String { json.text }
  /// The text that `storedoctor explain` prints.
  public func text(width: Int) -> String { text(width: width, isStyled: false) }
}

extension Recovery: Answer {
  /// `storedoctor.recovery/1`.
  public var jsonText: String { json.text }
  /// The text that `storedoctor recover` prints.
  public func text(width: Int) -> String { text(width: width, isStyled: false, isSummary: false) }
}
