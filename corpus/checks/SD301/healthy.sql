-- A table without rows.
-- store: Notes.sqlite
DELETE FROM ZATTACHMENT;
