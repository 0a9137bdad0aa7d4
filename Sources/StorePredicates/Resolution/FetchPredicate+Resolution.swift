import StoreDataModel
import StoreWords

extension FetchPredicate {
  /// The predicate for objects of an entity and its sub-entities: every key path is found in the model, and compared with
  /// what its values can be.
  ///
  /// - Throws: ``FetchPredicateError`` with the place, and names that are similar where one is not known.
  package func resolved(for entity: String, in model: Model) throws(FetchPredicateError) -> ResolvedPredicate {
    guard model.entity(named: entity) != nil else {
      throw FetchPredicateError(
        "no entity \(quoted(entity)) in the model" + didYouMean(entity, among: model.entities.map(\.name)))
    }
    var resolver = PredicateResolver(PathFinder(source: source, model: model, entity: entity))
    let root = try resolver.resolve(syntax)
    return ResolvedPredicate(paths: resolver.finder.paths, root: root)
  }
}
