import StoreJSON
import StoreText
@testable import StoreAudit
import StoreSQLite
import Testing

@Suite struct WorkerRequestTests {
  /// A name with the separators of fields and of lines, and invalid UTF-8.
  private let name: [UInt8] = [0x20, 0x0A, 0x2D, 0xFF]

  @Test func whatIsAskedForComesBackAsItWasSent() throws {
    var item = AuditItem(
      id: "a b\n", PosixPath(bytes: name), shown: PosixPath("b.zip!c"), .store(wasNamed: true))
    item.within = name
    item.isRepeated = true
    item.unpacked = .init(folder: PosixPath(bytes: name), archive: PosixPath("b.zip"))
    let request = WorkerRequest(item, known: ["-"], folder: PosixPath("/t"))
    #expect(try received(request) == "\(request)")
  }

  @Test(arguments: [AuditItem.Kind.store(wasNamed: false), .store(wasNamed: true), .archive])
  func whatIsNotThereIsNotThereAfterwards(kind: AuditItem.Kind) throws {
    let request = WorkerRequest(AuditItem(PosixPath("/a"), kind))
    #expect(try received(request) == "\(request)")
  }

  @Test(arguments: ["", "named", "named L2E=", "named L2E= - -  - - -", "named - - -  - - - -", "named * - -  - - - -"])
  func whatIsNoRequestIsRefused(line: String) {
    #expect(throws: WorkerRequest.Malformed.self) { try WorkerRequest(Array(line.utf8)) }
  }

  /// The vectors of RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func base64IsThatOfTheStandard(bytes: String, text: String) {
    #expect(base64(Array(bytes.utf8)) == text)
    #expect(decoded(base64: Array(text.utf8)[...]) == Array(bytes.utf8))
  }

  /// The request as the worker reads it.
  private func received(_ request: WorkerRequest) throws -> String {
    let lines = Array(request.line.utf8).split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 1)
    return "\(try WorkerRequest(Array(lines[0])))"
  }
}
