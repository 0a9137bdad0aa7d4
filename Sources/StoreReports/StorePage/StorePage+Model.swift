import StoreInspection
import StoreWords

// The model as a picture.

extension StorePage {
  var model: ReportPage.Section {
    let picture = ModelPicture(inspection)
    guard !picture.boxes.isEmpty else { return ReportPage.Section(id: "model", title: "The model", content: "") }
    let leftOut = own.count - picture.boxes.count
    let words =
      (picture.showsAttributes ? "" : picture.showsLines ? "relationships, " : "names alone, ")
      + (leftOut > 0 ? "\(counted(Int64(leftOut), "entity", "entities")) not drawn, " : "")
    let rules =
      !picture.showsLines
      ? " Attributes, and what becomes of a destination when its object is deleted, stand in the tables of the entities."
      : (picture.showsAttributes ? "" : " Attributes stand in the tables of the entities.")
        + " Behind a destination stands what becomes of it when the object is deleted."
    let label = "\(counted(Int64(picture.boxes.count), "entity", "entities")) and their relationships"
    return ReportPage.Section(
      id: "model", title: "The model",
      remark: "Each box leads to its entity: \(words)rows at the right, those without rows dashed.",
      content: """
        <div class="scroll">\(picture.svg(label: label))</div>
        <p class="small soft">A fork is to many, a bar to one, a circle may be none. Blue is many to many. Dashed, with a triangle at \
        the parent, is inheritance.\(rules)</p>

        """, isWide: true)
  }
}
