/// A choice of the caller that a message of a repair points to. The raw value is its name in this library.
public enum CallerChoice: String, Sendable, CaseIterable {
  /// The store is changed itself.
  case inPlace
  /// A repaired copy is written.
  case output
  /// The file that is there already is replaced.
  case replaces
  /// The copy is made without the write-ahead log.
  case leavesOutWAL
  /// The copy is made with a log that may belong to another store.
  case acceptsWAL
  /// The folder of the journal.
  case journal
  /// The store to undo a repair of.
  case store
  /// The model that the store is repaired for.
  case model
  /// Nothing may be written unless the store opens with the model afterwards.
  case requiresMigration

  /// The option of `storedoctor` that makes the choice, as its plans name it.
  public var option: String {
    switch self {
    case .inPlace: "--in-place"
    case .output: "--output"
    case .replaces: "--force"
    case .leavesOutWAL: "--without-wal"
    case .acceptsWAL: "--accept-wal"
    case .journal: "--journal"
    case .store: "--store"
    case .model: "--model"
    case .requiresMigration: "--require"
    }
  }

  /// The choice in the messages of this library.
  var words: String { "'\(rawValue)'" }
}

/// An error whose message points to choices of the caller.
public protocol NamesCallerChoices: Error, CustomStringConvertible {
  /// The message, with the choices as the program that shows it calls them.
  ///
  /// - Parameter name: what a choice is called.
  func message(naming name: (CallerChoice) -> String) -> String
}

extension NamesCallerChoices {
  /// The message, with the choices by their names in this library.
  public var description: String { message(naming: \.words) }
}
