import StoreDataModel
import StoreJSON
import StoreRecovery
import StoreSQLite
import StoreText
import StoreWords

extension Recovery {
  /// The earlier versions of the model for people, one after the other.
  package func modelsText(width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    let others = models.count { $0.isCurrent != true }
    page.line(page.styled(counted(Int64(others), "earlier version") + " of the model", as: .strong) + sameWords)
    writeModels(models, to: &page)
    if models.isEmpty {
      page.paragraph(
        "Nothing is left of a former Z_METADATA or Z_MODELCACHE: a migration mostly writes the new ones over them.",
        style: .faint)
    }
    return page.text
  }

  private var sameWords: String {
    let same = Int64(models.count { $0.isCurrent == true })
    return same == 0 ? "" : ", and \(counted(same, "former state")) of the metadata with the version it has now"
  }

  /// Models as paragraphs of a page.
  func writeModels(_ models: [RecoveredModel], to page: inout Page) {
    for model in models {
      page.line()
      model.write(to: &page)
    }
  }
}

extension RecoveredModel {
  fileprivate func write(to page: inout Page) {
    page.paragraph(escapedForTerminal(title), first: "  ")
    for line in details { page.paragraph(escapedForTerminal(line), indent: 4) }
  }

  /// Title and details as lines.
  var lines: [String] { [title] + details }

  private var details: [String] {
    [changes, row.bracket.words].compactMap(\.self) + row.witnesses.map(\.words) + row.places.prefix(1).map(\.words)
  }

  /// "metadata of Notes 1: 5 entities, checksum Gwx9FbS6..., proved".
  private var title: String {
    let names = versionIdentifiers.filter { !$0.isEmpty }.map { quoted($0) }.joined(separator: ", ")
    return [
      (source == .metadata ? "metadata" : "model cache") + (names.isEmpty ? "" : " of version \(names)"),
      counted(Int64(hashes.byEntity.count), "entity", "entities"), "checksum \(base64(hashes.checksum).prefix(8))…",
      row.grade.rawValue,
    ].joined(separator: ", ")
  }

  /// The differences from the version that the store has now.
  private var changes: String? {
    guard let changedEntities else { return nil }
    if changedEntities.isEmpty { return "the version that the store has now; something else in the metadata changed" }
    let shown = changedEntities.prefix(8).joined(separator: ", ")
    return "not as now: \(shown)" + (changedEntities.count > 8 ? ", and \(changedEntities.count - 8) more" : "")
  }

  /// As in JSON.
  ///
  /// - Parameter isWhole: whether the model of a cache is in it.
  func json(isWhole: Bool) -> JSONValue {
    .object([
      ("source", .string(source.rawValue)), ("grade", .string(row.grade.rawValue)),
      ("isCurrent", isCurrent.map(JSONValue.bool)), ("versionIdentifiers", .strings(versionIdentifiers)),
      ("checksum", .string(base64(hashes.checksum))), ("frameworkVersion", .optional(frameworkVersion)),
      ("entities", .strings(hashes.names)), ("changedEntities", changedEntities.map { .strings($0) }),
      ("places", .array(row.places.map(\.json))), ("between", row.bracket.isKnown ? row.bracket.json : nil),
      ("witnesses", row.witnesses.isEmpty ? nil : .array(row.witnesses.map(\.json))),
      ("model", isWhole ? document : nil),
    ])
  }

  /// The model of a cache as a document that every command takes as a model.
  private var document: JSONValue? {
    guard let model else { return nil }
    let version = ModelDocument.Version(name: versionIdentifiers.first { !$0.isEmpty } ?? "earlier", model: model)
    return try? ModelDocument(versions: [version], currentVersion: version.name).json(toolVersion: toolVersion)
  }
}
