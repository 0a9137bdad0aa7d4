-- Nothing is linked.
-- store: Notes.sqlite
DELETE FROM Z_3TAGS;
