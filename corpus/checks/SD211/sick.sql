-- Notes that no save has counted.
-- store: Notes.sqlite
-- finds: SD211 warning Note 3 [1, 2, 3]
UPDATE ZNOTE SET Z_OPT = NULL WHERE Z_PK = 1;
UPDATE ZNOTE SET Z_OPT = 0 WHERE Z_PK = 2;
UPDATE ZNOTE SET Z_OPT = -1 WHERE Z_PK = 3;
