import ArgumentParser
import StoreMigrator
import StoreRepair
import StoreSQLite
import StoreWords

/// Recipes in place of the code of custom stages; shared by the commands that perform migrations.
struct StageArguments: ParsableArguments {
  @Option(
    name: .customLong("perform"),
    help: ArgumentHelp(
      "A recipe in the place of a custom stage's code: 'V2>V3=recipe.yaml', with willMigrate and didMigrate; or of a policy's in a mapping model: 'V2>V3/Note=recipe.yaml'. Repeatable.",
      valueName: "stage=recipe"), completion: .file())
  var performed: [String] = []

  func validate() throws {
    var seen: Set<[String]> = []
    for (from, to, entity, _) in try performed.map(parts) where !seen.insert([from, to, entity ?? ""]).inserted {
      throw ValidationError("--perform: there are two recipes for '\(from)>\(to)'; put both into one")
    }
  }

  /// - Throws: `RecipeMistakes` for a recipe that cannot be read.
  var stages: [StagePerformance] {
    get throws {
      try performed.map { text in
        let (from, to, entity, path) = try parts(text)
        return StagePerformance(
          from: from, to: to, entity: entity, recipe: try StageRecipe(PosixPath(argument: path)))
      }
    }
  }

  /// The files of the recipes, in the order of ``stages``.
  var paths: [String] { performed.compactMap { try? parts($0).path } }

  private func parts(_ text: String) throws -> (from: String, to: String, entity: String?, path: String) {
    let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
    let versions = sides.first?.split(separator: ">").map(withoutSpacesAround) ?? []
    guard sides.count == 2, versions.count == 2 else {
      throw ValidationError("--perform takes 'V2>V3=recipe.yaml', and got '\(text)'; quote it, since > is the shell's")
    }
    let end = versions[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return (versions[0], end[0], end.count == 2 ? end[1] : nil, sides[1])
  }
}
