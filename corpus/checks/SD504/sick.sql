-- A truth value of 2, a count beyond 32 bits, a rate beyond Float, a date and a price without end.
-- store: Shop.sqlite
-- finds: SD504 warning Game.isNew 1 [4]
-- finds: SD504 warning Game.players 1 [5]
-- finds: SD504 warning Sale.price 1 [3]
-- finds: SD504 warning Sale.rate 1 [1]
-- finds: SD504 warning Sale.soldAt 1 [2]
UPDATE ZITEM SET ZISNEW = 2 WHERE Z_PK = 4;
UPDATE ZITEM SET ZPLAYERS = 2147483648 WHERE Z_PK = 5;
UPDATE ZSALE SET ZRATE = 1e39 WHERE Z_PK = 1;
UPDATE ZSALE SET ZSOLDAT = 9e999 WHERE Z_PK = 2;
UPDATE ZSALE SET ZPRICE = 9e999 WHERE Z_PK = 3;
