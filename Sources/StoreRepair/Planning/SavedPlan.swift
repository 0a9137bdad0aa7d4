import StoreWords
import StoreCoreData
import StoreJSON
import StoreSQLite

/// A plan read from a file: enough to plan again and compare.
///
/// Operations are never carried out from the file: they are planned again from recipe, seed and time, and must be
/// equal. So a file that was edited or forged can do no harm.
public struct SavedPlan: Sendable {
  /// The fingerprint of the store it was made for.
  public let fingerprint: String
  /// What was asked for.
  public let recipe: Recipe
  /// The seed and time that generated values are computed from.
  public let generated: SeededValues
  /// The model it was made for; nil for none.
  public let model: Model?
  private let operations: [JSONValue]

  /// The model a plan was made for, as its file names it.
  public struct Model: Sendable, Equatable {
    /// The path, as it was given.
    public var path: String
    /// The version's name.
    public var version: String
    /// The checksum of its hashes, in base64.
    public var checksum: String
  }

  /// The largest file that is read, in bytes: some ten million rows.
  private static let maximumBytes = 1 << 30

  /// Reads a plan's file.
  ///
  /// - Throws: `SavedPlanError` with what is wrong, `FileError`, and `RecipeMistakes`.
  public init(contentsOf path: PosixPath) throws {
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
      case .array(let operations)? = plan["operations"], let recipe = plan["recipe"]
    else { throw SavedPlanError(nil, "a member is missing, or of another type than a plan's") }
    self.fingerprint = fingerprint
    self.recipe = try Recipe(json: recipe)
    self.generated = SeededValues(seed: seed, now: now)
    self.operations = operations
    model = try plan["model"].map { try Model($0) }
  }

  /// Throws unless planning again gave the operations in the file.
  func requireSame(as plan: RepairPlan) throws(RepairPlanError) {
    let found = plan.operations.map { $0.json(showsValues: true) }
    guard found != operations else { return }
    let place = zip(found, operations).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let number = (place ?? min(found.count, operations.count)) + 1
    throw .planDiffers(operation: "operation \(number)")
  }
}

/// Why a file cannot be read as a plan.
public struct SavedPlanError: Error, CustomStringConvertible, Sendable {
  /// The file; nil where it is not known here.
  public var path: String?
  /// What is wrong; lower case, no full stop.
  public var message: String

  init(_ path: PosixPath?, _ message: String) {
    self.path = path?.description
    self.message = message
  }

  /// The message for the user.
  public var description: String {
    "cannot read the plan \(quoted(path ?? "")): \(message); 'storedoctor repair --plan-out FILE' writes one"
  }
}

/// Plans again for a store, and checks that the result equals the saved plan.
///
/// - Throws: `RepairPlanError` where the store is another, or the plan comes out differently.
public func planAgain(_ saved: SavedPlan, for store: Store, options: RepairOptions = RepairOptions()) throws
  -> RepairPlan
{
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
  try saved.requireSame(as: plan)
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
