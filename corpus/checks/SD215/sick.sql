-- The store's UUID is gone.
-- store: Notes.sqlite
-- finds: SD215 warning Z_METADATA 1 []
UPDATE Z_METADATA SET Z_UUID = NULL;
