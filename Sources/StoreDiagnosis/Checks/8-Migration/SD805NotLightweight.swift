import StoreFindings
import StoreMigration
import StoreDataModel

extension Check {
  static let notLightweight = Check(
    .notLightweight, "not-lightweight", .error, traits: [.candidates],
    summary: "A change between the store's model and the version given cannot be inferred.",
    explanation: """
      ## What it looks for
      Changes for which Core Data infers no mapping, one finding each: an attribute's type outside the numeric family, an
      attribute that becomes a relationship, hierarchies that had no common parent.

      ## Why it matters
      Opening stops with 134140, "Can't find or automatically infer mapping model for migration", before a row is looked
      at. In a plan a lightweight run is one inference from the store's version to the last one: it stops as well when
      each step by itself could be inferred.

      ## Example
      `Item.price` is a String in the store and an Integer 64 in `Items 2`.

      ## What can be done
      A custom stage through a version that has both attributes: `storedoctor diagnose ... --stage-skeleton swiftdata` (or
      `staged`) writes it. No repair of the store can do it, because the shape is what differs.
      """,
    ofCandidates: { view in
      view.findings(\.obstacles, at: { "\($0.change.place) \($0.effect.afterwards)" }) { obstacle, verdict in
        let place = obstacle.change.place
        var finding = view.check.finding(
          view.storeName(place.sourceEntity) ?? place.destinationEntity, table: view.table(of: place.sourceEntity),
          message: "\(obstacle.effect.afterwards); \(verdict.stops)", blocks: [134140, 134190],
          basis: obstacle.effect.basis)
        finding.property = place.sourceProperty ?? place.destinationProperty
        return finding
      }
    })
}
