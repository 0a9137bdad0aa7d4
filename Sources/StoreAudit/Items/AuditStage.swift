/// How far the work on one store of an audit has come; told by a worker's last word when it is ended.
public enum AuditStage: UInt8, Sendable, CaseIterable {
  /// Its files are looked at, and metadata, entity map and model are read.
  case opening = 1
  /// Its tables are read and checks decide.
  case checking
  /// A repair is planned on a private copy.
  case planning
  /// A repaired copy is written.
  case applying
  /// Its line is written.
  case writing
  /// An archive is unpacked and searched.
  case unpacking

  /// The word for it.
  public var name: String {
    switch self {
    case .opening: "opening"
    case .checking: "checking"
    case .planning: "planning"
    case .applying: "applying"
    case .writing: "writing"
    case .unpacking: "unpacking"
    }
  }
}
