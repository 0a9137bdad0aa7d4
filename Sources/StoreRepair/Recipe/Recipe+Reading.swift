import StoreSQLite
import StoreYAML

extension Recipe {
  /// Reads a recipe in YAML.
  ///
  /// - Throws: `RecipeMistakes` with every mistake and its line: unknown keys and words, missing ones, invalid
  ///   expressions, repeated names.
  package init(reading bytes: [UInt8]) throws(RecipeMistakes) {
    let document: YAMLNode?
    do throws(YAMLError) {
      var limits = YAMLNode.Limits()
      limits.bytes = Self.maximumBytes
      document = try YAMLNode.reading(bytes, limits: limits)
    } catch {
      throw RecipeMistakes([RecipeMistake(line: error.line, error.message)])
    }
    try self.init(document)
  }

  /// Reads a recipe in YAML from a file.
  ///
  /// - Throws: `RecipeMistakes` with the path, also when the file cannot be read.
  package init(_ path: PosixPath) throws(RecipeMistakes) {
    let bytes: [UInt8]
    do throws(FileError) {
      let file = try EvidenceFile(path)
      bytes = try file.read(at: 0, count: Int(clamping: min(file.size, Int64(Self.maximumBytes + 1))))
    } catch {
      throw RecipeMistakes(path: path.description, [RecipeMistake(line: nil, error.reason)])
    }
    do throws(RecipeMistakes) {
      try self.init(reading: bytes)
    } catch {
      throw RecipeMistakes(path: path.description, error.mistakes)
    }
  }

  /// The recipe in a parsed document.
  init(_ document: YAMLNode?) throws(RecipeMistakes) {
    var reader = RecipeReader()
    let recipe = reader.recipe(document)
    guard reader.mistakes.isEmpty else { throw RecipeMistakes(reader.mistakes) }
    self = recipe
  }
}
