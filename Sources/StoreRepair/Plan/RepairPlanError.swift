import StorePublishing
import StoreWords

/// Why a plan cannot be made or carried out.
public enum RepairPlanError: NamesCallerChoices, Sendable {
  /// An operation changed a different number of rows than the plan says.
  case otherChanges(summary: String, expected: Int, found: Int)
  /// The store has triggers or views that Core Data does not make.
  case foreignObjects(path: String)
  /// Several objects of an entity have the same key.
  case repeatedKeys(path: String, entity: String)
  /// An operation gives two objects the same values where a unique index forbids it.
  case notUnique(summary: String, constraint: String)
  /// Something that was asked for cannot be done, and neither can the rest without it.
  case refused([Obstacle])
  /// The store has lost a table in which Core Data keeps its books.
  case lostTable(path: String, table: String)
  /// Pages of the store cannot be read.
  case damaged(path: String)
  /// A table has generated columns, so that what changes in it cannot be recorded.
  case generatedColumns(path: String, table: String)
  /// The permissions that are needed first.
  case notAllowed([RepairNeed])
  /// The plan does not get the store to open with its model, which was required.
  case stillBlocked(model: String, verdict: String)
  /// The plan was made for a model that has to be given again: its path and version.
  case modelNeeded(path: String, version: String)
  /// The plan was made without a model, or for another one than was given.
  case otherModel(version: String)
  /// The store has changed since the plan was made.
  case storeChanged(path: String)
  /// Planning again gives a different plan than the file holds; first at this member, as "operations[2].grade".
  case planDiffers(place: String)
  /// The plan's file was saved without values.
  case redacted
  /// The result differs from the plan.
  case notAsPlanned(String)
  /// The repairs keep making work for each other.
  case noEnd

  /// The message for the user.
  ///
  /// - Parameter name: what a choice is called.
  public func message(naming name: (CallerChoice) -> String) -> String {
    switch self {
    case .otherChanges(let summary, let expected, let found):
      "refusing to go on: \(quoted(summary)) changed \(found) rows and not \(expected) as planned; nothing was written"
    case .foreignObjects(let path):
      "refusing to change \(quoted(path)): it has triggers, views or tables that Core Data does not make (SD307), and "
        + "nobody can say what writing would set off; find out who made them with 'storedoctor diagnose --check SD307'"
    case .lostTable(let path, let table):
      "refusing to change \(quoted(path)): its table \(table) is lost, and no repair makes it anew; its rows can be read: "
        + "'storedoctor rows' with the format sqlite writes them into a database of their own"
    case .repeatedKeys(let path, let entity):
      "refusing to change \(quoted(path)): objects of \(entity) have the same Z_PK (SD213), and what is done to one would be done "
        + "to the other; give each a key of its own on a copy first"
    case .notUnique(let summary, let constraint):
      "refusing: \(quoted(summary)) would give two rows the same \(constraint), which has to be unique; give each a "
        + "value of its own ('generate: uuid', 'generate: sequence'), or 'dedupe' them first"
    case .refused(let obstacles):
      "refusing to change anything: "
        + obstacles.map { obstacle in
          let place = [obstacle.entity, obstacle.property].compactMap(\.self).joined(separator: ".")
          let keys = obstacle.keys.isEmpty ? "" : " (Z_PK \(obstacle.keys.map(String.init).joined(separator: ", ")))"
          return "\(obstacle.repair.rawValue)\(place.isEmpty ? "" : " of \(quoted(place))"): \(obstacle.message)\(keys)"
        }.joined(separator: "\n")
    case .damaged(let path):
      "refusing to change \(quoted(path)): pages of it cannot be read (SD102), and a change could make it worse; use "
        + "\(name(.output))"
    case .generatedColumns(let path, let table):
      "refusing to change \(quoted(path)): table \(quoted(table)) has generated columns, which Core Data does not make, and "
        + "a change of it could not be taken back; use \(name(.output))"
    case .notAllowed(let needs):
      "refusing without \(needs.map(\.rawValue).joined(separator: " and ")): the plan holds operations of that kind; look at it first, "
        + "as 'storedoctor repair' prints it without --output and --in-place"
    case .stillBlocked(let model, let verdict):
      "refusing: with \(quoted(model)) the store would be \(verdict) afterwards, and \(name(.requiresMigration)) asks for one that opens or "
        + "migrates; 'storedoctor repair' without --output and --in-place prints what is left to decide"
    case .modelNeeded(let path, let version):
      "refusing to apply: the plan was made for the version \(quoted(version)) of \(quoted(path)), and its verdict cannot be "
        + "checked without; give it with \(name(.model))"
    case .otherModel(let version):
      "refusing to apply: the plan was not made for the version \(quoted(version)) that \(name(.model)) names; make a new plan with "
        + "'storedoctor repair'"
    case .storeChanged(let path):
      "refusing to apply: \(quoted(path)) is not the store the plan was made for, or changed since; make a new plan with "
        + "'storedoctor repair'"
    case .planDiffers(let place):
      "refusing to apply: planning anew gives another plan than the file holds, first at \(quoted(place)); was the file "
        + "edited, or made by another version? Make a new plan with 'storedoctor repair'"
    case .redacted:
      "refusing to apply: the plan was printed without the values it writes; save one with 'storedoctor repair "
        + "--plan-out FILE'"
    case .notAsPlanned(let what):
      "refusing to keep the result, which is not what was planned: \(what); nothing was written"
    case .noEnd: "refusing: the repairs of this recipe make work for one another without end; run them one by one"
    }
  }
}
