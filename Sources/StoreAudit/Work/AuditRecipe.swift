import StoreJSON
import StoreWords
import StoreDiagnosis
import StoreRepair
import StoreCoreData
import StoreSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A recipe that an audit plans for every store, or carries out on copies.
public struct AuditRecipe: Sendable {
  /// What is wanted.
  public var recipe: Recipe
  /// The folder repaired copies go to; nil where it is only planned.
  public var outputFolder: PosixPath?
  /// What may be done to the copies.
  public var allowance: RepairAllowance
  /// Whether copies that are there are replaced: an audit that was cut may have written one and not its line.
  public var replaces: Bool

  /// A recipe to be planned, or with a folder to be carried out.
  public init(
    _ recipe: Recipe, outputFolder: PosixPath? = nil, allowance: RepairAllowance = RepairAllowance(),
    replaces: Bool = false
  ) {
    self.replaces = replaces
    self.recipe = recipe
    self.outputFolder = outputFolder
    self.allowance = allowance
  }

  /// What it says, for telling runs apart.
  var text: String {
    "\(recipe.json.text) \(outputFolder?.description ?? "") \(allowance)"
  }

  /// Plans it for a store, and where a folder was named writes the repaired copy.
  ///
  /// - Throws: what ends the reading of a store; what stands in the way of a repair is part of the answer.
  func carryOut(
    on store: Store, _ item: AuditItem, diagnosis: DiagnosisOptions, _ onStage: (AuditStage) -> Void
  ) throws -> AuditedStore.Repair {
    onStage(.planning)
    var result = AuditedStore.Repair(operations: [], obstacles: [], isToBeWritten: outputFolder != nil)
    do {
      let options = RepairOptions(diagnosis: DiagnosisOptions(integrity: diagnosis.integrity))
      let plan = try planRepair(recipe, of: store, options: options)
      try store.checkUnchanged()
      result.operations = plan.countsByRepair
      result.obstacles = plan.obstacles.map { item.shownText($0.message) }
      guard let outputFolder, !plan.isEmpty else { return result }
      onStage(.applying)
      let output = try place(of: item, in: outputFolder)
      guard !item.isRepeated else {
        result.failure = "an earlier entry of this audit has its copy at \(quoted(output.description))"
        return result
      }
      _ = try apply(
        plan, to: store,
        destination: .output(output, replaces: replaces, leavesOutWAL: store.wal.map { !$0.isRead } ?? false),
        allowance: allowance, options: options)
      result.output = output.description
    } catch let error as StoreError {
      throw error
    } catch {
      result.failure = item.shownText("\(error)")
    }
    return result
  }

  /// The names of folders and file that a copy has in the output folder.
  static func parts(of shown: PosixPath) -> [[UInt8]] {
    let underscore = UInt8(ascii: "_")
    return shown.bytes.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }.map { part in
      if part == Array("..".utf8)[...] { return [underscore, underscore] }
      // Else a folder that is called so would stand for a step upwards.
      return Array(part) + (part.count > 1 && part.allSatisfy { $0 == underscore } ? [underscore] : [])
    }
  }

  /// Where the copy of a store goes: under the path it was given or found by, so that no two stores meet. Steps upwards
  /// are spelled out as `__`, and an archive is a folder.
  private func place(of item: AuditItem, in folder: PosixPath) throws -> PosixPath {
    let parts = Self.parts(of: item.shown)
    var path = folder
    for part in parts.dropLast() {
      path = path.appending(component: part)
      // Whether it is there, and is a folder, shows when the copy is written.
      _ = path.withCString { mkdir($0, 0o700) }
    }
    guard let name = parts.last else { throw RepairError(folder, .noFolder) }
    return path.appending(component: name)
  }
}

extension RepairPlan {
  /// How many operations and rows each repair has, in the order they are first done.
  fileprivate var countsByRepair: [AuditedStore.Repair.Count] {
    var counts: [AuditedStore.Repair.Count] = []
    for operation in operations {
      let name = operation.repair.rawValue
      if let position = counts.firstIndex(where: { $0.repair == name }) {
        counts[position].operations += 1
        counts[position].changes += operation.expectedChanges
      } else {
        counts.append(.init(repair: name, operations: 1, changes: operation.expectedChanges))
      }
    }
    return counts
  }
}
