import StoreJSON

/// A value with a JSON form that scripts can rely on.
protocol JSONRepresentable {
  var json: JSONValue { get }
}
