-- The row's number says nothing.
-- store: Notes.sqlite
UPDATE Z_METADATA SET Z_VERSION = 2;
