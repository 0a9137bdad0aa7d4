import StoreFindings
import StoreWords
import StoreDataModel

/// A model as text: entities as a tree, then each with its properties.
extension ModelSource {
  /// The deciding version's model.
  ///
  /// - Parameter entities: names to show; all where none is given.
  /// - Throws: `UnknownEntity` for a name the version does not have.
  package func text(width: Int, isStyled: Bool, entities names: [String] = []) throws -> String {
    let version = try decidingVersion()
    let model = version.model
    if let unknown = names.first(where: { model.entity(named: $0) == nil }) {
      throw UnknownEntity(name: unknown, known: model.entities.map(\.name), place: "model")
    }
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(headline(version), first: "", style: .strong)
    writeProblems(version, to: &page)
    for entity in model.entities where names.isEmpty || names.contains(entity.name) { model.write(entity, to: &page) }
    if names.isEmpty { model.writeRest(to: &page) }
    if versions.count > 1 {
      page.section("Other versions")
      page.paragraph(versions.map(\.name).filter { $0 != version.name }.map(quoted).joined(separator: ", "))
      let other = versions.first { $0.failure == nil } ?? versions[0]
      page.paragraph("storedoctor model show \(shellQuoted("\(path)#\(other.name)"))")
    }
    return page.text
  }

  private func headline(_ version: Version) -> String {
    var parts = ["\(escapedForTerminal(path)): \(quoted(version.name))"]
    if versions.count > 1 { parts[0] += " of \(versions.count) versions" }
    let identifiers = version.model.versionIdentifiers.filter { !$0.isEmpty }
    if !identifiers.isEmpty { parts.append("identifier \(identifiers.map(quoted).joined(separator: ", "))") }
    parts.append(counted(Int64(version.model.entities.count), "entity", "entities"))
    return parts.joined(separator: ", ")
  }

  private func writeProblems(_ version: Version, to page: inout Page) {
    for name in missingVersionNames {
      page.paragraph("the version \(quoted(name)) is named and not there", first: "  ! ", style: .warning)
    }
    for other in versions {
      guard let failure = other.failure else { continue }
      page.paragraph(
        "the version \(quoted(other.name)) cannot be read: \(escapedForTerminal(failure.message))", first: "  ! ",
        style: .warning)
    }
    for fault in version.model.faults {
      page.paragraph(escapedForTerminal(fault.explanation), first: "  ! ", style: .warning)
    }
    for unknown in version.unknown.prefix(10) {
      page.paragraph("not known here: \(escapedForTerminal(unknown.description))", first: "  ! ", style: .warning)
    }
    for doubt in (version.doubt?.gaps ?? []) + (version.doubt?.open ?? []) {
      page.paragraph(escapedForTerminal(doubt.message), first: "  ? ", style: .warning)
    }
    for assumed in version.doubt?.assumed ?? [] {
      page.paragraph(escapedForTerminal(assumed), first: "  ? ", style: .warning)
    }
    if version.unknown.count > 10 { page.paragraph("and \(version.unknown.count - 10) more that are not known here") }
  }
}

extension Model {
  fileprivate func write(_ entity: Entity, to page: inout Page) {
    var title = escapedForTerminal(entity.name)
    if let parent = entity.parent { title += " : \(escapedForTerminal(parent))" }
    if entity.isAbstract { title += " (abstract)" }
    page.section(title)
    let subentities = subentities(of: entity.name).map { escapedForTerminal($0.name) }
    if !subentities.isEmpty { page.paragraph("inherited by \(subentities.joined(separator: ", "))") }
    if let name = entity.renamingIdentifier { page.paragraph("was called \(quoted(name))") }
    if let modifier = entity.versionHashModifier { page.paragraph("version hash modifier \(quoted(modifier))") }
    let width = min(entity.properties.map { escapedForTerminal($0.name).displayWidth }.max() ?? 0, page.width / 3)
    for kind in [Property.Section.attribute, .relationship, .fetched] {
      for property in entity.properties where property.section == kind {
        page.paragraph(property.words, first: "  \(escapedForTerminal(property.name).padded(to: width))  ")
      }
    }
    for constraint in entity.uniquenessConstraints {
      page.paragraph("unique: \(constraint.map(escapedForTerminal).joined(separator: " + "))")
    }
    for index in entity.indexes {
      let elements = index.elements.map { escapedForTerminal($0.expression?.description ?? $0.propertyName) }
      page.paragraph("index \(escapedForTerminal(index.name)) (\(elements.joined(separator: ", ")))")
    }
    for index in entity.compoundIndexes {
      page.paragraph("compound index (\(index.map(escapedForTerminal).joined(separator: ", ")))")
    }
  }

