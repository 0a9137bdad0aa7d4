-- A UUID of eight bytes, one spelled out, and none at all of it.
-- store: Shop.sqlite
-- finds: SD505 warning Sale.code 3 [1, 2, 3]
UPDATE ZSALE SET ZCODE = x'0102030405060708' WHERE Z_PK = 1;
UPDATE ZSALE SET ZCODE = CAST('5C0FFEE0-0000-4000-8000-000000005409' AS BLOB) WHERE Z_PK = 2;
UPDATE ZSALE SET ZCODE = zeroblob(0) WHERE Z_PK = 3;
