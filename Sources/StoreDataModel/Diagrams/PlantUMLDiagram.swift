/// A model as a class diagram for PlantUML.
///
/// ```
/// @startuml
/// class "Note" as e0 {
///   {field} title : String
/// }
/// e0 "*" --> "0..1" e1 : folder / notes
/// @enduml
/// ```
package struct PlantUMLDiagram: Sendable {
  /// The source text.
  package let text: String

  /// Draws a model: entities with their attributes, inheritance, and each pair of relationships as one line.
  package init(_ model: Model, _ options: DiagramOptions = DiagramOptions()) {
    let parts = DiagramParts(model, options)
    var lines = ["@startuml", "hide circle", "hide empty members"]
    for (number, entity) in parts.entities {
      lines.append("\(entity.isAbstract ? "abstract " : "")class \"\(Self.escaped(entity.name))\" as e\(number) {")
      for (name, type) in parts.attributes(of: entity) {
        // Without the prefix a name with brackets would be a method.
        lines.append("  {field} \(Self.escaped(name)) : \(Self.escaped(type))")
      }
      lines.append("}")
    }
    for line in parts.inheritance { lines.append("e\(line.parent) <|-- e\(line.child)") }
    for link in parts.links {
      let near = link.sourceCount.map { "\"\($0)\" " } ?? ""
      lines.append(
        "e\(link.source) \(near)--> \"\(link.destinationCount)\" e\(link.destination) : \(Self.escaped(link.label))")
    }
    text = (lines + ["@enduml"]).joined(separator: "\n") + "\n"
  }

  /// Letters, digits, spaces, "_", "?" and "/" as they are, everything else by its number (`<U+0022>`), so that no name is
  /// read as markup.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      let isPlain =
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || " _?/".unicodeScalars.contains(scalar)
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return isPlain ? String(scalar) : "<U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)>"
    }.joined()
  }
}
