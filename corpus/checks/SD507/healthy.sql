-- At the bounds; and games have no rule for their labels.
-- store: Shop.sqlite
UPDATE ZITEM SET ZPAGES = 1, ZLABEL = 'sixteen or so it😀😀' WHERE Z_PK = 1;
UPDATE ZITEM SET ZPAGES = 9000, ZSKU = NULL WHERE Z_PK = 2;
UPDATE ZITEM SET ZLABEL1 = hex(zeroblob(1000)) WHERE Z_PK > 3;
UPDATE ZSALE SET ZSOLDAT = 0;
