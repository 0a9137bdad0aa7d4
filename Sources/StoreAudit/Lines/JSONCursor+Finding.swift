import StoreFindings
import StoreJSON

// Findings have the same form as in a diagnosis (`docs/schemas/diagnosis.json`).

extension JSONCursor {
  mutating func findings(_ detail: AuditLine.Detail) throws(JSONError) -> [Finding] {
    var findings: [Finding] = []
    var elements = try list()
    while try nextElement(in: &elements) { findings.append(try finding(detail)) }
    return findings
  }

  private mutating func finding(_ detail: AuditLine.Detail) throws(JSONError) -> Finding {
    let start = offset
    var finding = Finding(
      id: "", name: "", severity: .note, entity: nil, table: nil, property: nil, count: 1, examples: [], message: "",
      blocks: [], remedies: [], basis: .observed)
    var hasSeverity = false
    var members = try object()
    while let name = try nextMember(in: &members) {
      switch name {
      case "id": finding.id = try string()
      case "name": finding.name = try string()
      case "severity":
        finding.severity = try choice()
        hasSeverity = true
      case "entity": finding.entity = try string()
      case "table": finding.table = try string()
      case "property": finding.property = try string()
      case "count": finding.count = try count()
      case "blocks": finding.blocks = try codes()
      case "message" where detail == .whole: finding.message = try string()
      case "examples" where detail == .whole: finding.examples = try examples()
      case "remedies" where detail == .whole: finding.remedies = try remedies()
      case "basis" where detail == .whole: finding.basis = try basis()
      case _: try skip()
      }
    }
    guard !finding.id.isEmpty, hasSeverity else {
      throw error("a finding needs 'id' and 'severity'", at: start)
    }
    return finding
  }

  private mutating func codes() throws(JSONError) -> [Int] {
    var codes: [Int] = []
    var elements = try list()
    while try nextElement(in: &elements) { codes.append(Int(clamping: try integer())) }
    return codes
  }

  private mutating func examples() throws(JSONError) -> [Finding.Example] {
    var examples: [Finding.Example] = []
    var elements = try list()
    while try nextElement(in: &elements) {
      var example = Finding.Example(nil)
      var members = try object()
      while let name = try nextMember(in: &members) {
        switch name {
        case "primaryKey": example.primaryKey = try integer()
        case _: example.facts[name.text] = isAtText() ? .text(try string()) : .number(try integer())
        }
      }
      examples.append(example)
    }
    return examples
  }

  private mutating func remedies() throws(JSONError) -> [Finding.Remedy] {
    var remedies: [Finding.Remedy] = []
    var elements = try list()
    while try nextElement(in: &elements) {
      var remedy = Finding.Remedy("")
      var members = try object()
      while let name = try nextMember(in: &members) {
        switch name {
        case "recipe": remedy.recipe = try string()
        case "safe": remedy.isSafe = try bool()
        case _: try skip()
        }
      }
      remedies.append(remedy)
    }
    return remedies
  }

  private mutating func basis() throws(JSONError) -> Basis {
    let start = offset
    let word = try string()
    guard let basis = Basis(rawValue: word) else { throw error("'\(word)' is no basis", at: start) }
    return basis
  }
}
