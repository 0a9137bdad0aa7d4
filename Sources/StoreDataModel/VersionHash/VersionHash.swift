import StoreWords
import StoreDigests

/// An entity's version hash: 32 bytes of SHA-256, as `NSStoreModelVersionHashes` holds them.
package struct VersionHash: Hashable, Sendable {
  /// The 32 bytes.
  package let bytes: [UInt8]

  /// A hash read from a store or model; nil if it does not have 32 bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// A hash from 64 hex digits; nil for any other text.
  package init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 64, text.utf8.count == 64 else { return nil }
    bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  init(hashing content: [UInt8]) {
    bytes = Digests.sha256(content)
  }
}

extension VersionHash: CustomStringConvertible {
  /// 64 lower-case hex digits.
  package var description: String { hexadecimal(bytes) }
}

/// The hashes of all entities of a model, and what Core Data derives from them.
///
/// Digest and checksum follow from the hashes alone, so a store's own can be verified (`docs/format/version-hash.md`,
/// "Digest", "Checksum").
package struct VersionHashes: Equatable, Sendable {
  /// The hash of each entity, by name.
  package var byEntity: [String: VersionHash]

  /// Creates a list from read or computed hashes.
  package init(_ byEntity: [String: VersionHash]) {
    self.byEntity = byEntity
  }

  /// Entity names in code-unit order, the order of digest and checksum.
  package var names: [String] { byEntity.keys.sorted(by: codeUnitsPrecede) }

  /// `NSStoreModelVersionHashesDigest`: 64 bytes of SHA-512 over name and hash of every entity.
  package var digest: [UInt8] {
    Digests.sha512(names.flatMap { Array($0.utf8) + (byEntity[$0]?.bytes ?? []) })
  }

  /// `NSStoreModelVersionChecksumKey`: 32 bytes of SHA-256 over the hashes alone.
  package var checksum: [UInt8] {
    Digests.sha256(names.flatMap { byEntity[$0]?.bytes ?? [] })
  }
}
