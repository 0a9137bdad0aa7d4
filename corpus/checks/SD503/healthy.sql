-- Whole seconds, whole prices, a decimal that is no number, and what SQLite turns into what the column asks for.
-- store: Shop.sqlite
UPDATE ZSALE SET ZSOLDAT = 700000000, ZPRICE = 9, ZAMOUNT = 3, ZWIDTH = '2';
UPDATE ZITEM SET ZPAGES = 7.0, ZNAME = 12 WHERE Z_PK = 1;
UPDATE ZSALE SET ZPRICE = 'NaN' WHERE Z_PK = 1;
