-- Two coaches change places, on both sides.
-- store: Club.sqlite
UPDATE ZTEAM SET ZCOACH = 3 - Z_PK WHERE Z_PK IN (1, 2);
UPDATE ZPERSON SET ZTEAM = 3 - Z_PK WHERE Z_PK IN (1, 2);
