import StoreSQLite
import StoreYAML

/// The stand-in for the code of a custom stage: a recipe before the structural step, as `willMigrate`, and one after
/// it, as `didMigrate`.
///
/// As a file, it has the keys `version: 1`, `willMigrate` and `didMigrate`; below each are the keys of a recipe. A
/// plain recipe is one for `willMigrate`.
package struct StageRecipe: Sendable, Equatable {
  /// Done with the version that the stage starts at.
  package var willMigrate: Recipe
  /// Done with the version that it ends at. `was.title` is the value of `title` before the structural step, and
  /// `was.folder.name` that of an object it led to.
  package var didMigrate: Recipe

  /// A recipe for each side.
  package init(willMigrate: Recipe = Recipe(), didMigrate: Recipe = Recipe()) {
    self.willMigrate = willMigrate
    self.didMigrate = didMigrate
  }

  /// Reads one in YAML from bytes.
  ///
  /// - Throws: `RecipeMistakes` with every mistake and its line.
  package init(reading bytes: [UInt8]) throws(RecipeMistakes) {
    let document: YAMLNode?
    do throws(YAMLError) {
      var limits = YAMLNode.Limits()
      limits.bytes = Recipe.maximumBytes
      document = try YAMLNode.reading(bytes, limits: limits)
    } catch {
      throw RecipeMistakes([RecipeMistake(line: error.line, error.message)])
    }
    var reader = RecipeReader()
    let stage = reader.stage(document)
    for side in [stage.willMigrate, stage.didMigrate] where side.trimHistory != nil || side.compact {
      reader.mistake("'trimHistory' and 'compact' are no part of a stage: repair what 'migrate' wrote")
    }
    guard reader.mistakes.isEmpty else { throw RecipeMistakes(reader.mistakes) }
    self = stage
  }

  /// Reads one in YAML from a file.
  ///
  /// - Throws: `RecipeMistakes` with the path, also when the file cannot be read.
  package init(_ path: PosixPath) throws(RecipeMistakes) {
    let bytes: [UInt8]
    do throws(FileError) {
      let file = try EvidenceFile(path)
      bytes = try file.read(at: 0, count: Int(clamping: min(file.size, Int64(Recipe.maximumBytes + 1))))
    } catch {
      throw RecipeMistakes(path: path.description, [RecipeMistake(line: nil, error.reason)])
    }
    do throws(RecipeMistakes) {
      try self.init(reading: bytes)
    } catch {
      throw RecipeMistakes(path: path.description, error.mistakes)
    }
  }

  /// Whether it does nothing.
  package var isEmpty: Bool { willMigrate.isEmpty && didMigrate.isEmpty }
}
