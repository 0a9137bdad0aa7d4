-- NULLs equal nothing, and what only looks alike is not equal.
-- store: Shop.sqlite
UPDATE ZITEM SET ZSKU = NULL WHERE Z_PK > 1;
UPDATE ZSALE SET ZSHOP = NULL, ZNUMBER = 1;
