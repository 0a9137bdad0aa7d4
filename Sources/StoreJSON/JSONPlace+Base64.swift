import StoreText

extension JSONPlace {
  /// The bytes that a text encodes in base-64, with padding.
  package func base64() throws(JSONError) -> [UInt8] {
    guard let bytes = decoded(base64: Array(try string().utf8)[...]) else { throw error("base64 is expected") }
    return bytes
  }
}
