-- Latin-1, a NUL, and a scalar that is cut off.
-- store: Shop.sqlite
-- finds: SD508 warning Item.name 2 [1, 2]
-- finds: SD508 warning Sale.page 1 [3]
UPDATE ZITEM SET ZNAME = CAST(x'4be47365' AS TEXT) WHERE Z_PK = 1;
UPDATE ZITEM SET ZNAME = 'Book' || char(0) || '2' WHERE Z_PK = 2;
UPDATE ZSALE SET ZPAGE = CAST(x'68747470733a2f2ff09f98' AS TEXT) WHERE Z_PK = 3;
