-- A store may have any UUID.
-- store: Notes.sqlite
UPDATE Z_METADATA SET Z_UUID = '00000000-0000-4000-8000-000000000001';
