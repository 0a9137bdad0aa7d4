// The part of Foundation that tests and swift-argument-parser use, with Apple's signatures. No program of ours links the
// real one; bodies stand for nothing, since nothing of this is run.
@_exported import Darwin
@_exported import Dispatch

// MARK: Values

public typealias TimeInterval = Double

public struct Date: Sendable, Hashable, Comparable {
  public init() {}
  public init(timeIntervalSinceReferenceDate: TimeInterval) {}
  public init(timeIntervalSince1970: TimeInterval) {}
  public init(timeIntervalSinceNow: TimeInterval) {}
  public static var now: Date { fatalError() }
  public var timeIntervalSinceReferenceDate: TimeInterval { fatalError() }
  public var timeIntervalSince1970: TimeInterval { fatalError() }
  public var timeIntervalSinceNow: TimeInterval { fatalError() }
  public func timeIntervalSince(_ date: Date) -> TimeInterval { fatalError() }
  public func addingTimeInterval(_ interval: TimeInterval) -> Date { fatalError() }
  public static func < (one: Date, other: Date) -> Bool { fatalError() }
  public static func + (date: Date, interval: TimeInterval) -> Date { fatalError() }
  public static func - (date: Date, interval: TimeInterval) -> Date { fatalError() }
  public func formatted<Style: FormatStyle>(_ style: Style) -> Style.FormatOutput where Style.FormatInput == Date {
    fatalError()
  }
  public struct ISO8601FormatStyle: FormatStyle, Sendable {
    public init() {}
    public func format(_ value: Date) -> String { fatalError() }
    public func year() -> Self { self }
    public func month() -> Self { self }
    public func day() -> Self { self }
  }
}
public protocol FormatStyle {
  associatedtype FormatInput
  associatedtype FormatOutput
  func format(_ value: FormatInput) -> FormatOutput
}
extension FormatStyle where Self == Date.ISO8601FormatStyle { public static var iso8601: Self { fatalError() } }

public struct TimeZone: Sendable, Hashable {
  public init?(identifier: String) {}
  public init?(abbreviation: String) {}
  public init?(secondsFromGMT: Int) {}
  public static var current: TimeZone { fatalError() }
  public static var gmt: TimeZone { fatalError() }
  public var identifier: String { fatalError() }
  public func secondsFromGMT(for date: Date = Date()) -> Int { fatalError() }
}
public struct Locale: Sendable { public init(identifier: String) {} }
public struct Calendar: Sendable {
  public enum Identifier: Sendable { case gregorian, iso8601 }
  public enum Component: Sendable { case era, year, month, day, hour, minute, second, nanosecond }
  public init(identifier: Identifier) {}
  public var timeZone: TimeZone {
    get { fatalError() }
    set {}
  }
  public func date(from components: DateComponents) -> Date? { fatalError() }
  public func dateComponents(in zone: TimeZone, from date: Date) -> DateComponents { fatalError() }
  public func dateComponents(_ components: Set<Component>, from date: Date) -> DateComponents { fatalError() }
}
public struct DateComponents: Sendable {
  public init(
    calendar: Calendar? = nil, timeZone: TimeZone? = nil, era: Int? = nil, year: Int? = nil, month: Int? = nil,
    day: Int? = nil, hour: Int? = nil, minute: Int? = nil, second: Int? = nil, nanosecond: Int? = nil
  ) {}
  public var era: Int?, year: Int?, month: Int?, day: Int?, hour: Int?, minute: Int?, second: Int?, nanosecond: Int?
}
public class DateFormatter {
  public init() {}
  public var dateFormat: String! = nil
  public var timeZone: TimeZone! = nil
  public var locale: Locale! = nil
  public func string(from date: Date) -> String { fatalError() }
  public func date(from string: String) -> Date? { fatalError() }
}
public class ISO8601DateFormatter {
  public struct Options: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let withInternetDateTime = Options(rawValue: 1), withFractionalSeconds = Options(rawValue: 2)
  }
  public init() {}
  public var formatOptions: Options = []
  public var timeZone: TimeZone! = nil
  public func string(from date: Date) -> String { fatalError() }
  public func date(from string: String) -> Date? { fatalError() }
}

