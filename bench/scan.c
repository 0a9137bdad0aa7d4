/* Reads every column of a table with the C library alone and sums it up; the rival of Sources/BenchScan.
   scan FILE TABLE prints: rows, sum of integers, bits of the sum of reals, sum of bytes' lengths and first bytes.

   The store is opened as a file that never changes, the fastest way the library has. */

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **arguments) {
  if (count != 3) return 2;
  char uri[4096], sql[512];
  snprintf(uri, sizeof uri, "file:%s?immutable=1", arguments[1]);
  snprintf(sql, sizeof sql, "SELECT * FROM \"%s\" NOT INDEXED", arguments[2]);

  sqlite3 *database;
  sqlite3_stmt *row;
  int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
  if (sqlite3_open_v2(uri, &database, flags, NULL) || sqlite3_prepare_v2(database, sql, -1, &row, NULL)) {
    fprintf(stderr, "scan: %s\n", sqlite3_errmsg(database));
    return 2;
  }

  int64_t rows = 0, integers = 0, bytes = 0;
  double reals = 0;
  int columns = sqlite3_column_count(row), code;
  while ((code = sqlite3_step(row)) == SQLITE_ROW) {
    rows++;
    for (int column = 0; column < columns; column++) {
      const unsigned char *start = NULL;
      switch (sqlite3_column_type(row, column)) {
      case SQLITE_INTEGER: integers += sqlite3_column_int64(row, column); break;
      case SQLITE_FLOAT: reals += sqlite3_column_double(row, column); break;
      case SQLITE_TEXT: start = sqlite3_column_text(row, column); break;
      case SQLITE_BLOB: start = sqlite3_column_blob(row, column); break;
      }
      if (start) {
        int length = sqlite3_column_bytes(row, column);
        bytes += length + (length > 0 ? start[0] : 0);
      }
    }
  }
  if (code != SQLITE_DONE) {
    fprintf(stderr, "scan: %s\n", sqlite3_errmsg(database));
    return 2;
  }
  uint64_t bits;
  memcpy(&bits, &reals, sizeof bits);
  printf("%lld %lld %llu %lld\n", (long long)rows, (long long)integers, (unsigned long long)bits, (long long)bytes);
  return 0;
}
