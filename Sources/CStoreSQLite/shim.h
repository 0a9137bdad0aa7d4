// What Swift cannot import from sqlite3.h: macros that cast or combine, variadic functions, and a "subclass".
#ifndef STOREDOCTOR_CSQLITE_H
#define STOREDOCTOR_CSQLITE_H

// The library is built with the session extension; its header shows it only to those who ask.
#ifndef SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_SESSION 1
#endif
#ifndef SQLITE_ENABLE_PREUPDATE_HOOK
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#endif
#include <sqlite3.h>

static inline sqlite3_destructor_type storedoctor_transient(void) { return SQLITE_TRANSIENT; }

static inline int storedoctor_db_config(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

static inline int storedoctor_config(int option, int value) { return sqlite3_config(option, value); }

static inline int storedoctor_config_pointer(int option, void *value) { return sqlite3_config(option, value); }

// An open file of our VFS: what SQLite asks to come first, then the Swift object behind it.
typedef struct storedoctor_file {
  sqlite3_file base;
  void *object;
} storedoctor_file;

#endif
