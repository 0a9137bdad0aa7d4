-- A tag with the number of Folder.
-- store: Notes.sqlite
-- finds: SD210 error Tag 1 [3]
UPDATE ZTAG SET Z_ENT = 2 WHERE Z_PK = 3;
