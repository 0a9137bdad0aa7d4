import Foundation
import TestSupport
import Testing

/// `apply` refuses a plan in which anything was edited, whether or not it has an effect.
@Suite struct PlanTamperingTests {
  @Test func everyMemberChangedOrDroppedIsRefused() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    let plan = folder("plan.json")
    let recipe = [
      "--safe", "--dedupe", "Tag.name", "--compare", "casefolded", "--backfill", "Note.title=x", "--dangling",
      "nullify",
    ]
    #expect(try Program.run(["repair", store] + recipe + ["--plan-out", plan]).status == 0)
    let document = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: plan)))
    let places = places(in: document)
    #expect(places.count > 100)
    for place in places {
      for isDropped in [false, true] {
        let edited = edit(document, place[...], isDropped: isDropped)
        let bytes = try JSONSerialization.data(withJSONObject: edited, options: .sortedKeys)
        try folder.write(Array(bytes), to: "edited.json")
        let outcome = try Program.run([
          "apply", folder("edited.json"), "--store", store, "--output", folder("out.sqlite"), "--allow-lossy",
        ])
        #expect(outcome.status == 2, "\(place.map { "\($0)" }.joined(separator: ".")), dropped: \(isDropped)")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: folder("out.sqlite")))
  }

  /// The path is compared by the file's name, so that a plan can be carried out where the store was brought to.
  @Test func thePlanIsCarriedOutInAnotherFolder() throws {
    let folder = try TemporaryFolder()
    let store = try sickStore(in: folder)
    #expect(try Program.run(["repair", store, "--safe", "--plan-out", folder("plan.json")]).status == 0)
    try FileManager.default.createDirectory(atPath: folder("there"), withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: store, toPath: folder("there/Sick.sqlite"))
    let arguments = ["apply", folder("plan.json"), "--store", folder("there/Sick.sqlite"), "--in-place"]
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  // MARK: Edits

  private enum Step: CustomStringConvertible {
    case name(String), index(Int)
    var description: String {
      switch self {
      case .name(let name): name
      case .index(let index): "\(index)"
      }
    }
  }

  private func places(in value: Any) -> [[Step]] {
    if let members = value as? [String: Any] {
      return members.sorted { $0.key < $1.key }.flatMap { name, inner in
        [[.name(name)]] + places(in: inner).map { [.name(name)] + $0 }
      }
    }
    guard let elements = value as? [Any] else { return [] }
    return elements.indices.flatMap { index in
      [[.index(index)]] + places(in: elements[index]).map { [.index(index)] + $0 }
    }
  }

  private func edit(_ value: Any, _ place: ArraySlice<Step>, isDropped: Bool) -> Any {
    guard let step = place.first else { return changed(value) }
    let isLast = place.count == 1
    switch step {
    case .name(let name):
      var members = value as? [String: Any] ?? [:]
      members[name] = isLast && isDropped ? nil : edit(members[name] ?? 0, place.dropFirst(), isDropped: isDropped)
      return members
    case .index(let index):
      var elements = value as? [Any] ?? []
      if isLast && isDropped {
        elements.remove(at: index)
      } else {
        elements[index] = edit(elements[index], place.dropFirst(), isDropped: isDropped)
      }
      return elements
    }
  }

  private func changed(_ value: Any) -> Any {
    switch value {
    case let text as String: return text + "x"
    case let elements as [Any]: return elements + [elements.first ?? "x"]
    case let members as [String: Any]: return members.merging(["added": 1]) { $1 }
    case let number as NSNumber:
      // JSONSerialization gives Booleans as numbers.
      return isBoolean(number) ? !number.boolValue : number.doubleValue + 1
    default: return 0
    }
  }

  private func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
