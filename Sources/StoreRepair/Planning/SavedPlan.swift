import StoreText
import StoreWords
import StoreCoreData
import StoreJSON
import StoreSQLite

/// A plan read from a file: enough to plan again and compare.
///
/// Nothing is carried out from the file: everything is planned again from recipe, seed and time, and has to equal the
/// file's document member by member. So a file that was edited or forged can do no harm, and whoever reviewed it saw
/// what is done.
package struct SavedPlan: Sendable {
  /// The fingerprint of the store it was made for.
  package let fingerprint: String
  /// The recipe asked for.
  package let recipe: Recipe
  /// The seed and time that generated values are computed from.
  package let generated: SeededValues
  /// The model it was made for; nil for none.
  package let model: Model?
  /// The whole document.
  private let document: JSONValue

  /// The model a plan was made for, as its file names it.
  package struct Model: Sendable, Equatable {
    /// The path, as it was given.
    package var path: String
    /// The version's name.
    package var version: String
    /// The checksum of its hashes, in base64.
    package var checksum: String
  }

  /// The largest file that is read, in bytes: some ten million rows.
  private static let maximumBytes = 1 << 30

  /// Reads a plan's file.
  ///
  /// - Throws: `SavedPlanError` with what is wrong, `FileError`, and `RecipeMistakes`.
  package init(contentsOf path: PosixPath) throws {
    let file = try EvidenceFile(path)
    guard file.size <= Self.maximumBytes else {
      throw SavedPlanError(path, "\(file.size) bytes, more than \(Self.maximumBytes)")
    }
    var limits = JSONValue.Limits()
    limits.bytes = Self.maximumBytes
    limits.values = 100_000_000
    do {
      try self.init(JSONValue(try file.read(at: 0, count: Int(file.size)), limits: limits))
    } catch let error as JSONError {
      throw SavedPlanError(path, error.description)
    } catch let error as SavedPlanError {
      throw SavedPlanError(path, error.message)
    }
  }

  init(_ json: JSONValue) throws {
    guard case .object(let plan) = json, plan["schema"] == .string(RepairPlan.schema) else {
      throw SavedPlanError(nil, "its schema is not \(quoted(RepairPlan.schema))")
    }
    guard plan["isRedacted"] == nil else { throw RepairPlanError.redacted }
    guard case .object(let store)? = plan["store"], case .string(let fingerprint)? = store["fingerprint"],
      case .object(let generated)? = plan["generated"], case .string(let seed)? = generated["seed"],
      let seed = seed.count == 16 ? UInt64(seed, radix: 16) : nil, let now = generated["now"]?.double,
      let recipe = plan["recipe"]
    else { throw SavedPlanError(nil, "a member is missing, or of another type than a plan's") }
    self.fingerprint = fingerprint
    self.recipe = try Recipe(json: recipe)
    self.generated = SeededValues(seed: seed, now: now)
    model = try plan["model"].map { try Model($0) }
    document = json
  }

  /// Throws unless planning again gave the document in the file.
  ///
  /// The plan may have been made elsewhere, so of the store's path only the name of the file has to be the same.
  func requireSame(as plan: RepairPlan, toolVersion: String) throws(RepairPlanError) {
    guard case .object(let members) = document,
      members["inputDigest"] == .string(RepairPlan.digest(ofInputs: members))
    else { throw .planDiffers(place: "inputDigest") }
    var found = plan.json(toolVersion: toolVersion, showsValues: true)
    if let path = document["store"]?["path"]?.string, let name = pathName(path), name == pathName(plan.store.path) {
      found = found.replacing("path", of: "store", with: .string(path))
    }
    // The model is told by its version and checksum, which are compared.
    if let model { found = found.replacing("path", of: "model", with: .string(model.path)) }
    // It was compared above, and covers the paths.
    found = found.replacing("inputDigest", with: members["inputDigest"] ?? .null)
    if let place = document.firstDifference(from: found) { throw .planDiffers(place: place) }
  }

  /// The name after the last "/"; nil for nothing.
  private func pathName(_ path: String) -> [UInt8]? {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last.map(Array.init)
  }
}

