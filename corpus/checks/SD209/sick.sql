-- A tag of an entity that is not, and one of none.
-- store: Notes.sqlite
-- finds: SD209 error Tag 2 [1, 2]
UPDATE ZTAG SET Z_ENT = 42 WHERE Z_PK = 1;
UPDATE ZTAG SET Z_ENT = NULL WHERE Z_PK = 2;
