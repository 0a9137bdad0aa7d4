import StoreDataModel
import StoreWords

extension MappingModel {
  /// The mapping model as a person reads it: each entity mapping with where the values and links of its objects come from.
  package func text(width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    let ends = [sourceName.map { "from \(quoted($0))" }, destinationName.map { "to \(quoted($0))" }].compactMap(\.self)
    let title = (["mapping model"] + ends).joined(separator: " ")
    page.paragraph(
      escapedForTerminal("\(title): \(counted(Int64(entityMappings.count), "entity mapping"))"), indent: 0, first: "",
      style: .strong)
    for sentence in models?.unread ?? [] { page.paragraph("not read: " + escapedForTerminal(sentence), first: "- ") }
    for mapping in entityMappings { write(mapping, to: &page) }
    return page.text
  }

  private func write(_ mapping: EntityMapping, to page: inout Page) {
    page.section(escapedForTerminal(mapping.name))
    switch (mapping.source, mapping.destination) {
    case (let source?, let destination?):
      let condition = mapping.filter.map { ", where \($0)" } ?? ""
      page.field("objects", escapedForTerminal("\(source.entity) become \(destination.entity)\(condition)"))
    case (nil, let destination?): page.field("objects", escapedForTerminal("\(destination.entity) is new"))
    case (let source?, nil): page.field("objects", escapedForTerminal("\(source.entity) is removed"))
    case (nil, nil): break
    }
    if let policy = mapping.policyClassName { page.field("policy", escapedForTerminal("\(policy), code of the app")) }
    for property in (mapping.attributes ?? []) + (mapping.relationships ?? []) {
      page.field(escapedForTerminal(property.name), escapedForTerminal(property.words))
    }
    if mapping.attributes == nil || mapping.relationships == nil {
      page.paragraph("what it says of attributes and relationships could not be read")
    }
  }
}

extension MappingModel.PropertyMapping {
  /// "$source.title", "what $source.folder became", or that the default of a new object stays.
  fileprivate var words: String {
    guard let value else { return "not set: the default of a new object stays" }
    guard case .function(let selector, operand: .variable("manager")?, let arguments) = value, arguments.count == 2
    else {
      return value.description
    }
    switch selector {
    case MappingModel.instancesOfRelationship: return "what \(arguments[1]) became"
    case MappingModel.instancesOfMapping: return "what \(arguments[1]) became by \(arguments[0])"
    default: return value.description
    }
  }
}
