import StoreDataModel

/// A model bundle as Xcode stores it: one `.xcdatamodel` for each version, and a file that names the current one.
package enum SampleBundle {
  /// The files of `Notes.xcdatamodeld`, by path in the bundle; always with the same contents.
  package static func notes() throws -> [(path: String, text: String)] { try files(SampleModels.notesVersions()) }

  /// The files of `School.xcdatamodeld`.
  package static func school() throws -> [(path: String, text: String)] { try files(SampleModels.schoolVersions()) }

  /// The files of `Guests.xcdatamodeld`.
  package static func guests() throws -> [(path: String, text: String)] { try files(SampleModels.guestsVersions()) }

  private static func files(_ versions: [(name: String, model: Model)]) throws -> [(path: String, text: String)] {
    try versions.map { name, model in ("\(name).xcdatamodel/contents", try contents(model)) }
      + [(".xccurrentversion", currentVersion(versions.last?.name ?? ""))]
  }

  private static func contents(_ model: Model) throws -> String {
    let written = XcodeModelWriter(model)
    if let lost = written.lost.first { throw GeneratorError(description: "Xcode's XML cannot hold \(lost)") }
    return written.text
  }

  private static func currentVersion(_ name: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>_XCCurrentVersionName</key>
    \t<string>\(name).xcdatamodel</string>
    </dict>
    </plist>

    """
  }
}
