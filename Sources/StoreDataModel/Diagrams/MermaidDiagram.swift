/// A model as a class diagram for Mermaid, which Markdown viewers draw.
///
/// ```
/// classDiagram
///   class e0["Note"] {
///     String title
///   }
///   e0 "*" --> "0..1" e1 : folder / notes
/// ```
package struct MermaidDiagram: Sendable {
  /// The source text.
  package let text: String

  /// Draws a model: entities with their attributes, inheritance, and each pair of relationships as one line.
  package init(_ model: Model, _ options: DiagramOptions = DiagramOptions()) {
    let parts = DiagramParts(model, options)
    var lines = ["classDiagram"]
    for (number, entity) in parts.entities {
      lines.append("  class e\(number)[\"\(Self.escaped(entity.name))\"] {")
      if entity.isAbstract { lines.append("    <<abstract>>") }
      for (name, type) in parts.attributes(of: entity) {
        lines.append("    \(Self.escaped(type)) \(Self.escaped(name))")
      }
      lines.append("  }")
      if let parent = parts.parent(of: number) { lines.append("  e\(parent) <|-- e\(number)") }
    }
    for link in parts.links {
      let near = link.sourceCount.map { "\"\($0)\" " } ?? ""
      lines.append(
        "  e\(link.source) \(near)--> \"\(link.destinationCount)\" e\(link.destination) : \(Self.escaped(link.label))")
    }
    text = lines.joined(separator: "\n") + "\n"
  }

  /// Letters, digits and spaces as they are, everything else as Mermaid's numbered entities (`#35;`).
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      let isPlain = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == " " || scalar == "_"
      return isPlain ? String(scalar) : "#\(scalar.value);"
    }.joined()
  }
}
