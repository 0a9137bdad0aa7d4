import StoreJSON

/// A value that has a JSON form agreed with scripts.
protocol JSONRepresentable {
  var json: JSONValue { get }
}
