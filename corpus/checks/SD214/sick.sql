-- The metadata of another store beside its own.
-- store: Notes.sqlite
-- finds: SD214 warning Z_METADATA 2 []
INSERT INTO Z_METADATA SELECT 0, '00000000-0000-4000-8000-000000000001', NULL;
