/// The stages of the work on one store; a worker's last one is known when it is ended.
package enum AuditStage: UInt8, Sendable, CaseIterable {
  /// Its files are checked, and metadata, entity map and model read.
  case opening = 1
  /// Its tables are read and checked.
  case checking
  /// A repair is planned on a private copy.
  case planning
  /// A repaired copy is written.
  case applying
  /// Its line is written.
  case writing
  /// An archive is unpacked and searched.
  case unpacking
  /// Its migration is rehearsed.
  case migrating
  /// A copy without anybody's values is written and proved.
  case anonymizing

  /// The stage's name.
  package var name: String {
    switch self {
    case .opening: "opening"
    case .checking: "checking"
    case .planning: "planning"
    case .applying: "applying"
    case .writing: "writing"
    case .unpacking: "unpacking"
    case .migrating: "migrating"
    case .anonymizing: "anonymizing"
    }
  }
}
