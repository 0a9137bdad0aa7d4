-- The same index by another name.
-- store: Notes.sqlite
DROP INDEX Z_Tag_UNIQUE_name;
CREATE UNIQUE INDEX tags_by_name ON ZTAG (ZNAME);
