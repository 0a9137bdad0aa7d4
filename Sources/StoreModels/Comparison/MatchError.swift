import StoreWords

/// The store's metadata hold no version hashes, so no model can be matched.
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
