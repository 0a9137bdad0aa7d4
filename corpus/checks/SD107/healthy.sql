-- In WAL mode, and closed as it should be.
-- store: Notes.sqlite
PRAGMA journal_mode = WAL;
