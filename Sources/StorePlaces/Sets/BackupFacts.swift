import StorePropertyLists

/// What the property lists of a backup say; nothing of whose device it is.
package struct BackupFacts: Equatable, Sendable {
  /// "iPhone12,1".
  package var product: String?
  /// The version of iOS or iPadOS.
  package var system: String?
  /// When it was made: seconds since 2001.
  package var date: Double?
  /// Whether `Manifest.plist` calls it encrypted; what lies there may have been decrypted since.
  package var saysEncrypted: Bool?
  /// "finished" for a whole one.
  package var snapshotState: String?
  /// Whether there was a `Manifest.plist` that could be read.
  var hasManifestList = false

  /// Reads the lists; nil for one that is missing or cannot be read.
  init(info: [UInt8]?, manifest: [UInt8]?, status: [UInt8]?) {
    let (info, manifest, status) = (Self.members(info), Self.members(manifest), Self.members(status))
    hasManifestList = manifest?.isEmpty == false
    if case .dictionary(let lockdown)? = manifest?["Lockdown"] {
      product = Self.string(lockdown["ProductType"])
      system = Self.string(lockdown["ProductVersion"])
    }
    product = Self.string(info?["Product Type"]) ?? product
    system = Self.string(info?["Product Version"]) ?? system
    for value in [info?["Last Backup Date"], status?["Date"], manifest?["Date"]] {
      if date == nil, case .date(let seconds)? = value { date = seconds }
    }
    if case .boolean(let flag)? = manifest?["IsEncrypted"] { saysEncrypted = flag }
    snapshotState = Self.string(status?["SnapshotState"])
  }

  /// Whether it was made to its end; nil where nothing says so.
  package var isComplete: Bool? {
    // Some programs write "finished" before they begin, beside an empty Manifest.plist.
    snapshotState.map { $0 == "finished" && hasManifestList }
  }

  private static func members(_ bytes: [UInt8]?) -> [String: PropertyListValue]? {
    guard let bytes, case .dictionary(let members)? = try? PropertyList(bytes).value() else { return nil }
    return members
  }

  private static func string(_ value: PropertyListValue?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }
}
