-- A date as text, a number as bytes, a name as bytes, an identifier as text, a fraction in an integer and in a key.
-- store: Shop.sqlite
-- finds: SD503 warning Book.pages 1 [2]
-- finds: SD503 warning Item.name 1 [1]
-- finds: SD503 warning Sale.amount 1 [3]
-- finds: SD503 warning Sale.code 1 [4]
-- finds: SD503 warning Sale.options 1 [4]
-- finds: SD503 warning Sale.shop 1 [6]
-- finds: SD503 warning Sale.size.width 1 [5]
-- finds: SD503 warning Sale.soldAt 2 [1, 2]
UPDATE ZSALE SET ZSOLDAT = '2024-05-01' WHERE Z_PK IN (1, 2);
UPDATE ZSALE SET ZAMOUNT = x'01' WHERE Z_PK = 3;
UPDATE ZSALE SET ZCODE = 'D9B1', ZOPTIONS = 'gift' WHERE Z_PK = 4;
UPDATE ZSALE SET ZWIDTH = 'wide' WHERE Z_PK = 5;
UPDATE ZITEM SET ZNAME = x'426f6f6b' WHERE Z_PK = 1;
UPDATE ZITEM SET ZPAGES = 1.5 WHERE Z_PK = 2;
UPDATE ZSALE SET ZSHOP = ZSHOP + 0.5 WHERE Z_PK = 6;
