import StoreDiagnosis
import StoreFindings

extension Diagnosis {
  /// What the text of a diagnosis says, whole and in parts, for a page: the same lines, of which none is folded.
  struct Document {
    /// The lines before the first section: the verdict, and what it rests on.
    var lead: [String]
    /// Why the verdict is what it is, and what else is known of the models.
    var reasons: [Page.Section]
    /// The findings that the verdict does not name already, by entity; those of one kind together.
    var findings: [(entity: String, alike: [[Finding]])]
    /// What was left out, is muted, or could not be looked at.
    var remarks: [Page.Section]
    /// Commands to go on with, each with its note.
    var next: [String]
  }

  /// The diagnosis in parts.
  var document: Document {
    var answer = Page.forSections
    answer.paragraph(verdictLine, indent: 0, first: "")
    answer.write(store.reading, saysJournal: false, saysUnread: false)
    if let deciding {
      deciding.writeReasons(to: &answer, stopping: stopping, all: models)
      deciding.writeRest(to: &answer, lost: lost, all: models, isWhole: true)
    }
    var remarks = Page.forSections
    writeSavable(to: &remarks)
    writeScope(to: &remarks)
    writeConfiguration(to: &remarks)
    writeSkipped(to: &remarks)
    var next = Page.forSections
    writeNext(to: &next)
    return Document(
      lead: answer.lead, reasons: answer.sections, findings: groups, remarks: remarks.sections,
      next: next.sections.flatMap(\.lines))
  }

  /// The findings by entity; those of checks with many of them that are alike are one group.
  private var groups: [(entity: String, alike: [[Finding]])] {
    let frequent = frequent
    return byEntity.map { entity, findings in
      var alike = Dictionary(grouping: findings.filter { frequent.contains($0.id) }, by: \.kind)
      return (
        entity,
        findings.compactMap { finding in
          frequent.contains(finding.id) ? alike.removeValue(forKey: finding.kind) : [finding]
        }
      )
    }
  }
}
