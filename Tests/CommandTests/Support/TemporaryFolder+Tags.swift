import StoreSQLite
import TestSupport

extension TemporaryFolder {
  /// A copy of the notes with 400 tags on several pages.
  func notesWithManyTags() throws -> String {
    let path = try copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: path, create: false)
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 7 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 5, 1, printf('%0100d', i) FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 400 WHERE Z_NAME = 'Tag';
      """)
    connection.close()
    return path
  }
}
