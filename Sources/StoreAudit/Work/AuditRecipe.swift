import StoreJSON
import StorePlatform
import StorePublishing
import StoreWords
import StoreDiagnosis
import StoreRepair
import StoreCoreData
import StoreSQLite

/// A recipe that an audit plans for every store, or applies to copies.
package struct AuditRecipe: Sendable {
  /// The recipe asked for.
  package var recipe: Recipe
  /// The folder for repaired copies; nil to plan only.
  package var outputFolder: PosixPath?
  /// The changes allowed to the copies.
  package var allowance: RepairAllowance
  /// Whether existing copies are replaced: an interrupted audit may have written one without its line.
  package var replaces: Bool
  /// The message of an error that prevented a copy.
  package var message: @Sendable (any Error) -> String

  /// A recipe to plan, or to apply if there is a folder.
  package init(
    _ recipe: Recipe, outputFolder: PosixPath? = nil, allowance: RepairAllowance = RepairAllowance(),
    replaces: Bool = false, message: @escaping @Sendable (any Error) -> String = { "\($0)" }
  ) {
    self.message = message
    self.replaces = replaces
    self.recipe = recipe
    self.outputFolder = outputFolder
    self.allowance = allowance
  }

  /// Its contents as text, for telling runs apart.
  var text: String {
    "\(recipe.json.text) \(outputFolder?.description ?? "") \(allowance)"
  }

  /// Plans it for a store, and writes the repaired copy if there is a folder.
  ///
  /// - Throws: errors that end the reading of a store; what prevents a repair is part of the result.
  func carryOut(
    on store: Store, item: AuditItem, diagnosis: DiagnosisOptions, onStage: (AuditStage) -> Void
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
      let output = try Self.place(of: item, in: outputFolder)
      guard !item.isRepeated else {
        result.failure = "an earlier entry of this audit has its copy at \(quoted(output.description))"
        return result
      }
      _ = try apply(
        plan, to: store,
        destination: .output(
          OutputTarget(output, replaces: replaces, leavesOutWAL: store.wal.map { !$0.isRead } ?? false)),
        allowance: allowance, options: options)
      result.output = output.description
    } catch let error as StoreError {
      throw error
    } catch {
      result.failure = item.shownText(message(error))
    }
    return result
  }

  /// The path components of a copy in the output folder.
  static func parts(of shown: PosixPath) -> [[UInt8]] {
    let underscore = UInt8(ascii: "_")
    return shown.bytes.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }.map { part in
      if part == Array("..".utf8)[...] { return [underscore, underscore] }
      // Otherwise a folder with that name would be confused with a step upwards.
      return Array(part) + (part.count > 1 && part.allSatisfy { $0 == underscore } ? [underscore] : [])
    }
  }

  /// The path of a store's copy: below the output folder by the path it was given or found by, so that no two stores
  /// collide. Steps upwards become `__`, and an archive becomes a folder.
  static func place(of item: AuditItem, in folder: PosixPath) throws -> PosixPath {
    let parts = parts(of: item.shown)
    var path = folder
    for part in parts.dropLast() {
      path = path.appending(component: part)
      // If this fails, writing the copy fails and says why.
      _ = path.withCString { mkdir($0, 0o700) }
    }
    guard let name = parts.last else { throw PublishingError(folder, .noFolder) }
    return path.appending(component: name)
  }
}

extension RepairPlan {
  /// The number of operations and rows of each repair, in order of first occurrence.
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
