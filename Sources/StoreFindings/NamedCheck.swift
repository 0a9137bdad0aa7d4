/// Something identified by the id and name of a check, for stores or for source.
package protocol NamedCheck {
  /// "SD401".
  var id: String { get }
  /// "dangling-reference".
  var name: String { get }
  /// All of them, by id.
  static var all: [Self] { get }
}

extension NamedCheck {
  /// The check of that id or name.
  package static func named(_ name: String) -> Self? { all.first { $0.id == name || $0.name == name } }
}
