@testable import StoreWords
import Testing

@Suite struct NearNameTests {
  @Test(arguments: [
    ("Nota", ["Note"]), ("note", ["Note"]), ("Folders", ["Folder"]), ("Trip", []), ("", []),
    ("Tga", ["Tag"]), ("Tagg", ["Tag"]), ("Attachement", ["Attachment"]),
  ])
  func namesSomebodyMayHaveMeant(name: String, near: [String]) {
    #expect(nearNames(to: name, among: ["Note", "Folder", "Tag", "Attachment"]) == near)
  }

  @Test func aNameOfAnyLengthIsHeldAgainstAny() {
    let long = String(repeating: "x", count: 100_000)
    #expect(nearNames(to: long, among: [long, "x"]).isEmpty)
  }
}