public struct UUID: Sendable, Hashable {
  public typealias Bytes = (
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
  )
  public init() {}
  public init?(uuidString: String) {}
  public init(uuid: Bytes) {}
  public var uuidString: String { fatalError() }
  public var uuid: Bytes { fatalError() }
}
public struct Decimal: Sendable, Hashable {
  public init() {}
  public init(_ value: Int) {}
  public init?(string: String) {}
}

public struct Data: Sendable, Hashable, Codable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  public typealias Index = Int
  public typealias Element = UInt8
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let atomic = WritingOptions(rawValue: 1)
  }
  public init() {}
  public init(count: Int) {}
  public init(repeating: UInt8, count: Int) {}
  public init<S: Sequence>(_ bytes: S) where S.Element == UInt8 {}
  public init(contentsOf: URL) throws {}
  public init?(base64Encoded: String) {}
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public subscript(index: Int) -> UInt8 {
    get { fatalError() }
    set {}
  }
  public subscript(range: Range<Int>) -> Data {
    get { fatalError() }
    set {}
  }
  public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with bytes: C) where C.Element == UInt8 {}
  public mutating func append(_ data: Data) {}
  public func write(to: URL, options: WritingOptions = []) throws {}
  public struct Base64EncodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let lineLength64Characters = Base64EncodingOptions(rawValue: 1)
    public static let endLineWithLineFeed = Base64EncodingOptions(rawValue: 32)
  }
  public func base64EncodedString(options: Base64EncodingOptions = []) -> String { fatalError() }
  public func range(of data: Data) -> Range<Int>? { fatalError() }
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result { fatalError() }
}

public struct URL: Sendable, Hashable {
  public init(fileURLWithPath: String) {}
  public init(filePath: String) {}
  public init?(string: String) {}
  public var absoluteString: String { fatalError() }
  public var path: String { fatalError() }
  public var lastPathComponent: String { fatalError() }
  public var pathExtension: String { fatalError() }
  public var standardizedFileURL: URL { fatalError() }
  public func appending(path: String) -> URL { fatalError() }
  public func appending(component: String) -> URL { fatalError() }
  public func appendingPathComponent(_ component: String) -> URL { fatalError() }
  public func deletingLastPathComponent() -> URL { fatalError() }
  public mutating func deleteLastPathComponent() {}
  public func deletingPathExtension() -> URL { fatalError() }
  public func resolvingSymlinksInPath() -> URL { fatalError() }
}

// MARK: Text

