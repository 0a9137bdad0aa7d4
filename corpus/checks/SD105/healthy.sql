-- The store's own log, merged.
-- store: Notes.sqlite
-- keeps: wal
PRAGMA journal_mode = WAL;
UPDATE Z_METADATA SET Z_VERSION = 2;
UPDATE Z_METADATA SET Z_VERSION = 1;
PRAGMA wal_checkpoint(FULL);
