import StoreDataModel
import Foundation
import StoreGenerator
import TestSupport
import Testing

@Suite struct DiagramTests {
  @Test func mermaidShowsInheritanceAndEachPairOnce() throws {
    let text = MermaidDiagram(try SampleModels.notes()).text
    #expect(
      text.hasPrefix(
        """
        classDiagram
          class e0["Attachment"] {
            Binary#63; data
            String fileName
          }
          class e1["Checklist"] {
            Integer 16 done
            Integer 16 total
          }
          e3 <|-- e1
        """))
    #expect(
      text.hasSuffix(
        """
          e0 "*" --> "0..1" e3 : note #47; attachments
          e2 "0..1" --> "*" e2 : children #47; parent
          e2 "0..1" --> "*" e3 : notes #47; folder
          e3 "*" --> "*" e4 : tags #47; notes

        """))
  }

  @Test func drawsAnEntityAndItsNeighboursAlone() throws {
    let options = DiagramOptions(entities: ["Folder"], showsAttributes: false)
    #expect(
      PlantUMLDiagram(try SampleModels.notes(), options).text == """
        @startuml
        hide circle
        hide empty members
        class "Folder" as e2 {
        }
        class "Note" as e3 {
        }
        e2 "0..1" --> "*" e2 : children / parent
        e2 "0..1" --> "*" e3 : notes / folder
        @enduml

        """)
    let mermaid = MermaidDiagram(try SampleModels.notes(), options).text
    #expect(mermaid.split(separator: "\n").count == 7 && !mermaid.contains("title"))
    // A child of the entity is a neighbour as well.
    let dot = DotDiagram(try SampleModels.notes(), DiagramOptions(entities: ["Checklist"])).text
    #expect(dot.contains("<B>Note</B>") && dot.contains("total") && !dot.contains("<B>Folder</B>"))
  }

  @Test func namesCannotLeaveTheirPlace() throws {
    let evil = "x\"] { }\n<script>alert(1)</script>"
    let model = try Model(entities: [
      Entity(name: evil, properties: [Property(name: evil, kind: .attribute(Attribute(type: .string)))])
    ])
    let mermaid = MermaidDiagram(model).text
    #expect(mermaid.split(separator: "\n").count == 4)
    #expect(!mermaid.contains("<script"))
    let dot = DotDiagram(model).text
    #expect(!dot.contains("<script") && dot.split(separator: "\n").count == 6)
    let plantUML = PlantUMLDiagram(model).text
    #expect(!plantUML.contains("<script") && plantUML.split(separator: "\n").count == 7)
  }

  /// Graphviz can read the output, even with names made to break its syntax.
  @Test(.enabled(if: Graphviz.isPresent, "skipped: no Graphviz")) func graphvizDrawsIt() throws {
    for model in [try SampleModels.notes(), try SampleModels.shapes()]
      + (try (UInt64(0)..<20).map { try RandomModel.make(seed: $0) })
    {
      let drawing = try Graphviz.draw(DotDiagram(model).text)
      for entity in model.entities.prefix(1) where entity.name.allSatisfy(\.isASCII) {
        #expect(drawing.contains(">\(entity.name.prefix(4))"))
      }
    }
  }
}

private enum Graphviz {
  static let isPresent = (try? Python.run("import shutil, sys; sys.exit(shutil.which('dot') is None)")) != nil

  static func draw(_ text: String) throws -> String {
    let script =
      "import subprocess, sys; sys.stdout.buffer.write(subprocess.run(['dot', '-Tsvg'], stdin=sys.stdin, stdout=subprocess.PIPE, check=True).stdout)"
    return String(decoding: try Python.run(script, input: Array(text.utf8)), as: UTF8.self)
  }
}
