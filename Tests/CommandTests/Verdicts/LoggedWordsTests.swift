import Foundation
import StoreDataModel
import StoreGenerator
import TestSupport
import Testing

/// Logs as people paste them: user information in any order, words broken at the end of a line, crash reports, and codes
/// of SQLite and Foundation.
@Suite struct LoggedWordsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func explained(_ log: String, _ arguments: String...) throws -> String {
    let path = try folder.write(Array(log.utf8), to: "log.txt")
    return try Program.run(["explain", "--log", path] + arguments, environment: ["COLUMNS": "200"]).output
  }

  /// The section of what the log names.
  private func names(_ log: String) throws -> String {
    let output = try explained(log)
    let start = try #require(output.range(of: "What the log names\n"), "\(output)")
    return String(output[start.upperBound...].prefix { $0 != "\n" }).trimmingCharacters(in: .whitespaces)
  }

  private static let reason =
    "reason=Validation error missing attribute values on mandatory destination attribute"

  @Test(arguments: [
    "{attribute=sentDate, entity=Parcel, \(reason)}", "{entity=Parcel, attribute=sentDate, \(reason)}",
    "{entity=Parcel, \(reason), attribute=sentDate}", "{attribute=sentDate, \(reason), entity=Parcel}",
    "{\n  attribute = sentDate;\n  reason = \"missing\";\n  entity = Parcel;\n}",
    "{entity=Parcel, NSUnderlyingError={entity=Other, attribute=else}, attribute=sentDate}",
    "attribute=sentDate, entity=Parcel", "entity=Parcel, attribute=sentDate; entity=Other",
    "{NSValidationErrorObject=<Parcel: 0x1> (entity: Parcel; id: 0x2), NSValidationErrorKey=sentDate}",
  ])
  func theOrderOfADictionaryDoesNotMatter(information: String) throws {
    #expect(try names("Error Domain=NSCocoaErrorDomain Code=134110 UserInfo=\(information)") == "Parcel.sentDate")
  }

  @Test func wordsBrokenAtTheEndOfALineAreJoined() throws {
    let log = "Domain=NSCocoaError-\nDomain Code=134110\nUserInfo={entity=WaySta- tion,\nattribute=tollCode}"
    #expect(try names(log) == "WayStation.tollCode")
    #expect(try names("UserInfo={entity=WaySta-\ntion, attribute=toll-\nCode}") == "WayStation.tollCode")
    #expect(try names("UserInfo={entity=WaySta…, attribute=tollCode}") == "WaySta... (broken off).tollCode")
    #expect(try names("UserInfo={entity=WaySta..., attribute=tollCode}") == "WaySta... (broken off).tollCode")
  }

  /// With the store the entity is the one that begins so and has that attribute.
  @Test func theStoreTellsTheRestOfAName() throws {
    let model = try ModelNotation.model(["WayStation: tollCode String?", "WayStage: name String?"])
    let path = folder("App.sqlite")
    let store = try StoreWriter(creating: path, StoreDescription(model: model, usesWAL: false))
    try store.insert("WayStation")
    try store.finish()
    let output = try explained("UserInfo={entity=WaySta..., attribute=tollCode}", "--store", path)
    #expect(output.contains("  ! WayStation.tollCode: 1 of 1 row has NULL in ZTOLLCODE\n"), "\(output)")
  }

  // MARK: Crash reports

  private static let head = #"{"app_name":"App","timestamp":"2026-01-02 10:00:00.00 +0100","bug_type":"309"}"# + "\n"

  @Test func aCrashReportIsReadWithItsEscapes() throws {
    let report =
      Self.head
      + #"{"asi":{"CoreFoundation":["*** Terminating app: could not fulfill a fault for '0x1 <x-coredata:\/\/4F6B2A10\/Note\/p7>'\nUserInfo={entity=Note, attribute=\"title\"}"]}}"#
    let output = try explained(report)
    #expect(output.contains("\"could not fulfill a fault\""))
    #expect(output.contains("  Note.title\n"))
    #expect(output.contains("  x-coredata://4F6B2A10/Note/p7\n"))
  }

  @Test(arguments: [
    ("_PFFaultHandlerLookupRow", "read the row of an object", "SD401"),
    ("-[NSManagedObjectContext save:]", "when it saved", "SD501"),
    (
      "-[NSPersistentStoreCoordinator addPersistentStoreWithType:configuration:URL:options:error:]", "opened the store",
      "SD801"
    ),
  ])
  func aCrashReportOfFramesAloneTellsWhatWasDone(frame: String, words: String, check: String) throws {
    let report =
      Self.head
      + #"{"threads":[{"frames":[{"imageOffset":1,"symbol":"\#(frame)","imageIndex":3},{"symbol":"start","imageIndex":0}]}]}"#
    let output = try explained(report)
    #expect(output.contains("a frame of a crash. The app stopped"))
    #expect(output.contains(words))
    #expect(output.hasSuffix("  storedoctor explain \(check)\n"), "\(output)")
    // A number says more.
    #expect(!(try explained(report + "\nCode=134130")).contains("a frame of a crash"))
  }

  @Test(arguments: [
    (
      "This NSPersistentStoreCoordinator has no persistent stores.  It cannot perform a save operation.",
      "no store was added"
    ),
    ("coordinator has no persistent stores (device locked).", "data protection"),
    ("has no persistent stores (schema mismatch or migration failure)", "its version is not the model's"),
    (
      "Fatal error: This model instance was invalidated because its backing data could no longer be found the store.",
      "whose row is gone"
    ),
    ("reason: 'Unsupported feature in this configuration'", "the words do not say what"),
    ("Error Domain=NSCocoaErrorDomain Code=513 \"You don't have permission\"", "NSFileWriteNoPermissionError"),
    ("Code=1570 \"The operation couldn't be completed\"", "NSValidationMissingMandatoryPropertyError"),
    ("SQLite error code:6922, 'disk I/O error'", "SQLITE_IOERR_VNODE"),
  ])
  func sentencesAndCodesAreKnown(log: String, words: String) throws { #expect(try explained(log).contains(words)) }

  /// A number of another domain is not Core Data's.
  @Test func theDomainOfACodeCounts() throws {
    #expect(!(try explained("Error Domain=MyAppDomain Code=1570 \"no\"")).contains("1570 NSValidation"))
  }

  // MARK: Codes

  @Test(arguments: [
    ("sqlite:5", "SQLITE_BUSY"), ("sqlite:6", "SQLITE_LOCKED"), ("sqlite:7", "SQLITE_NOMEM"),
    ("sqlite:23", "the device is locked"),
    ("sqlite:522", "shorter than SQLite believes"), ("sqlite:778", "SQLITE_IOERR_WRITE"),
    ("sqlite:1032", "SQLITE_READONLY_DBMOVED"),
    ("sqlite:1034", "SQLITE_IOERR_FSYNC"), ("sqlite:6922", "while it was open"),
    ("sqlite:8714", "A kind of SQLITE_IOERR (10)"),
    ("sqlite:2323", "A kind of SQLITE_CONSTRAINT (19)"), ("257", "NSFileReadNoPermissionError"),
    ("sqlite:27", "SQLITE_NOTICE"), ("sqlite:283", "its frames were taken over"), ("sqlite:28", "SQLITE_WARNING"),
    ("262", "URL(fileURLWithPath:)"), ("3840", "NSPropertyListReadCorruptError"), ("134406", "never set up"),
    ("134422", "an app and its widget"), ("0xdead10cc", "while it was suspended"), ("0x8badf00d", "on the main thread"),
    ("260", "NSFileReadNoSuchFileError"), ("513", "NSFileWriteNoPermissionError"),
    ("640", "NSFileWriteOutOfSpaceError"),
    ("642", "NSFileWriteVolumeReadOnlyError"), ("134093", "no public name"), ("134181", "no public name"),
    ("134507", "no public name"),
  ])
  func publicCodesAreExplained(code: String, words: String) throws {
    let outcome = try Program.run(["explain", code], environment: ["COLUMNS": "300"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(words), "\(outcome.output)")
  }

  @Test func aCodeWithoutAPrimaryOneIsUnknown() throws {
    #expect(try Program.run(["explain", "sqlite:511"]).status == 2)
  }

  // MARK: The field cases

  @Test(.needsSharedData, arguments: ["a", "b", "c"]) func theFieldCaseOfOrder(file: String) throws {
    let log = SharedData.path("field-cases/verdicts/explain-attribute-before-entity/\(file).txt")
    #expect(try Program.run(["explain", "--log", log]).output.contains("  Parcel.sentDate\n"))
  }

  @Test(.needsSharedData) func theFieldCaseOfBrokenWords() throws {
    let log = SharedData.path("field-cases/verdicts/explain-broken-words/log.txt")
    let output = try Program.run(["explain", "--log", log]).output
    #expect(output.contains("  WayStation.tollCode\n"))
    #expect(!output.contains("WaySta."))
  }
}
