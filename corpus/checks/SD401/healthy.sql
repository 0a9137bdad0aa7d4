-- Keys without an object to name are NULL; a key may lead to a row that comes later, and to the row itself.
-- store: Club.sqlite
UPDATE ZTROPHY SET Z7TROPHIES = NULL WHERE Z_PK = 1;
UPDATE ZTROPHY SET Z7TROPHIES = 3 WHERE Z_PK = 2;
UPDATE ZTEAM SET ZCOACH = NULL WHERE Z_PK = 3;
UPDATE ZPERSON SET ZTEAM = NULL WHERE Z_PK = 3;
