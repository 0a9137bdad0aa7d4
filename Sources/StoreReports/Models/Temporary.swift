import CoreDataModel
import JSON
extension ModelDifference {
  func writeHashedChanges(to page: inout Page) { for change in changes where change.entersHash { page.paragraph("\(change)") } }
  var changesJSON: JSONValue { .array([]) }
}
