import StoreFindings
import StoreDiagnosis

extension RepairPlan {
  /// Checks whose findings are values that the model's validation forbids.
  private static let validationChecks = Set(
    [CheckID.valueOutOfRange, .invalidUUID, .validationViolated, .invalidText].map(\.rawValue))

  /// Safe operations that write values which the model's validation forbids are not safe: they are done by name.
  mutating func gradeInvalidValues() {
    let properties = Set(
      after.findings.filter { Self.validationChecks.contains($0.id) && $0.count > before.count(at: $0) }
        .compactMap(\.property))
    for index in operations.indices where operations[index].grade == .safe {
      if let property = operations[index].property, properties.contains(property) { operations[index].grade = .named }
    }
  }

  /// Whether more values than before break rules that Core Data looks at when it saves an object.
  var breaksValidation: Bool {
    after.findings.contains { Self.validationChecks.contains($0.id) && $0.count > before.count(at: $0) }
  }
}