extension String {
  public struct Encoding: Sendable, Hashable {
    public static let utf8 = Encoding(), utf16 = Encoding(), ascii = Encoding(), isoLatin1 = Encoding()
    public static let utf16LittleEndian = Encoding(), utf16BigEndian = Encoding(), utf32 = Encoding()
  }
  public struct CompareOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let caseInsensitive = CompareOptions(rawValue: 1), literal = CompareOptions(rawValue: 2)
    public static let backwards = CompareOptions(rawValue: 4), anchored = CompareOptions(rawValue: 8)
    public static let diacriticInsensitive = CompareOptions(rawValue: 128), numeric = CompareOptions(rawValue: 64)
    public static let regularExpression = CompareOptions(rawValue: 1024)
  }
  public init(contentsOfFile: String, encoding: Encoding) throws { fatalError() }
  public init(contentsOf: URL, encoding: Encoding) throws { fatalError() }
  public init?(data: Data, encoding: Encoding) { fatalError() }
  public init(format: String, _ arguments: CVarArg...) { fatalError() }
}
extension StringProtocol {
  public func data(using: String.Encoding, allowLossyConversion: Bool = false) -> Data? { fatalError() }
  public func write(toFile: String, atomically: Bool, encoding: String.Encoding) throws {}
  public func replacingOccurrences(
    of: String, with: String, options: String.CompareOptions = [], range: Range<String.Index>? = nil
  ) -> String { fatalError() }
  public func replacingCharacters<T: StringProtocol, R: RangeExpression>(in: R, with: T) -> String
  where R.Bound == String.Index { fatalError() }
  public func components(separatedBy: String) -> [String] { fatalError() }
  public func components(separatedBy: CharacterSet) -> [String] { fatalError() }
  public func trimmingCharacters(in: CharacterSet) -> String { fatalError() }
  public func padding(toLength: Int, withPad: String, startingAt: Int) -> String { fatalError() }
  public func range(
    of: String, options: String.CompareOptions = [], range: Range<String.Index>? = nil, locale: Locale? = nil
  ) -> Range<String.Index>? { fatalError() }
  public func contains<T: StringProtocol>(_ other: T) -> Bool { fatalError() }
  public func folding(options: String.CompareOptions, locale: Locale?) -> String { fatalError() }
  public func appending(_ other: String) -> String { fatalError() }
  public var decomposedStringWithCanonicalMapping: String { fatalError() }
  public var precomposedStringWithCanonicalMapping: String { fatalError() }
  public var capitalized: String { fatalError() }
}
public struct CharacterSet: Sendable {
  public static let whitespacesAndNewlines = CharacterSet(), whitespaces = CharacterSet(), newlines = CharacterSet()
}
open class NSObject: Hashable {
  public init() {}
  public static func == (one: NSObject, other: NSObject) -> Bool { fatalError() }
  public func hash(into hasher: inout Hasher) {}
}
extension String: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { fatalError() }
}
public class NSString: NSObject, ExpressibleByStringLiteral, @unchecked Sendable {
  public required init(stringLiteral: String) {}
  public init(string: String) {}
  public var length: Int { fatalError() }
  public var lastPathComponent: String { fatalError() }
  public var pathExtension: String { fatalError() }
  public var deletingLastPathComponent: String { fatalError() }
  public var deletingPathExtension: String { fatalError() }
  public func appendingPathComponent(_ component: String) -> String { fatalError() }
  public func substring(with range: NSRange) -> String { fatalError() }
}
public struct NSRange: Sendable, Hashable {
  public var location: Int, length: Int
  public init(location: Int, length: Int) { (self.location, self.length) = (location, length) }
  public init<R: RangeExpression, S: StringProtocol>(_ range: R, in text: S) where R.Bound == S.Index { fatalError() }
}
extension Range where Bound == String.Index { public init?(_ range: NSRange, in text: __shared String) { fatalError() } }
public class NSRegularExpression: @unchecked Sendable {
  public struct Options: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let caseInsensitive = Options(rawValue: 1), dotMatchesLineSeparators = Options(rawValue: 8)
    public static let anchorsMatchLines = Options(rawValue: 16)
  }
  public struct MatchingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let anchored = MatchingOptions(rawValue: 4)
  }
  public init(pattern: String, options: Options = []) throws {}
  public class func escapedPattern(for text: String) -> String { fatalError() }
  public func firstMatch(in: String, options: MatchingOptions = [], range: NSRange) -> NSTextCheckingResult? { fatalError() }
  public func matches(in: String, options: MatchingOptions = [], range: NSRange) -> [NSTextCheckingResult] { fatalError() }
  public func numberOfMatches(in: String, options: MatchingOptions = [], range: NSRange) -> Int { fatalError() }
}
public class NSTextCheckingResult: @unchecked Sendable { public var range: NSRange { fatalError() } }

// MARK: Objects

