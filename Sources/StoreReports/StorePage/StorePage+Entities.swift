import StoreCoreData
import StoreInspection
import StoreWords

// The entities, one after the other.

extension StorePage {
  /// The entities of the model.
  var own: [Inspection.Entity] { inspection.entities.filter { !$0.isInternal } }

  var entities: ReportPage.Section {
    let filled = own.filter { $0.rows != 0 }
    let empty = own.filter { $0.rows == 0 }
    let rest: HTML =
      empty.isEmpty
      ? ""
      : """
      <details class="group"><summary><h3>\(counted(Int64(empty.count), "entity", "entities")) without rows</h3></summary><div class="nested">
      \(HTML.each(empty, as: entity))</div></details>

      """
    return ReportPage.Section(
      id: "entities", title: "Entities",
      remark: run.showsValues
        ? "Types by the model, the rest by the rows." : "Types by the model, the rest by the rows; values are hidden.",
      content: own.isEmpty ? "" : HTML.each(filled, as: entity) + rest + joinTables, isWide: true)
  }

  private func entity(_ entity: Inspection.Entity) -> HTML {
    let rows = entity.rows.map { counted($0, "row") } ?? "rows not countable"
    let kind: HTML = entity.isAbstract ? " <span class=\"soft\">abstract</span>" : ""
    let parent: HTML = entity.parent.map { "<p class=\"small\">Inherits from \(link(to: $0)).</p>" } ?? ""
    let unique = HTML.each(entity.uniquenessConstraints) { "<li>unique together: \($0.joined(separator: ", "))</li>" }
    let home = own.first { $0.table == entity.table && !($0.indexes ?? []).isEmpty }
    let isElsewhere = home.map { $0.number != entity.number && $0.indexes?.count == entity.indexes?.count } ?? false
    let elsewhere: HTML =
      isElsewhere ? "<li>indexes of the table: with \(home.map { link(to: $0.name) } ?? "")</li>" : ""
    let indexes =
      isElsewhere
      ? elsewhere
      : HTML.each(entity.indexes ?? []) { index in
        "<li>index \(index.name): \(index.columns.joined(separator: ", "))\(index.isUnique ? ", unique" : "")</li>"
      }
    return """
      <details><summary><h3>\(broken(entity.name))\(kind)</h3><span class="meta">\(rows)</span></summary><div class="in" id="e-\(entity.number)">
      <p class="small soft">Number \(entity.number), table <code>\(entity.table)</code></p>
      \(parent)\(attributes(of: entity))\(relationships(of: entity))<ul class="plain small">\(unique)\(indexes)</ul></div></details>

      """
  }

  private func attributes(of entity: Inspection.Entity) -> HTML {
    guard !entity.attributes.isEmpty else { return "" }
    let values: HTML = run.showsValues ? "<th scope=\"col\">smallest</th><th scope=\"col\">largest</th>" : ""
    let rows = HTML.each(entity.attributes) { attribute in
      let measures = attribute.columns.compactMap { attribute.measures[$0] }
      let nulls = attribute.columns.compactMap { attribute.nulls?[$0].map(grouped) }.joined(separator: ", ")
      let isLacking = !attribute.isOptional && measures.contains { $0.nulls > 0 }
      let marks = [
        attribute.isOptional ? "optional" : nil, attribute.isTransient ? "transient" : nil,
        attribute.isDerived ? "derived" : nil, attribute.allowsExternalStorage ? "may be in files" : nil,
        attribute.declaredBy.map { "from \($0)" }, attribute.certainty,
        attribute.missing.isEmpty ? nil : "without column: \(attribute.missing.joined(separator: ", "))",
      ].compactMap(\.self).joined(separator: ", ")
      let shown: HTML =
        run.showsValues
        ? """
        <td data-label="smallest">\(HTML.unbroken(measures.compactMap { value($0.smallest, of: attribute) }.joined(separator: ", ")))</td><td data-label="largest">\(HTML.unbroken(measures.compactMap { value($0.largest, of: attribute) }.joined(separator: ", ")))</td>
        """ : ""
      return """
        <tr><th scope="row">\(broken(attribute.name))</th><td data-label="type">\(attribute.type) <span class="soft">\(marks)</span></td><td class="r\(isLacking ? " error" : "")" data-label="NULL">\(nulls)</td><td class="r" data-label="different">\(measures.map(\.differentWords).joined(separator: ", "))</td>\(shown)</tr>

        """
    }
    return """
      <div class="scroll"><table class="stack"><thead><tr><th scope="col">attribute</th><th scope="col">type</th><th scope="col" class="r">NULL</th><th scope="col" class="r">different</th>\(values)</tr></thead><tbody>
      \(rows)</tbody></table></div>

      """
  }

