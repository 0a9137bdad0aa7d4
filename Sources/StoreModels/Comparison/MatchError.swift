import StoreWords

/// A store whose metadata hold no version hashes.
public struct MatchError: Error, CustomStringConvertible {
  /// The store.
  public var path: String

  package init(path: String) {
    self.path = path
  }

  /// The sentence shown to people.
  public var description: String {
    "cannot match \(quoted(path)): its metadata hold no version hashes; 'storedoctor inspect' shows what they do hold"
  }
}