  fileprivate func writeRest(to page: inout Page) {
    if !configurations.isEmpty {
      page.section("Configurations")
      for (name, members) in configurations.sorted(by: { codeUnitsPrecede($0.key, $1.key) }) {
        page.field(escapedForTerminal(name), members.map(escapedForTerminal).joined(separator: ", "))
      }
    }
    guard !fetchRequests.isEmpty else { return }
    page.section("Fetch requests")
    for request in fetchRequests {
      page.field(
        escapedForTerminal(request.name),
        escapedForTerminal(
          (request.entityName ?? "?") + (request.predicate.map { " where \($0)" } ?? "")))
    }
  }
}

extension Property {
  fileprivate enum Section { case attribute, relationship, fetched }

  fileprivate var section: Section {
    switch kind {
    case .attribute: .attribute
    case .relationship: .relationship
    case .fetched: .fetched
    }
  }

  /// "String, optional, default 'Untitled'".
  fileprivate var words: String {
    var words: [String]
    switch kind {
    case .attribute(let attribute): words = attribute.words(of: self)
    case .relationship(let relationship): words = relationship.words(of: self)
    case .fetched(let fetched):
      words = [
        "fetched \(fetched.entityName ?? "?")" + (fetched.predicate.map { " where \($0)" } ?? "")
      ]
    }
    if let renamingIdentifier { words.append("was called '\(renamingIdentifier)'") }
    if let versionHashModifier { words.append("version hash modifier '\(versionHashModifier)'") }
    return escapedForTerminal(words.joined(separator: ", "))
  }
}

extension Attribute {
  fileprivate func words(of property: Property) -> [String] {
    var words = [type.name]
    if let elements {
      words[0] += " {\(elements.map { "\($0.name): \($0.attribute?.type.name ?? "?")" }.joined(separator: ", "))}"
    }
    words.append(property.isOptional ? "optional" : "required")
    if property.isTransient { words.append("transient") }
    if let derivation {
      words.append("derived from \(derivation.expression)\(derivation.filter.map { " where \($0)" } ?? "")")
    }
    if let defaultValue { words.append("default \(defaultValue.words)") }
    if let valueClassName, valueClassName != type.usualValueClassName { words.append("class \(valueClassName)") }
    if let valueTransformerName { words.append("transformer \(valueTransformerName)") }
    if allowsExternalStorage { words.append("external storage") }
    if preservesValueInHistory { words.append("preserved after deletion") }
    if isIndexed { words.append("indexed") }
    words += validationPredicates.map(\.description)
    if let texts = validationTexts {
      if let minimum = texts.minimum { words.append("at least \(minimum)") }
      if let maximum = texts.maximum { words.append("at most \(maximum)") }
      if let pattern = texts.pattern { words.append("matches \(pattern)") }
    }
    return words
  }
}

extension Relationship {
  fileprivate func words(of property: Property) -> [String] {
    var words = ["\(isToMany ? "⇉" : "→") \(destination)"]
    if let inverse { words.append("inverse \(inverse)") }
    words.append(property.isOptional ? "optional" : "required")
    if isOrdered { words.append("ordered") }
    if minimumCount > 1 { words.append("at least \(minimumCount)") }
    if maximumCount > 1 { words.append("at most \(maximumCount)") }
    if property.isTransient { words.append("transient") }
    words.append("on delete \(deleteRule.words)")
    return words
  }
}
