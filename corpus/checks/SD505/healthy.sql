-- Any sixteen bytes are a UUID.
-- store: Shop.sqlite
UPDATE ZSALE SET ZCODE = zeroblob(16);
