-- An index made again.
-- store: Notes.sqlite
REINDEX ZNOTE;
