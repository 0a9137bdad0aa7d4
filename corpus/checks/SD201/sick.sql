-- The property list is gone.
-- store: Notes.sqlite
-- finds: SD201 error Z_METADATA 1 []
UPDATE Z_METADATA SET Z_PLIST = NULL;
