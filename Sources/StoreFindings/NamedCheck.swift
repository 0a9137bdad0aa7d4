/// Something with the two names of a check: of stores, of source, or the words of either.
public protocol NamedCheck {
  /// "SD401".
  var id: String { get }
  /// "dangling-reference".
  var name: String { get }
  /// Every one there is, by id.
  static var all: [Self] { get }
}

extension NamedCheck {
  /// The check of that id or name.
  public static func named(_ name: String) -> Self? { all.first { $0.id == name || $0.name == name } }
}
