import StoreJSON
import StoreMigration
import StoreWords

extension MappingUse {
  /// "Core Data finds the mapping model 'V1to2.cdm' before it infers one; what its expressions make of the rows is not known".
  var words: String {
    "Core Data finds the mapping model \(quoted(path)) before it infers one; \(unknownWords)"
      + (grade.basis == .assumed ? " (assumed)" : "")
  }
}

extension MappingUse: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("path", .string(path)),
      ("policies", policyClassNames.isEmpty ? nil : .array(policyClassNames.map(JSONValue.string))),
      (
        "conditions",
        conditions.isEmpty
          ? nil
          : .array(conditions.map { .object([("entity", .string($0.entity)), ("condition", .string($0.text))]) })
      ),
    ])
  }
}
