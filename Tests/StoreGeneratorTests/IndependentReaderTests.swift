import StoreDataModel
import Foundation
import StoreGenerator
import TestSupport
import Testing

/// Python's plistlib and zlib, which share no code with this project, read what the generator writes.
@Suite struct IndependentReaderTests {
  @Test(.enabled(if: Python.isPresent, "skipped: no python3"))
  func readsMetadataAndModelCache() throws {
    let folder = try TemporaryFolder()
    let path = folder("Shapes.sqlite")
    try SampleStores.writeShapes(to: path)
    let model = try SampleModels.shapes()
    let hashes = model.versionHashes
    var expected = ["framework 1526", "digest \(Data(hashes.digest).base64EncodedString())"]
    for entity in model.entities {
      let properties = model.properties(of: entity.name).keys.sorted().joined(separator: ",")
      let parent = entity.parent.map { " < \($0)" } ?? ""
      expected.append("\(entity.name)\(parent) \(hashes.byEntity[entity.name]?.description ?? ""): \(properties)")
    }
    #expect(try Python.run(Self.reader, [path]) == Array(expected.map { $0 + "\n" }.joined().utf8))
  }

  private static let reader = """
    import plistlib, sqlite3, sys, zlib
    db = sqlite3.connect(sys.argv[1])
    meta = plistlib.loads(db.execute('select Z_PLIST from Z_METADATA').fetchone()[0])
    print('framework', meta['NSPersistenceFrameworkVersion'])
    print('digest', meta['NSStoreModelVersionHashesDigest'])
    archive = plistlib.loads(zlib.decompress(db.execute('select Z_CONTENT from Z_MODELCACHE').fetchone()[0], -15))
    objects = archive['$objects']
    at = lambda reference: objects[reference.data]
    root = at(archive['$top']['root'])
    entities = at(root['NSEntities'])
    names = [at(k) for k in at(at(entities['searchMapping'])['keys'])['NS.objects']]
    for name, reference in zip(names, at(entities['values'])['NS.objects']):
        entity = at(reference)
        assert at(entity['NSEntityName']) == name
        parent = at(entity['NSSuperentity'])
        properties = sorted(at(k) for k in at(entity['NSProperties'])['NS.keys'])
        print(name + ('' if parent == '$null' else ' < ' + at(parent['NSEntityName'])),
              meta['NSStoreModelVersionHashes'][name].hex() + ':', ','.join(properties))
    """
}
