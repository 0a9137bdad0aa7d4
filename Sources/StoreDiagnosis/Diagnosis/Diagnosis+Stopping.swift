import StoreFindings

extension Diagnosis {
  /// The changes and rows that stop a migration to the version that decides.
  package var stopping: [Finding] {
    findings.filter {
      [CheckID.notLightweight, .dataBlocksMigration, .foreignModel].contains($0.check) && $0.severity == .error
    }
  }

  /// The same as sentences: "SD806 Note.uuid: 2 rows in 1 group: ...".
  package var reasonsAgainstMigrating: [String] {
    stopping.map { finding in
      let place = [finding.entity, finding.property].compactMap(\.self).joined(separator: ".")
      return "\(finding.id) \(place.isEmpty ? "" : place + ": ")\(finding.message)"
    }
  }
}
