-- A table of another tool is no column.
-- store: Notes.sqlite
CREATE TABLE grdb_migrations (identifier TEXT);
