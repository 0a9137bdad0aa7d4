import StoreJSON
import StoreMigration
import StoreWords

extension MappingUse {
  /// "Core Data finds the mapping model 'V1to2.cdm' before it infers one; what it makes of the rows is not known".
  var words: String {
    let code = policyClassNames.map(quoted).joined(separator: ", ")
    return "Core Data finds the mapping model \(quoted(path)) before it infers one; what its "
      + (code.isEmpty ? "" : "code (\(code)) and its ") + "expressions make of the rows is not known"
      + (grade.basis == .assumed ? " (assumed)" : "")
  }
}

extension MappingUse: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("path", .string(path)),
      ("policies", policyClassNames.isEmpty ? nil : .array(policyClassNames.map(JSONValue.string))),
    ])
  }
}
