-- The log of another store.
-- store: Notes.sqlite
-- wal of: Club.sqlite
-- finds: SD105 error  2 []
PRAGMA journal_mode = WAL;