public class NSNull: NSObject {}
public class NSNumber: NSObject, @unchecked Sendable {
  public init(value: Int) {}
  public init(value: Double) {}
  public init(value: Bool) {}
  public var intValue: Int { fatalError() }
  public var int64Value: Int64 { fatalError() }
  public var uint16Value: UInt16 { fatalError() }
  public var uint64Value: UInt64 { fatalError() }
  public var doubleValue: Double { fatalError() }
  public var boolValue: Bool { fatalError() }
  public var stringValue: String { fatalError() }
  public var objCType: UnsafePointer<CChar> { fatalError() }
}
public class NSDecimalNumber: NSNumber, @unchecked Sendable {
  public init(decimal: Decimal) { super.init(value: 0) }
}
extension Int64 { public init?(exactly number: NSNumber) { fatalError() } }
public protocol LocalizedError: Error { var errorDescription: String? { get } }
extension LocalizedError { public var errorDescription: String? { nil } }
extension Error { public var localizedDescription: String { fatalError() } }
public struct CocoaError: Error {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public var rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
  }
  public init(_ code: Code) {}
  public static var fileWriteNoPermission: Code { fatalError() }
  public static var coderReadCorrupt: Code { fatalError() }
}
extension CocoaError.Code {
  public static var fileWriteNoPermission: CocoaError.Code { fatalError() }
  public static var coderReadCorrupt: CocoaError.Code { fatalError() }
}
public struct POSIXErrorCode: RawRepresentable, Sendable {
  public var rawValue: Int32
  public init?(rawValue: Int32) { self.rawValue = rawValue }
  public static var EINVAL: POSIXErrorCode { fatalError() }
}
public struct POSIXError: Error { public init(_ code: POSIXErrorCode) {} }
public final class NSLock: @unchecked Sendable {
  public init() {}
  public func lock() {}
  public func unlock() {}
  public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}
public class JSONDecoder {
  public init() {}
  public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}
public class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = OutputFormatting(rawValue: 1), sortedKeys = OutputFormatting(rawValue: 2)
  }
  public init() {}
  public var outputFormatting: OutputFormatting = []
  public func encode<T: Encodable>(_ value: T) throws -> Data { fatalError() }
}
public class JSONSerialization {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let fragmentsAllowed = ReadingOptions(rawValue: 4)
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = WritingOptions(rawValue: 1), sortedKeys = WritingOptions(rawValue: 2)
  }
  public static func jsonObject(with: Data, options: ReadingOptions = []) throws -> Any { fatalError() }
  public static func data(withJSONObject: Any, options: WritingOptions = []) throws -> Data { fatalError() }
}

// MARK: Files and processes

