-- A log that was never merged.
-- store: Notes.sqlite
-- keeps: wal
-- finds: SD104 note  1 []
PRAGMA journal_mode = WAL;
UPDATE ZNOTE SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 1;