extension JSONValue {
  fileprivate subscript(_ name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  fileprivate var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  fileprivate func replacing(_ name: String, of outer: String, with value: JSONValue) -> JSONValue {
    guard case .object(var members) = self, case .object(var inner)? = members[outer] else { return self }
    inner[name] = value
    members[outer] = .object(inner)
    return .object(members)
  }

  fileprivate func replacing(_ name: String, with value: JSONValue) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members[name] = value
    return .object(members)
  }

  /// Where two documents differ first, as "operations[2].grade"; nil where they are equal. `1` and `1.0` are equal.
  fileprivate func firstDifference(from other: JSONValue, at place: String = "") -> String? {
    let here = place.isEmpty ? "the document" : place
    switch (self, other) {
    case (.object(let left), .object(let right)):
      for name in Set(left.keys).union(right.keys).sorted(by: codeUnitsPrecede) {
        let inner = place.isEmpty ? name : "\(place).\(name)"
        guard let mine = left[name], let theirs = right[name] else { return inner }
        if let found = mine.firstDifference(from: theirs, at: inner) { return found }
      }
      return nil
    case (.array(let left), .array(let right)):
      for (index, pair) in zip(left, right).enumerated() {
        // Millions of rows are equal: the text of the place is only made where they are not.
        guard pair.0 != pair.1 else { continue }
        if let found = pair.0.firstDifference(from: pair.1, at: "\(place)[\(index)]") { return found }
      }
      return left.count == right.count ? nil : "\(place)[\(min(left.count, right.count))]"
    case (.integer(let whole), .number(let number)), (.number(let number), .integer(let whole)):
      return Int64(exactly: number) == whole ? nil : here
    case (.null, _), (.bool, _), (.integer, _), (.number, _), (.string, _), (.array, _), (.object, _):
      return self == other ? nil : here
    }
  }
}

/// Why a file cannot be read as a plan.
package struct SavedPlanError: Error, CustomStringConvertible, Sendable {
  /// The file; nil where it is not known here.
  package var path: String?
  /// The problem; lower case, no full stop.
  package var message: String

  init(_ path: PosixPath?, _ message: String) {
    self.path = path?.description
    self.message = message
  }

  /// The message for the user.
  package var description: String {
    "cannot read the plan \(quoted(path ?? "")): \(message); 'storedoctor repair --plan-out FILE' writes one"
  }
}

/// Plans again for a store, and checks that the result equals the saved plan.
///
/// - Parameter toolVersion: the version of this program, which has to be the one that made the plan.
/// - Throws: `RepairPlanError` where the store is another, or the plan comes out differently.
package func planAgain(
  _ saved: SavedPlan, for store: Store, toolVersion: String, options: RepairOptions = RepairOptions()
) throws -> RepairPlan {
  guard try store.fingerprint() == saved.fingerprint else { throw RepairPlanError.storeChanged(path: store.path) }
  let models = options.diagnosis.candidates.models
  if let model = saved.model, models.isEmpty {
    throw RepairPlanError.modelNeeded(path: model.path, version: model.version)
  }
  var options = options
  options.generated = saved.generated
  let plan = try planRepair(saved.recipe, of: store, options: options)
  if let aim = plan.aim, base64(aim.checksum) != saved.model?.checksum {
    throw RepairPlanError.otherModel(version: aim.version)
  }
  try saved.requireSame(as: plan, toolVersion: toolVersion)
  return plan
}

extension SavedPlan.Model {
  fileprivate init(_ json: JSONValue) throws {
    guard case .object(let members) = json, case .string(let path)? = members["path"],
      case .string(let version)? = members["version"], case .string(let checksum)? = members["checksum"]
    else { throw SavedPlanError(nil, "its model is not named as a plan names it") }
    self.init(path: path, version: version, checksum: checksum)
  }
}

extension JSONValue {
  fileprivate var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    case .null, .bool, .string, .array, .object: nil
    }
  }
}