public func NSTemporaryDirectory() -> String { fatalError() }
public struct ObjCBool {
  public var boolValue: Bool
  public init(_ value: Bool) { boolValue = value }
}
extension ObjCBool: ExpressibleByBooleanLiteral { public init(booleanLiteral value: Bool) { boolValue = value } }
public struct FileAttributeKey: Hashable, Sendable {
  public static let posixPermissions = FileAttributeKey(), size = FileAttributeKey(), type = FileAttributeKey()
  public static let modificationDate = FileAttributeKey(), systemFreeSize = FileAttributeKey()
  public static let referenceCount = FileAttributeKey(), systemFileNumber = FileAttributeKey()
}
public struct FileAttributeType: Hashable, Sendable {
  public static let typeRegular = FileAttributeType(), typeDirectory = FileAttributeType()
  public static let typeSymbolicLink = FileAttributeType()
}
public class FileManager: @unchecked Sendable {
  public static let `default` = FileManager()
  public class DirectoryEnumerator: Sequence, IteratorProtocol { public func next() -> Any? { fatalError() } }
  public var currentDirectoryPath: String { fatalError() }
  public var temporaryDirectory: URL { fatalError() }
  public func changeCurrentDirectoryPath(_ path: String) -> Bool { fatalError() }
  public func fileExists(atPath: String) -> Bool { fatalError() }
  public func fileExists(atPath: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { fatalError() }
  public func isExecutableFile(atPath: String) -> Bool { fatalError() }
  public func isReadableFile(atPath: String) -> Bool { fatalError() }
  public func isWritableFile(atPath: String) -> Bool { fatalError() }
  public func contents(atPath: String) -> Data? { fatalError() }
  public func contentsEqual(atPath: String, andPath: String) -> Bool { fatalError() }
  @discardableResult public func createFile(
    atPath: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil
  ) -> Bool { fatalError() }
  public func createDirectory(
    atPath: String, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
  ) throws {}
  public func createDirectory(
    at: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
  ) throws {}
  public func createSymbolicLink(atPath: String, withDestinationPath: String) throws {}
  public func destinationOfSymbolicLink(atPath: String) throws -> String { fatalError() }
  public func linkItem(atPath: String, toPath: String) throws {}
  public func copyItem(atPath: String, toPath: String) throws {}
  public func copyItem(at: URL, to: URL) throws {}
  public func moveItem(atPath: String, toPath: String) throws {}
  public func removeItem(atPath: String) throws {}
  public func removeItem(at: URL) throws {}
  public func contentsOfDirectory(atPath: String) throws -> [String] { fatalError() }
  public func contentsOfDirectory(at: URL, includingPropertiesForKeys: [Int]?) throws -> [URL] { fatalError() }
  public func subpathsOfDirectory(atPath: String) throws -> [String] { fatalError() }
  public func subpaths(atPath: String) -> [String]? { fatalError() }
  public func enumerator(atPath: String) -> DirectoryEnumerator? { fatalError() }
  public func attributesOfItem(atPath: String) throws -> [FileAttributeKey: Any] { fatalError() }
  public func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath: String) throws {}
  public func attributesOfFileSystem(forPath: String) throws -> [FileAttributeKey: Any] { fatalError() }
}
public class FileHandle: @unchecked Sendable {
  public static var standardInput: FileHandle { fatalError() }
  public static var standardOutput: FileHandle { fatalError() }
  public static var standardError: FileHandle { fatalError() }
  public static var nullDevice: FileHandle { fatalError() }
  public init?(forReadingAtPath: String) {}
  public init?(forWritingAtPath: String) {}
  public init?(forUpdatingAtPath: String) {}
  public init(forReadingFrom: URL) throws {}
  public init(forWritingTo: URL) throws {}
  public init(forUpdating: URL) throws {}
  public var fileDescriptor: Int32 { fatalError() }
  public var availableData: Data { fatalError() }
  public func readDataToEndOfFile() -> Data { fatalError() }
  public func readData(ofLength: Int) -> Data { fatalError() }
  public func readToEnd() throws -> Data? { fatalError() }
  public func read(upToCount: Int) throws -> Data? { fatalError() }
  public func write(_ data: Data) {}
  public func write<T: Sequence>(contentsOf: T) throws where T.Element == UInt8 {}
  public func seek(toOffset: UInt64) throws {}
  public func seek(toFileOffset: UInt64) {}
  @discardableResult public func seekToEnd() throws -> UInt64 { fatalError() }
  public func truncate(atOffset: UInt64) throws {}
  public func synchronize() throws {}
  public func close() throws {}
  public func closeFile() {}
}
public class Pipe: @unchecked Sendable {
  public init() {}
  public var fileHandleForReading: FileHandle { fatalError() }
  public var fileHandleForWriting: FileHandle { fatalError() }
}
public class Process: @unchecked Sendable {
  public enum TerminationReason: Sendable { case exit, uncaughtSignal }
  public init() {}
  public var executableURL: URL?
  public var arguments: [String]?
  public var environment: [String: String]?
  public var currentDirectoryURL: URL?
  public var standardInput: Any?
  public var standardOutput: Any?
  public var standardError: Any?
  public var isRunning: Bool { fatalError() }
  public var processIdentifier: Int32 { fatalError() }
  public var terminationStatus: Int32 { fatalError() }
  public var terminationReason: TerminationReason { fatalError() }
  public func run() throws {}
  public func waitUntilExit() {}
  public func terminate() {}
  public func interrupt() {}
}
public class ProcessInfo: @unchecked Sendable {
  public static let processInfo = ProcessInfo()
  public var arguments: [String] { fatalError() }
  public var environment: [String: String] { fatalError() }
  public var hostName: String { fatalError() }
  public var processIdentifier: Int32 { fatalError() }
  public var activeProcessorCount: Int { fatalError() }
  public var physicalMemory: UInt64 { fatalError() }
  public var systemUptime: TimeInterval { fatalError() }
}
public class Bundle: @unchecked Sendable {
  public static var main: Bundle { fatalError() }
  public static var allBundles: [Bundle] { fatalError() }
  public var bundlePath: String { fatalError() }
  public var bundleURL: URL { fatalError() }
  public var executableURL: URL? { fatalError() }
}
public class Thread {
  public static var isMainThread: Bool { fatalError() }
  public static func sleep(forTimeInterval: TimeInterval) {}
}
