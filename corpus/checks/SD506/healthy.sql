-- No archive at all is one that is missing.
-- store: Shop.sqlite
UPDATE ZSALE SET ZOPTIONS = NULL WHERE Z_PK > 1;