  private func value(_ value: ColumnMeasure.Value?, of attribute: Inspection.Attribute) -> String? {
    switch value {
    case nil: nil
    case .integer(let number) where attribute.type == "Date": timestamp(Double(number))
    case .real(let number) where attribute.type == "Date": timestamp(number)
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): quoted(text)
    }
  }

  private func relationships(of entity: Inspection.Entity) -> HTML {
    guard !entity.relationships.isEmpty else { return "" }
    let rows = HTML.each(entity.relationships) { relationship in
      let marks = [
        relationship.isToMany ? "to many" : "to one", relationship.isOptional ? nil : "required",
        relationship.isOrdered ? "ordered" : nil, relationship.declaredBy.map { "from \($0)" }, relationship.certainty,
        relationship.joinTable.map { "table \($0)" },
      ].compactMap(\.self).joined(separator: ", ")
      return """
        <tr><th scope="row">\(broken(relationship.name))</th><td data-label="leads to">\(relationship.destination.map(link) ?? "?")</td><td data-label="how">\(marks)</td><td data-label="back">\(relationship.inverse ?? "no inverse")</td><td data-label="on delete">\(relationship.deleteRule?.words ?? "not known")</td><td class="r" data-label="NULL">\(relationship.nulls.map(grouped) ?? "")</td></tr>

        """
    }
    return """
      <div class="scroll"><table class="stack"><thead><tr><th scope="col">relationship</th><th scope="col">leads to</th><th scope="col">how</th><th scope="col">back</th><th scope="col">on delete</th><th scope="col" class="r">NULL</th></tr></thead><tbody>
      \(rows)</tbody></table></div>

      """
  }

  private var joinTables: HTML {
    guard !inspection.joinTables.isEmpty else { return "" }
    let rows = HTML.each(inspection.joinTables) { table in
      """
      <tr><th scope="row">\(broken(table.source.entity)).<wbr>\(broken(table.source.relationship)) ⇉ \(broken(table.destination.entity)).<wbr>\(broken(table.destination.relationship))</th><td data-label="table"><code>\(table.name)</code></td><td class="r" data-label="links">\(table.rows.map(grouped) ?? "?")</td></tr>

      """
    }
    return """
      <h3 class="sub">Many-to-many</h3><div class="scroll"><table class="stack"><thead><tr><th scope="col">relationships</th><th scope="col">table</th><th scope="col" class="r">links</th></tr></thead><tbody>
      \(rows)</tbody></table></div>

      """
  }

  /// An entity's name, leading to what is said of it.
  func link(to name: String) -> HTML {
    guard let entity = own.first(where: { $0.name == name || $0.modelName == name }) else { return "\(name)" }
    return "<a href=\"#e-\(entity.number)\">\(broken(name))</a>"
  }

  /// A name that may be broken before its capitals and behind its dots.
  func broken(_ name: String) -> HTML {
    var (pieces, piece): ([HTML], String) = ([], "")
    for character in name {
      if character.isUppercase && piece.last?.isLowercase == true || piece.last == "." {
        pieces.append("\(piece)")
        piece = ""
      }
      piece.append(character)
    }
    return "\(pieces + ["\(piece)"], separator: "<wbr>")"
  }
}

extension ColumnMeasure {
  /// "12", "1,000 or more", "bytes".
  fileprivate var differentWords: String {
    blobs > 0 && distinct == 0 ? "bytes" : grouped(distinct) + (isAtLeast ? " or more" : "")
  }
}
