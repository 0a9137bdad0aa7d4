-- Optional values, an optional leaf, and empty texts, which are values.
-- store: Shop.sqlite
UPDATE ZITEM SET ZLABEL = NULL, ZSKU = NULL;
UPDATE ZITEM SET ZNAME = '';
UPDATE ZSALE SET ZDEPTH = NULL, ZAMOUNT = NULL;
