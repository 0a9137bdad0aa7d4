-- The number of the row the key names, also when that row is of the declared entity itself.
-- store: Club.sqlite
UPDATE ZPERSON SET Z_ENT = 4, ZTEAM = NULL WHERE Z_PK = 1;
UPDATE ZTEAM SET ZCOACH = NULL WHERE Z_PK = 1;
UPDATE ZPASSPORT SET Z4_HOLDER = 4 WHERE Z_PK = 1;
