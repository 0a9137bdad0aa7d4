/// A model as a graph for Graphviz.
///
/// ```
/// storedoctor model convert Notes.momd --to dot | dot -Tsvg > Notes.svg
/// ```
package struct DotDiagram: Sendable {
  /// The source text.
  package let text: String

  /// Draws a model: entities with their attributes as tables, inheritance, and each pair of relationships as one line.
  package init(_ model: Model, _ options: DiagramOptions = DiagramOptions()) {
    let parts = DiagramParts(model, options)
    var lines = [
      "digraph model {", "  graph [rankdir=LR, nodesep=0.5, ranksep=1]",
      "  node [shape=plaintext, fontname=\"Helvetica\", fontsize=11]",
      "  edge [fontname=\"Helvetica\", fontsize=9]",
    ]
    for (number, entity) in parts.entities {
      lines.append("  e\(number) [label=<\(Self.table(entity, attributes: parts.attributes(of: entity)))>]")
      if let parent = parts.parent(of: number) { lines.append("  e\(number) -> e\(parent) [arrowhead=empty]") }
    }
    for link in parts.links {
      let near = link.sourceCount.map { ", taillabel=\"\($0)\"" } ?? ""
      lines.append(
        "  e\(link.source) -> e\(link.destination) [arrowhead=vee, headlabel=\"\(link.destinationCount)\"\(near), "
          + "label=<\(Self.escaped(link.label))>]")
    }
    text = (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private static func table(_ entity: Entity, attributes: [(name: String, type: String)]) -> String {
    let name = "<B>\(escaped(entity.name))</B>" + (entity.isAbstract ? "<BR/><I>abstract</I>" : "")
    let rows = attributes.map { name, type in
      "<TR><TD ALIGN=\"LEFT\">\(escaped(name))</TD><TD ALIGN=\"LEFT\">\(escaped(type))</TD></TR>"
    }
    return "<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\"><TR><TD COLSPAN=\"2\">\(name)</TD></TR>"
      + "\(rows.joined())</TABLE>"
  }

  /// Text of Graphviz's HTML-like labels: markup as numbered entities, control characters as spaces.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&", "<", ">", "\"", "'", "\\": "&#\(scalar.value);"
      case "\0"..<" ", "\u{7F}"..."\u{9F}": " "
      default: String(scalar)
      }
    }.joined()
  }
}
