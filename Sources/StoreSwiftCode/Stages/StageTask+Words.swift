import StoreDiagnosis
import StoreDataModel
import StoreReports

extension StageTask {
  var entity: String {
    switch self {
    case .fill(let entity, _), .distinguish(let entity, _), .dedupe(let entity, _), .convert(let entity, _, _, _),
      .link(let entity, _, _):
      entity
    }
  }

  var properties: [String] {
    switch self {
    case .fill(_, let property), .distinguish(_, let property): [property]
    case .dedupe(_, let properties): properties
    case .convert(_, let from, let to, _): [from, to]
    case .link(_, let attribute, let relationship): [attribute, relationship]
    }
  }

  /// Its effect, for a comment.
  var words: String {
    switch self {
    case .fill(let entity, let property): "\(entity).\(property) becomes required: no row may be without one."
    case .distinguish(let entity, let property):
      "\(entity).\(property) becomes unique: a value of its own for every row."
    case .dedupe(let entity, let properties):
      "\(entity) becomes unique by \(properties.joined(separator: " and ")): one row of each value stays."
    case .convert(let entity, let from, let to, _): "\(entity).\(from) has another type: \(to) takes its value over."
    case .link(let entity, let attribute, let relationship):
      "\(entity).\(attribute) becomes a relationship: \(relationship) leads to the object it stood for."
    }
  }
}

extension StageAdvice {
  /// The comment at the top of the generated source.
  var headLines: [String] {
    var head = ["Stages from '\(from)' to '\(to)', as storedoctor proposes them; lines marked \"decide\" are yours."]
    if bridge != nil {
      head.append(
        "'\(bridgeName)' lies between: it has what was beside what is to be, and nothing is required yet that has to be "
          + "filled first.")
    }
    for change in unsolved {
      let place = [change.place.entity, change.place.property].compactMap(\.self).joined(separator: ".")
      head.append(
        "Not treated, needs code of your own: \(place.isEmpty ? "the model" : place) (\(change.words.phrase)).")
    }
    return head
  }
}

extension StageNames {
  /// A function that converts an old value to a new one.
  func conversionLines(_ entity: String, from: String, to: String, model: Model, isStatic: Bool) -> [String] {
    guard let old = type(from, of: entity, in: model), let new = type(to, of: entity, in: model),
      let oldType = model.property(from, of: entity)?.attribute?.type,
      let newType = model.property(to, of: entity)?.attribute?.type
    else { return [] }
    let body = oldType.conversion(to: newType, type: new)
    let indent = isStatic ? "  " : ""
    return [
      "", "\(indent)/// \(StageNames.comment("\(entity).\(from) as \(new)")); nil for what cannot be read.",
      "\(indent)\(isStatic ? "static" : "private") func \(conversion(of: to, entity))(_ old: \(old)) -> \(new)? {",
      "\(indent)  \(body ?? "nil")  // decide", "\(indent)}",
    ]
  }
}

extension Model {
  /// To-many relationships of an entity, inherited ones included, by name.
  func toManyNames(of entity: String) -> [String] {
    properties(of: entity).values.filter { $0.property.relationship?.isToMany == true && !$0.property.isTransient }
      .map(\.property.name).sorted()
  }
}
