-- In WAL mode, with the log's index and without the log.
-- store: Notes.sqlite
-- beside: -shm
-- finds: SD107 warning  1 []
PRAGMA journal_mode = WAL;
