-- Only the first row is the cache.
-- store: Notes.sqlite
INSERT INTO Z_MODELCACHE VALUES (NULL);
