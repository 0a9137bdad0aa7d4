import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let orphanedExternalFile = Check(
    .orphanedExternalFile, "orphaned-external-file", .note, traits: [.missingRows],
    summary: "A file with a value lies beside the store, and no row names it.",
    explanation: """
      ## What it looks for
      Files named by a UUID in `.NAME_SUPPORT/_EXTERNAL_DATA` that no row of the store names. Not where another database
      in the folder shares the name, and with it the support folder: `Notes.db` beside `Notes.sqlite`.

      ## Why it matters
      The file takes up space, and it may hold what was meant to be deleted. Many of them hint at rows that were deleted
      with an SQL tool, or at a store that was replaced by an older copy of itself.

      ## Example
      No row of `ZATTACHMENT` names `0308CA1C-D76C-4F97-8631-28E8EFF6F510`.

      ## What can be done
      The repair `structure: [external-files]` moves the files aside. It has to be asked for by name: what is in them is
      nowhere else.
      """
  ) { check, scan in
    guard scan.store.hasModel else {
      scan.skip("without a model nobody knows which values may lie in files")
      return { [] }
    }
    let columns = scan.externalColumns()
    return {
      let names = scan.externalFiles().known.filter { ExternalFileName($0) != nil }
      // If a table could not be read completely, the row that names a file may be in the unread part.
      guard !names.isEmpty, columns.allSatisfy({ $0.holder.damage == nil }) else { return [] }
      let others = scan.store.databasesWithSameSupportFolder()
      guard others.isEmpty else {
        scan.skip(others, reason: "may keep values in the same folder, so it is not known whose the files are")
        return []
      }
      let files = orphans(names, named: Set(columns.flatMap { $0.references.map(\.file) }), limit: scan.exampleLimit)
      guard files.count > 0 else { return [] }
      return [
        check.finding(
          count: files.count, examples: files.examples,
          message:
            "\(counted(files.count, "file")) in \(quoted(scan.store.externalFolderName)) \(files.count == 1 ? "is" : "are") "
            + "named by no row",
          remedies: [.init("structure: [external-files]")])
      ]
    }
  }
}

private func orphans(_ names: [[UInt8]], named: Set<ExternalFileName>, limit: Int) -> ExampleTally {
  var files = ExampleTally(limit: limit)
  let texts = names.filter { name in ExternalFileName(name).map { !named.contains($0) } == true }
    .map { String(decoding: $0, as: UTF8.self) }
  for text in texts.sorted(by: codeUnitsPrecede) { files.add(.init(nil, ["file": .text(text)])) }
  return files
}
