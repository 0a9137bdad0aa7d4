// The part of Apple's CryptoKit that StoreDigests uses.
public protocol Digest: Sequence where Element == UInt8 {}
public protocol HashFunction {
  associatedtype Digest: CryptoKit.Digest
  init()
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  func finalize() -> Digest
}
public struct SHA256Digest: Digest { public func makeIterator() -> IndexingIterator<[UInt8]> { fatalError() } }
public struct SHA512Digest: Digest { public func makeIterator() -> IndexingIterator<[UInt8]> { fatalError() } }
public struct SHA256: HashFunction, Sendable {
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA256Digest { fatalError() }
}
public struct SHA512: HashFunction, Sendable {
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA512Digest { fatalError() }
}
public enum Insecure {
  public struct MD5Digest: Digest { public func makeIterator() -> IndexingIterator<[UInt8]> { fatalError() } }
  public struct SHA1Digest: Digest { public func makeIterator() -> IndexingIterator<[UInt8]> { fatalError() } }
  public struct MD5: HashFunction, Sendable {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> MD5Digest { fatalError() }
  }
  public struct SHA1: HashFunction, Sendable {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SHA1Digest { fatalError() }
  }
}
