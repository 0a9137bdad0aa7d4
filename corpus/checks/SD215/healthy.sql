-- Lower case does as well.
-- store: Notes.sqlite
UPDATE Z_METADATA SET Z_UUID = lower(Z_UUID);
