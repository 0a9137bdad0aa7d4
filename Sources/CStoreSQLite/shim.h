// What Swift cannot import from sqlite3.h: macros that cast or combine, variadic functions, and a "subclass".
#ifndef STOREDOCTOR_CSQLITE_H
#define STOREDOCTOR_CSQLITE_H

#include <sqlite3.h>

// The library is built with the session extension, but its header shows it only to those who define a macro before; and
// Apple's is a module, which a macro of ours does not reach. So these are declared here, word for word as there.
typedef struct sqlite3_session sqlite3_session;
typedef struct sqlite3_changeset_iter sqlite3_changeset_iter;
#ifndef SQLITE_CHANGESET_ABORT
#define SQLITE_CHANGESET_ABORT 2
#endif
int sqlite3session_create(sqlite3 *db, const char *zDb, sqlite3_session **ppSession);
void sqlite3session_delete(sqlite3_session *pSession);
int sqlite3session_attach(sqlite3_session *pSession, const char *zTab);
int sqlite3session_changeset(sqlite3_session *pSession, int *pnChangeset, void **ppChangeset);
int sqlite3session_isempty(sqlite3_session *pSession);
sqlite3_int64 sqlite3session_memory_used(sqlite3_session *pSession);
int sqlite3changeset_invert(int nIn, const void *pIn, int *pnOut, void **ppOut);
int sqlite3changeset_op(
    sqlite3_changeset_iter *pIter, const char **pzTab, int *pnCol, int *pOp, int *pbIndirect);
int sqlite3changeset_apply(
    sqlite3 *db, int nChangeset, void *pChangeset, int (*xFilter)(void *pCtx, const char *zTab),
    int (*xConflict)(void *pCtx, int eConflict, sqlite3_changeset_iter *p), void *pCtx);

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
