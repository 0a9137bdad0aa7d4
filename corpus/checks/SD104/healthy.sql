-- A log all of which is in the main file already.
-- store: Notes.sqlite
-- keeps: wal
PRAGMA journal_mode = WAL;
UPDATE ZNOTE SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 1;
PRAGMA wal_checkpoint(FULL);
