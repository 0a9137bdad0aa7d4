-- Too few and too many pages, a label that is too long by one unit, a number that does not match as a whole, a sale
-- before 2001.
-- store: Shop.sqlite
-- finds: SD507 warning Book.label 1 [1]
-- finds: SD507 warning Book.pages 2 [1, 2]
-- finds: SD507 warning Item.sku 2 [2, 4]
-- finds: SD507 warning Sale.soldAt 1 [3]
UPDATE ZITEM SET ZPAGES = 0, ZLABEL = 'sixteen or so it 😀😀' WHERE Z_PK = 1;
UPDATE ZITEM SET ZPAGES = 9001, ZSKU = 'BK-12a' WHERE Z_PK = 2;
UPDATE ZITEM SET ZSKU = 'gm-1' WHERE Z_PK = 4;
UPDATE ZSALE SET ZSOLDAT = -0.5 WHERE Z_PK = 3;
