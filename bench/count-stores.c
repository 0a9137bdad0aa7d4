/* The rival of `bench/audit`: opens each store named and asks SQLite what an audit asks of it.
 *
 *     count-stores STORE...
 *
 * One line a store: rows, and rows with something wrong. The statements are those somebody who knows the model would
 * write by hand; there is no model to decode, no version to find and no report to write. */

#include <sqlite3.h>
#include <stdio.h>

static const char *const statements[] = {
  /* pages and rows */
  "SELECT count(*) FROM pragma_quick_check WHERE quick_check <> 'ok'",
  /* metadata and model, read and not decoded */
  "SELECT length(Z_PLIST) * 0 FROM Z_METADATA",
  "SELECT length(Z_CONTENT) * 0 FROM Z_MODELCACHE",
  /* rows, by entity; numbers that belong to none */
  "SELECT count(*) FROM (SELECT Z_ENT FROM ZNOTE GROUP BY Z_ENT) WHERE Z_ENT NOT IN (SELECT Z_ENT FROM Z_PRIMARYKEY)",
  "SELECT count(*) FROM (SELECT Z_ENT FROM ZFOLDER GROUP BY Z_ENT) WHERE Z_ENT NOT IN (SELECT Z_ENT FROM Z_PRIMARYKEY)",
  "SELECT count(*) FROM (SELECT Z_ENT FROM ZTAG GROUP BY Z_ENT) WHERE Z_ENT NOT IN (SELECT Z_ENT FROM Z_PRIMARYKEY)",
  "SELECT max(Z_PK) > (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note') FROM ZNOTE",
  "SELECT max(Z_PK) > (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Folder') FROM ZFOLDER",
  "SELECT max(Z_PK) > (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag') FROM ZTAG",
  /* links */
  "SELECT count(*) FROM ZNOTE WHERE ZFOLDER IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ZFOLDER WHERE Z_PK = ZNOTE.ZFOLDER)",
  "SELECT count(*) FROM Z_2TAGS WHERE NOT EXISTS (SELECT 1 FROM ZNOTE WHERE Z_PK = Z_2NOTES)",
  "SELECT count(*) FROM Z_2TAGS WHERE NOT EXISTS (SELECT 1 FROM ZTAG WHERE Z_PK = Z_3TAGS)",
  /* values */
  "SELECT count(*) FROM ZNOTE WHERE ZTITLE IS NULL OR typeof(ZTITLE) <> 'text' OR typeof(ZBODY) NOT IN ('text', 'null')"
  " OR typeof(ZCREATEDAT) NOT IN ('real', 'integer', 'null') OR (ZUUID IS NOT NULL AND length(ZUUID) <> 16)"
  " OR Z_OPT IS NULL OR Z_OPT < 1",
  "SELECT count(*) FROM ZFOLDER WHERE ZNAME IS NULL OR typeof(ZNAME) <> 'text' OR Z_OPT IS NULL OR Z_OPT < 1",
  "SELECT count(*) FROM ZTAG WHERE typeof(ZNAME) NOT IN ('text', 'null') OR Z_OPT IS NULL OR Z_OPT < 1",
};

static long long ask(sqlite3 *database, const char *sql, int *failed) {
  sqlite3_stmt *statement = NULL;
  long long answer = 0;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) {
    fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(database));
    *failed = 1;
  } else if (sqlite3_step(statement) == SQLITE_ROW) {
    answer = sqlite3_column_int64(statement, 0);
  }
  sqlite3_finalize(statement);
  return answer;
}

int main(int count, char **arguments) {
  int failed = 0;
  for (int i = 1; i < count; i++) {
    sqlite3 *database = NULL;
    char uri[4200];
    /* Otherwise it would leave a -shm beside every store. */
    snprintf(uri, sizeof uri, "file:%s?immutable=1", arguments[i]);
    if (sqlite3_open_v2(uri, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL) != SQLITE_OK) {
      failed = 1;
    } else {
      long long rows = ask(database, "SELECT (SELECT count(*) FROM ZNOTE) + (SELECT count(*) FROM ZFOLDER) + (SELECT count(*) FROM ZTAG)", &failed);
      long long wrong = 0;
      for (size_t s = 0; s < sizeof statements / sizeof *statements; s++) wrong += ask(database, statements[s], &failed);
      printf("%s %lld %lld\n", arguments[i], rows, wrong);
    }
    sqlite3_close(database);
  }
  return failed;
}
