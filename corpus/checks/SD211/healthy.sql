-- A note saved often; in history NULL is normal.
-- store: Notes.sqlite
UPDATE ZNOTE SET Z_OPT = 12345 WHERE Z_PK = 1;
UPDATE ACHANGE SET Z_OPT = NULL;
