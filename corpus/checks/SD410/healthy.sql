-- A folder without a parent is the root of a tree; a tag is owned by nobody; an attachment is its note's.
-- store: Notes.sqlite
UPDATE ZFOLDER SET ZPARENT = NULL;
DELETE FROM Z_3TAGS;
